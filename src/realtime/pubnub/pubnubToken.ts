// Asks the app for the access token of the messaging service, in time, and again before it expires.
import type { NamedTimers } from '../../base/namedTimers.ts'
import { within } from '../../base/within.ts'
import { renewalDelayMs, type Sdk } from './pubnubSdk.ts'
import { RealtimeFault, type ServicePorts } from '../../protocol/realtimeTransport.ts'

type GetToken = () => Promise<string>

export type PubnubToken = ReturnType<typeof createPubnubToken>

export interface PubnubTokenOptions {
  /** Absent: the service wants none. */
  readonly getToken: GetToken | undefined
  readonly timers: NamedTimers<'token'>
  readonly ports: Pick<ServicePorts, 'now' | 'setTimer'>
  /** How long to wait after so many renewals that failed in a row. */
  readonly backOffMs: (failureCount: number) => number
}

const TOKEN_WAIT_MS = 15_000

export function createPubnubToken({ getToken, timers, ports, backOffMs }: PubnubTokenOptions) {
  let client: Sdk | undefined
  let value: string | undefined
  let failureCount = 0

  function give(): void {
    if (!client || value === undefined) return
    client.setToken(value)
    const delayMs = renewalDelayMs(client, value, ports.now())
    if (delayMs !== undefined) timers.start('token', delayMs, renew)
  }
  /** @throws RealtimeFault `timeout` after 15 seconds, `denied` for anything but a text, and what the app's function throws */
  async function fetch(): Promise<void> {
    if (!getToken) return
    value = await askForToken(getToken, ports.setTimer)
    failureCount = 0
    give()
  }
  /** A failure here is not the end: the old token still works, and after a refusal the app is asked again. */
  const renew = () => void fetch().catch(() => timers.start('token', backOffMs(failureCount++), renew))

  return {
    get value() {
      return value
    },
    /** Which client needs the token, now and after each renewal. */
    giveTo(next: Sdk | undefined) {
      client = next
      give()
    },
    fetch,
  }
}

async function askForToken(getToken: GetToken, setTimer: ServicePorts['setTimer']): Promise<string> {
  const token: unknown = await within({ setTimer }, TOKEN_WAIT_MS, getToken)
  if (token === 'late') throw new RealtimeFault('timeout', 'No access token in time')
  if (typeof token !== 'string' || token === '') throw new RealtimeFault('denied', 'No access token')
  return token
}
