import type { Reporter, TestCase } from 'vitest/node'

/** What held only when it was played again, by name, at the end of a run: a repeat that nobody sees hides a flaw. */
export class RepeatsReporter implements Reporter {
  private readonly repeated: string[] = []

  onTestCaseResult(test: TestCase): void {
    const retries = test.diagnostic()?.retryCount ?? 0
    if (retries && test.ok()) this.repeated.push(`${test.module.relativeModuleId} > ${test.fullName} (${retries} ×)`)
  }

  onTestRunEnd(): void {
    if (this.repeated.length) console.log(['', `Passed only when repeated: ${this.repeated.length}`, ...this.repeated].join('\n  '))
  }
}
