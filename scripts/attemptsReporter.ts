// A Vitest reporter beside the JSON one: notes in the report which tests needed more than one attempt. None should.
import type { Reporter, TestCase } from 'vitest/node'

declare module 'vitest' {
  interface TaskMeta {
    /** How often the test was tried, where it was more than once. */
    attempts?: number
  }
}

/** Has to stand before the JSON reporter, which writes what it finds in `meta`. */
export default class AttemptsReporter implements Reporter {
  onTestCaseResult(test: TestCase): void {
    const { retryCount = 0 } = test.diagnostic() ?? {}
    if (retryCount > 0) test.meta().attempts = retryCount + 1
  }
}
