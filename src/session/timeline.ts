// Records the steps for explain(): what happened, when and why, without secrets.
import { TIMELINE_LENGTH } from '../base/constants.ts'
import type { AuthError } from '../base/errors.ts'
import { listOf, parseJson, recordOf } from '../base/json.ts'
import type { Platform } from './platform/platform.ts'

/** One thing that happened. */
export interface ExplainStep {
  /** When, by this machine's clock. */
  readonly atMs: number
  /** The step in words: 'verify existing session'. */
  readonly step: string
  /** How it went. */
  readonly outcome: 'started' | 'done' | 'skipped' | 'failed'
  /** Why, in words. */
  readonly detail?: string | undefined
  /** The error, if any; free of secrets like every `AuthError`. */
  readonly error?: AuthError | undefined
}

/** The last steps of a session. An interface: the package's declarations reach this file. */
export interface Timeline {
  record(step: string, outcome: ExplainStep['outcome'], why?: string | AuthError): void
  steps(): readonly ExplainStep[]
  /** This user has signed in: removes the steps of another user. */
  begin(user: string): void
  /** Called on `pagehide`: stores the last steps for the next page of the tab. */
  leave(): void
}

/** Passes each failure and its remedy to `tell`, a repeated one once. @param key in session storage */
export function createTimeline(
  { now, tell, sessionStorage }: Pick<Platform, 'now' | 'tell' | 'sessionStorage'>,
  key: string,
): Timeline {
  /** Steps of the page before. */
  let before: Kept | undefined
  /** The user who has signed in on this page. */
  let current: string | undefined
  /** Steps of this page. */
  let steps: readonly ExplainStep[] = []
  /** The same list until something changes: readers compare it. */
  let shown: readonly ExplainStep[] | undefined
  let told = ''
  // Read on demand. Steps of another user are dropped.
  const kept = () => {
    before ??= parseKept(sessionStorage.get(key))
    if (current !== undefined && before.user !== undefined && before.user !== current) before = { steps: [] }
    return before
  }
  const all = () => (shown ??= [...kept().steps, ...steps].slice(-TIMELINE_LENGTH))
  return {
    record(step, outcome, why) {
      const reason = typeof why === 'string' ? { detail: why } : why && { detail: why.message, error: why }
      if (typeof why === 'object' && outcome === 'failed' && why.code !== 'login-required') {
        const message = `${step}: ${why.message}. ${why.remedy ?? ''}`
        if (message !== told) tell?.(message)
        told = message
      }
      shown = undefined
      steps = [...steps.slice(1 - TIMELINE_LENGTH), Object.freeze({ atMs: now(), step, outcome, ...reason })]
    },
    steps: all,
    begin(user) {
      if (current !== undefined && current !== user) steps = []
      current = user
      shown = undefined
    },
    leave() {
      const last = all()
        .slice(-KEPT_STEPS)
        .map(({ atMs, step, outcome, detail }) => ({ atMs, step, outcome, detail: withoutQueries(detail) }))
      sessionStorage.set(key, JSON.stringify({ user: current ?? kept().user, steps: last }))
    },
  }
}

const KEPT_STEPS = 50
const LARGEST_DETAIL_LENGTH = 500

interface Kept {
  user?: unknown
  steps: readonly ExplainStep[]
}

/** Reads what `leave` has written; ignores anything else. */
function parseKept(text: string | undefined): Kept {
  const { user, steps } = recordOf(parseJson(text))
  const isStep = (step: unknown): step is ExplainStep => typeof recordOf(step)['step'] === 'string'
  return {
    user,
    steps: listOf(steps)
      .filter(isStep)
      .map((step) => Object.freeze(step)),
  }
}

/** Codes and tokens are in queries. */
const withoutQueries = (text: string | undefined) =>
  text?.slice(0, LARGEST_DETAIL_LENGTH).replace(/(https?:\/\/[^\s?#]*)[?#]\S*/g, '$1')
