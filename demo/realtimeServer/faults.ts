// Switches that make the development server misbehave on purpose, so that tests can watch a client recover.

export type Operation = 'subscribe' | 'publish' | 'heartbeat' | 'leave' | 'here-now' | 'time' | 'unknown'

export type FaultKind =
  /** Close the connection without an answer. */
  | 'drop'
  /** The same with a TCP reset. */
  | 'reset'
  /** Do the work, then close without an answer. */
  | 'lost-answer'
  /** Answer `status`, with `Retry-After` when `retryAfterSeconds` is given. */
  | 'status'
  /** Status 200 with a web page in place of the answer. */
  | 'html'
  /** Stop in the middle of the answer. */
  | 'truncated'
  /** A valid JSON answer that lacks its members. */
  | 'malformed'
  /** Answer after `delayMs`. */
  | 'delay'
  /** Never answer: a half-open connection. */
  | 'hang'
  /** Deliver every message twice. */
  | 'duplicate'
  /** Deliver messages in reverse order. */
  | 'reorder'

export interface Fault {
  kind: FaultKind
  on: Operation | 'any'
  status?: number
  retryAfterSeconds?: number
  delayMs?: number
  /** How many requests it hits; default: until removed. */
  times?: number
  /** Also hits the polls that are being held at this moment. */
  running?: boolean
}

export function createFaults(onRunning: (fault: Fault) => number) {
  let active: { fault: Fault; left: number }[] = []
  return {
    add(fault: Fault): void {
      const struck = fault.running ? onRunning(fault) : 0
      active.push({ fault, left: (fault.times ?? Number.POSITIVE_INFINITY) - struck })
    },
    clear(): void {
      active = []
    },
    /** The fault that hits this request, counted. */
    take(operation: Operation): Fault | undefined {
      const entry = active.find(({ fault, left }) => left > 0 && ['any', operation].includes(fault.on))
      if (entry) entry.left -= 1
      return entry?.fault
    },
  }
}
