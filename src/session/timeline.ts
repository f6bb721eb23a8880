// Remembers what happened and when, without a secret, so that explain() can say why.
import { TIMELINE_LENGTH } from '../constants.ts'
import type { AuthError } from '../errors.ts'

/** One thing that happened. */
export interface ExplainStep {
  /** When, by this machine's clock. */
  readonly atMs: number
  /** What, in words: 'verify existing session'. */
  readonly step: string
  /** How it went. */
  readonly outcome: 'started' | 'done' | 'skipped' | 'failed'
  /** Why, in words. */
  readonly detail?: string | undefined
  /** What went wrong, when something did; free of secrets as every `AuthError`. */
  readonly error?: AuthError | undefined
}

/** The last steps of a session. An interface: the package's declarations reach this file. */
export interface Timeline {
  record(step: string, outcome: ExplainStep['outcome'], why?: string | AuthError): void
  steps(): readonly ExplainStep[]
}

/** `tell` hears of each failure with its mending; of one that repeats, once. */
export function createTimeline(now: () => number, tell?: (message: string) => void): Timeline {
  let steps: readonly ExplainStep[] = []
  let told = ''
  return {
    record(step, outcome, why) {
      const reason = typeof why === 'string' ? { detail: why } : why && { detail: why.message, error: why }
      if (typeof why === 'object' && outcome === 'failed' && why.code !== 'login-required') {
        const message = `${step}: ${why.message}. ${why.remedy ?? ''}`
        if (message !== told) tell?.(message)
        told = message
      }
      steps = [...steps.slice(1 - TIMELINE_LENGTH), Object.freeze({ atMs: now(), step, outcome, ...reason })]
    },
    steps: () => steps,
  }
}
