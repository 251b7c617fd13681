import { resolve } from 'node:path'
import type {
  ReportedHookContext,
  Reporter,
  SerializedError,
  TestCase,
  TestModule,
  TestSpecification,
  TestSuite,
  Vitest,
} from 'vitest/node'
import { MOST_FAILED, noteFailure } from './second-try.ts'

const SLOW_S = 20

/** How vitest's process ends where the run was ended before its time: nothing of it is tried again. */
export const ENDED_EARLY = 3

export interface RunReporterOptions {
  /** The files that must have run, whatever vitest found; from the root of the project. */
  readonly files?: readonly string[]
  /** After so much silence a run is ended: longer than a test or a hook may take, so that those are named by their own time-outs. */
  readonly silentS?: number
}

/**
 * Tells at once what failed, and while it runs what takes long; ends a run in which too many files failed or nothing
 * moves any more. Its seconds are ticks of this process: none pass while the machine stands still.
 */
export class RunReporter implements Reporter {
  private vitest!: Vitest
  private readonly failed = new Set<string>()
  private readonly files = new Set<string>()
  private readonly running = new Map<string, number>()
  private silent = 0
  private expected: string[] = []
  private ending = false
  private timer?: NodeJS.Timeout

  private readonly options: RunReporterOptions
  constructor(options: RunReporterOptions = {}) {
    this.options = options
  }

  onInit(vitest: Vitest): void {
    this.vitest = vitest
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    const whole = (this.options.files ?? []).map((file) => resolve(this.vitest.config.root, file))
    this.expected = [...new Set([...specifications.map(({ moduleId }) => moduleId), ...whole])]
    this.timer = setInterval(() => this.tick(), 1000)
  }

  private tick(): void {
    for (const [name, seconds] of this.running) {
      this.running.set(name, seconds + 1)
      if ((seconds + 1) % SLOW_S === 0) console.log(` …  ${seconds + 1} s  ${name}`)
    }
    const { silentS = 240 } = this.options
    if (++this.silent < silentS) return
    // A thread that is blocked has not even said which test it began.
    void this.end(`Nothing has begun or ended for ${silentS} s. Running were:`, [...this.files, ...this.running.keys()])
  }

  private begin(name: string): void {
    this.silent = 0
    this.running.set(name, 0)
  }
  private done(name: string): void {
    this.silent = 0
    this.running.delete(name)
  }

  onTestModuleQueued({ relativeModuleId: file }: TestModule): void {
    this.silent = 0
    this.files.add(file)
  }
  onTestCaseReady = (test: TestCase): void => this.begin(nameOf(test))
  onHookStart = (hook: ReportedHookContext): void => this.begin(hookName(hook))
  onHookEnd = (hook: ReportedHookContext): void => this.done(hookName(hook))

  onTestCaseResult(test: TestCase): void {
    this.done(nameOf(test))
    const { state, errors } = test.result()
    if (state === 'failed') this.fail(test.module, nameOf(test), errors)
  }

  /** A hook of a `describe` fails without a test. */
  onTestSuiteResult(suite: TestSuite): void {
    if (suite.errors().length) this.fail(suite.module, `${suite.module.relativeModuleId} > ${suite.fullName}`, suite.errors())
  }

  onTestModuleEnd(module: TestModule): void {
    this.silent = 0
    this.files.delete(module.relativeModuleId)
    if (module.state() === 'failed') this.fail(module, module.relativeModuleId, module.errors())
  }

  /** A file counts with the first of its failures. */
  private fail({ relativeModuleId: file }: TestModule, name: string, errors: readonly SerializedError[] = []): void {
    if (this.ending || this.failed.has(file)) return
    this.failed.add(file)
    const text = [
      name,
      ...errors.map(({ message, stack }) => (stack ?? message).replace(/\n\s+at .*(node_modules|<anonymous>).*/g, '')),
    ].join('\n')
    console.log(`\nfailed: ${text}\n`)
    noteFailure(file, text)
    if (this.failed.size > MOST_FAILED) void this.end(`More than ${MOST_FAILED} files failed:`, this.failed)
  }

  /** Whatever still runs after five seconds may be what hangs: who started this run ends what it leaves behind. */
  private async end(why: string, names: Iterable<string>): Promise<void> {
    if (this.ending) return
    this.ending = true
    clearInterval(this.timer)
    console.log([`\n${why}`, ...names].join('\n  '))
    setTimeout(() => process.exit(ENDED_EARLY), 5000)
    await this.vitest.cancelCurrentRun('test-failure')
    await this.vitest.close()
    process.exit(ENDED_EARLY)
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    clearInterval(this.timer)
    if (this.ending) return
    for (const error of errors) {
      const path = (error as { VITEST_TEST_PATH?: string }).VITEST_TEST_PATH
      const module = modules.find(({ moduleId }) => moduleId === path)
      if (module) this.fail(module, `${module.relativeModuleId}: outside of its tests`, [error])
    }
    const ended = new Set(modules.filter((one) => one.state() !== 'pending' && one.state() !== 'queued').map(({ moduleId }) => moduleId))
    const missing = this.expected.filter((id) => !ended.has(id))
    if (!missing.length) return
    console.log(['\nNot run:', ...missing].join('\n  '))
    process.exitCode = 1
  }
}

const nameOf = (test: TestCase) => `${test.module.relativeModuleId} > ${test.fullName}`
const hookName = ({ name, entity }: ReportedHookContext) =>
  `${name} of ${entity.type === 'module' ? entity.relativeModuleId : `${entity.module.relativeModuleId} > ${entity.fullName}`}`
