// Switches that make the development server misbehave on purpose, so that tests can watch a client recover.

export type Operation =
  | 'subscribe'
  | 'publish'
  | 'signal'
  | 'heartbeat'
  | 'leave'
  | 'here-now'
  | 'where-now'
  | 'state'
  | 'time'
  | 'unknown'

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
  /** The same, but the connection stays open. */
  | 'stalled'
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

export interface Faults {
  /** Adds a fault and returns the function that takes it away. */
  add(fault: Fault): () => void
  clear(): void
}

export function createFaults(onRunning: (fault: Fault) => number) {
  const active: { fault: Fault; left: number }[] = []
  const remove = (entry: { fault: Fault; left: number }) => {
    const index = active.indexOf(entry)
    if (index !== -1) active.splice(index, 1)
  }
  return {
    add(fault: Fault): () => void {
      const struck = fault.running ? onRunning(fault) : 0
      const entry = { fault, left: (fault.times ?? Number.POSITIVE_INFINITY) - struck }
      if (entry.left > 0) active.push(entry)
      return () => remove(entry)
    },
    clear(): void {
      active.length = 0
    },
    /** The fault that hits this request, counted. */
    take(operation: Operation): Fault | undefined {
      const entry = active.find(({ fault }) => fault.on === 'any' || fault.on === operation)
      if (!entry) return undefined
      entry.left -= 1
      if (entry.left <= 0) remove(entry)
      return entry.fault
    },
  }
}
