// Makes calls through the leading tab and waits for its responses, but not for ever.
import type { Platform } from '../session/platform/platform.ts'
import { RealtimeFault } from '../protocol/realtimeTransport.ts'
import type { RelayedCall, RelayedMessage } from '../protocol/realtimeTransport.ts'

/** What a tab asks of the connection. */
export type Call = Pick<RelayedCall, 'method' | 'channel' | 'body'>
type Response = Pick<Extract<RelayedMessage, { kind: 'answer' }>, 'value' | 'fault'>

export type LeaderCalls = ReturnType<typeof createLeaderCalls>

export interface LeaderCallsOptions {
  readonly setTimer: Platform['setTimer']
  readonly post: (id: number, call: Call) => void
  /** The leader did not respond. */
  readonly onTimeout: () => void
}

/** A call through the leader is given up after this long. */
const CALL_MS = 20_000

export function createLeaderCalls({ setTimer, post, onTimeout }: LeaderCallsOptions) {
  const waiting = new Map<number, (response: Response) => void>()
  let count = 0

  return {
    /** @throws RealtimeFault what the leader reports, `timeout`, or `closed` */
    make: (call: Call) =>
      new Promise<readonly string[] | undefined>((resolve, reject) => {
        count += 1
        const id = count
        const finish = ({ value, fault }: Response) => {
          waiting.delete(id)
          cancel()
          if (fault) reject(new RealtimeFault(fault, 'The leading tab could not do it'))
          else resolve(value)
        }
        const cancel = setTimer(() => {
          finish({ fault: 'timeout' })
          onTimeout()
        }, CALL_MS)
        waiting.set(id, finish)
        post(id, call)
      }),
    settle: (id: number, response: Response) => waiting.get(id)?.(response),
    close() {
      for (const finish of waiting.values()) finish({ fault: 'closed' })
    },
  }
}
