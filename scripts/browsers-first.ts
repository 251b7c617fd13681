import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** With a browser a file takes minutes, elsewhere seconds: one that began last would keep all waiting. */
export class BrowsersFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const inBrowser = ({ moduleId }: TestSpecification) => moduleId.includes('/portal/test/')
    return [...sorted.filter(inBrowser), ...sorted.filter((file) => !inBrowser(file))]
  }
}
