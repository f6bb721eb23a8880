// What a test can make the demo's authorization server do wrong, per address or for the whole server.

export interface FaultRule {
  /** Exact path, or the start of one when it ends with `*`. */
  path: string
  method?: string
  /** Only token requests of this grant type. */
  grant?: string
  /** Strike this many times, then be gone; without it until removed. */
  times?: number
  /**
   * `before` (default): the server does nothing and answers wrongly. `after`: it does its work, a rotation for example,
   * and only then spoils the answer.
   */
  stage?: 'before' | 'after'
  /** Wait before going on; alone it only slows the request down. */
  delayMs?: number
  /** Never answer; the connection stays open until the server closes. */
  hang?: boolean
  /** Cut the connection: before any byte, or in the middle of the body. */
  reset?: 'before-answer' | 'mid-body'
  status?: number
  /** What no correct server would send: a web page, the half of the answer, or this JSON. */
  body?: 'html' | 'truncated' | { text: string }
  headers?: Record<string, string>
  /** Sent as the Retry-After header: seconds or an HTTP date. */
  retryAfter?: number | string
}

/** Set these members at any time; `faults.clear()` puts them back. */
export interface FaultSwitches {
  /** Added to every request, preflights included (for benchmarks). */
  latencyMs: number
  /** Refuse to be framed, on every authorize answer. */
  refuseFraming: 'no' | 'x-frame-options' | 'csp'
  /** Answer the hidden frame with a page that posts nothing. */
  dropWebMessage: boolean
  wrongState: boolean
  wrongIssuer: boolean
  accessTokenLifetimeSeconds: number | undefined
  /** Refresh tokens stay the same and may be used again. */
  rotationOff: boolean
  /** Accept code_challenge_method plain, which is off as it should be. */
  allowPlainChallenge: boolean
  /** What /oauth/close posts to the opener. */
  closeMessage: 'string' | 'type' | 'name' | 'message' | 'nothing'
  /** Changes a token answer on its way out. */
  editTokenAnswer: ((answer: Record<string, unknown>) => Record<string, unknown>) | undefined
}

/** What a rule is compared with. */
interface Subject {
  method: string
  path: string
  grant: string | undefined
}

export type Faults = ReturnType<typeof createFaults>

const defaultSwitches = (): FaultSwitches => ({
  latencyMs: 0,
  refuseFraming: 'no',
  dropWebMessage: false,
  wrongState: false,
  wrongIssuer: false,
  accessTokenLifetimeSeconds: undefined,
  rotationOff: false,
  allowPlainChallenge: false,
  closeMessage: 'string',
  editTokenAnswer: undefined,
})

export function createFaults() {
  let rules: FaultRule[] = []

  const faults = {
    ...defaultSwitches(),
    /** Returns the removal of this rule. */
    add(rule: FaultRule): () => void {
      const own = { ...rule }
      rules.push(own)
      return () => {
        rules = rules.filter((other) => other !== own)
      }
    },
    /** Removes all rules and puts all switches back. */
    clear(): void {
      rules = []
      Object.assign(faults, defaultSwitches())
    },
    /** Takes the rules of a stage that match, and counts the strikes. */
    take(stage: 'before' | 'after', subject: Subject): FaultRule[] {
      const striking = rules.filter((rule) => (rule.stage ?? 'before') === stage && matches(rule, subject))
      for (const rule of striking) if (rule.times !== undefined) rule.times -= 1
      rules = rules.filter((rule) => rule.times !== 0)
      return striking
    },
  }
  return faults
}

function matches(rule: FaultRule, { method, path, grant }: Subject): boolean {
  const isPath = rule.path.endsWith('*') ? path.startsWith(rule.path.slice(0, -1)) : path === rule.path
  return isPath && (rule.method ?? method) === method && (rule.grant ?? grant) === grant
}
