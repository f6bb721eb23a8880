// Reads a status from the server, never an answer that was already on its way, and goes on for a while when told to.
import type { QueryClient } from '@tanstack/react-query'
import { POPUP_LIMIT_MS } from '../constants.ts'
import type { Platform } from '../session/platform.ts'
import type { AuthQuery } from './types.ts'

const FIRST_WAIT_MS = 2_000

const queryOf = <Data>(client: QueryClient, status: AuthQuery<Data>) =>
  client.getQueryCache().build(client, client.defaultQueryOptions(status as never))

/** What was so before something is done about it: known, on its way already, or asked for now. */
export async function readBefore<Data>(client: QueryClient, status: AuthQuery<Data>): Promise<Data> {
  const query = queryOf(client, status)
  return (query.state.data ?? query.fetch()) as Data | Promise<Data>
}

/** The server's answer to a request that is sent after this call. */
export async function readNow<Data>(client: QueryClient, status: AuthQuery<Data>): Promise<Data> {
  const query = queryOf(client, status)
  // A first read cannot be replaced by another: it is waited for, whatever it brings.
  if (query.state.data === undefined && query.state.fetchStatus === 'fetching') {
    await query.promise?.catch(() => {})
  }
  return query.fetch(undefined, { cancelRefetch: true }) as Promise<Data>
}

/**
 * A window that its opener policy cut off goes on without us: what it brings about shows when the user comes back, and
 * at growing intervals until the popup's limit.
 */
export function keepReading<Data>(options: {
  client: QueryClient
  platform: Pick<Platform, 'now' | 'on' | 'setTimer'>
  status: AuthQuery<Data>
  openedAtMs: number
  isWanted(): boolean
}): void {
  const { client, platform, status, openedAtMs, isWanted } = options
  let cancelTimer = () => {}
  const stop = () => {
    cancelTimer()
    for (const remove of removals) remove()
  }
  const read = () => {
    if (!isWanted() || platform.now() - openedAtMs >= POPUP_LIMIT_MS) stop()
    else void client.invalidateQueries({ queryKey: status.queryKey, exact: true })
  }
  const removals = [platform.on('focus', read), platform.on('visible', read)]
  const readLater = (waitMs: number) => {
    cancelTimer = platform.setTimer(() => {
      readLater(waitMs * 2)
      read()
    }, waitMs)
  }
  readLater(FIRST_WAIT_MS)
}
