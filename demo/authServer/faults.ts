// What a test can make the demo's authorization server do wrong, per address or for the whole server.

/** A body that no correct server would send, by the name of what is wrong with it. */
export type FaultBody =
  | 'html'
  | 'truncated'
  | 'empty'
  | 'null'
  | 'array'
  | 'wrong-keys'
  | 'huge'
  | { text: string; contentType?: string }

export interface FaultRule {
  /** Exact path, or the start of one when it ends with `*`. */
  path: string
  method?: string
  /** Only token requests of this grant type. */
  grant?: string
  /** Let this many matching requests pass first. */
  skip?: number
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
  body?: FaultBody
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
  /** Leave `iss` out, as servers without RFC 9207 do. */
  omitIssuer: boolean
  accessTokenLifetimeSeconds: number | undefined
  /** Refresh tokens stay the same and may be used again. */
  rotationOff: boolean
  /** Answer this many refreshes with invalid_grant. */
  failNextRefreshes: number
  /** Accept code_challenge_method plain, which is off as it should be. */
  allowPlainChallenge: boolean
  /** Answer every write of a link map with 412, as if somebody else had changed it. */
  linkMapConflict: boolean
  /** Cut the popup off from its opener (Cross-Origin-Opener-Policy). */
  severPopups: boolean
  /** What /oauth/close posts to the opener. */
  closeMessage: 'string' | 'type' | 'name' | 'message' | 'nothing'
  /** Changes a token answer on its way out; not available over HTTP. */
  editTokenAnswer: ((answer: Record<string, unknown>) => Record<string, unknown>) | undefined
}

export interface Faults extends FaultSwitches {
  /** Returns the removal of this rule. */
  add(rule: FaultRule): () => void
  /** Removes all rules and puts all switches back. */
  clear(): void
  /** Takes the next matching rule of a stage and counts the strike. */
  take(
    stage: 'before' | 'after',
    request: { method: string; path: string; grant: string | undefined },
  ): FaultRule[]
  /** How many rules are waiting. */
  pending(): number
}

const defaultSwitches = (): FaultSwitches => ({
  latencyMs: 0,
  refuseFraming: 'no',
  dropWebMessage: false,
  wrongState: false,
  wrongIssuer: false,
  omitIssuer: false,
  accessTokenLifetimeSeconds: undefined,
  rotationOff: false,
  failNextRefreshes: 0,
  allowPlainChallenge: false,
  linkMapConflict: false,
  severPopups: false,
  closeMessage: 'string',
  editTokenAnswer: undefined,
})

export function createFaults(): Faults {
  let rules: FaultRule[] = []

  const faults: Faults = {
    ...defaultSwitches(),
    add(rule) {
      const own = { ...rule }
      rules.push(own)
      return () => {
        rules = rules.filter((other) => other !== own)
      }
    },
    clear() {
      rules = []
      Object.assign(faults, defaultSwitches())
    },
    take(stage, request) {
      const striking: FaultRule[] = []
      for (const rule of rules) {
        if ((rule.stage ?? 'before') !== stage || !matches(rule, request)) continue
        if ((rule.skip ?? 0) > 0) {
          rule.skip = (rule.skip ?? 0) - 1
          continue
        }
        if (rule.times !== undefined) rule.times -= 1
        striking.push(rule)
      }
      rules = rules.filter((rule) => rule.times === undefined || rule.times > 0)
      return striking
    },
    pending: () => rules.length,
  }
  return faults
}

function matches(
  rule: FaultRule,
  { method, path, grant }: { method: string; path: string; grant: string | undefined },
) {
  const isPath = rule.path.endsWith('*') ? path.startsWith(rule.path.slice(0, -1)) : path === rule.path
  return isPath && (rule.method ?? method) === method && (rule.grant ?? grant) === grant
}
