// Reads the status that a popup changes: 404 is a status too, and an answer that was already on its way is none.
import type { QueryClient } from '@tanstack/react-query'
import { POPUP_LIMIT_MS } from '../constants.ts'
import { AuthError } from '../errors.ts'
import type { Platform } from '../session/platform/platform.ts'
import type { AuthQuery } from './types.ts'

const FIRST_WAIT_MS = 2_000

const queryOf = <Data>(client: QueryClient, status: AuthQuery<Data>) =>
  client.getQueryCache().build(client, client.defaultQueryOptions(status as never))

/** What the server says; no `data` where it says 404: nothing is linked, nobody has consented. */
export interface StatusNow<Data> {
  readonly data: Data | undefined
}

/** What was so before something is done about it: known, on its way already, or asked for now. */
export async function readBefore<Data>(
  client: QueryClient,
  status: AuthQuery<Data>,
): Promise<StatusNow<Data>> {
  const query = queryOf(client, status)
  if (query.state.data !== undefined) return { data: query.state.data as Data }
  return orNothing(query.fetch() as Promise<Data>)
}

/** The server's answer to a request that is sent after this call. */
export async function readNow<Data>(client: QueryClient, status: AuthQuery<Data>): Promise<StatusNow<Data>> {
  const query = queryOf(client, status)
  // A first read cannot be replaced by another: it is waited for, whatever it brings.
  if (query.state.data === undefined && query.state.fetchStatus === 'fetching') {
    await query.promise?.catch(() => {})
  }
  const now = await orNothing(query.fetch(undefined, { cancelRefetch: true }) as Promise<Data>)
  // What is not there any more must not stay in sight: a read that fails keeps its former data otherwise.
  if (now.data === undefined) query.setState({ ...query.state, data: undefined })
  return now
}

async function orNothing<Data>(reading: Promise<Data>): Promise<StatusNow<Data>> {
  try {
    return { data: await reading }
  } catch (error) {
    if (error instanceof AuthError && error.status === 404) return { data: undefined }
    throw error
  }
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
