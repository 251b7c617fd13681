import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { noteRepeat } from './repeats.ts'

const nameOf = (test: TestCase) => `${test.module.relativeModuleId} > ${test.fullName}`

/** What held only when it was played again, by name, at the end of a run: a repeat that nobody sees hides a flaw. */
export class RepeatsReporter implements Reporter {
  private readonly repeated: string[] = []

  onTestCaseResult(test: TestCase): void {
    const retries = test.diagnostic()?.retryCount ?? 0
    if (!test.ok()) noteRepeat(`${nameOf(test)}: failed`)
    else if (retries) {
      this.repeated.push(`${nameOf(test)} (${retries} ×)`)
      noteRepeat(`${nameOf(test)}: passed only when repeated (${retries} ×)`)
    }
  }

  /** A file that could not be read, or whose hooks failed, has no results of its own. */
  onTestModuleEnd(module: TestModule): void {
    for (const { message } of module.errors()) noteRepeat(`${module.relativeModuleId}: ${message}`)
  }

  onTestRunEnd(): void {
    if (this.repeated.length) console.log(['', `Passed only when repeated: ${this.repeated.length}`, ...this.repeated].join('\n  '))
  }
}
