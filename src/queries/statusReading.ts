// Reads the status that a popup changes. 404 counts as a status; a response to an earlier request does not.
import type { QueryClient } from '@tanstack/react-query'
import { AuthError } from '../base/errors.ts'
import type { AuthQuery } from './defaults.ts'

const queryOf = <Data>(client: QueryClient, status: AuthQuery<Data>) =>
  client.getQueryCache().build(client, client.defaultQueryOptions(status as never))

/** The status at the server; no `data` after a 404, which means no link or no consent. */
export interface StatusNow<Data> {
  readonly data: Data | undefined
}

/** Returns the status before the popup: from the cache, from a read in progress, or from a new read. */
export async function readBefore<Data>(
  client: QueryClient,
  status: AuthQuery<Data>,
): Promise<StatusNow<Data>> {
  const query = queryOf(client, status)
  if (query.state.data !== undefined) return { data: query.state.data as Data }
  return orNothing(query.fetch() as Promise<Data>)
}

/** Returns the response to a request that is sent after this call. */
export async function readNow<Data>(client: QueryClient, status: AuthQuery<Data>): Promise<StatusNow<Data>> {
  const query = queryOf(client, status)
  // TanStack Query cannot cancel a first read in favour of another: wait for it and ignore its result.
  if (query.state.data === undefined && query.state.fetchStatus === 'fetching') {
    await query.promise?.catch(() => {})
  }
  const now = await orNothing(query.fetch(undefined, { cancelRefetch: true }) as Promise<Data>)
  // Remove the data of a deleted status: a failed read keeps the former data otherwise.
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
