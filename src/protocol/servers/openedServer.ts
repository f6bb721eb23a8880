// An OpenID Connect provider in one page: its metadata is fetched once and kept for the visit, and a wrong clock is found out (contract §11).
import { AuthError } from '../../errors.ts'
import { parseJson, recordOf } from '../../json.ts'
import { within } from '../../within.ts'
import { metadataKey } from '../storageKeys.ts'
import type { OpenedServer, Server, ServerClient, ServerPorts, ServerProfile, ServerTime } from './profile.ts'

/** Metadata kept in session storage is used this long. */
const METADATA_LIFETIME_MS = 3_600_000
const OWN_ORIGIN_WAIT_MS = 5_000

/** Opens the server of a profile; with metadata given by hand nothing is ever fetched. */
export function openServer(
  { id, discovery, connect }: Pick<ServerProfile, 'id' | 'discovery' | 'connect'>,
  client: ServerClient,
  ports: ServerPorts,
): OpenedServer {
  const { now, sessionStorage, send } = ports
  const key = metadataKey({ authHost: id, clientId: client.clientId })
  const connected = (document?: unknown): Server => withRightTime(connect(client, document), ports)
  let server = discovery ? undefined : connected()
  let connecting: Promise<Server> | undefined

  const adopt = (document: unknown) => {
    server = connected(document)
    if (discovery) sessionStorage.set(key, JSON.stringify({ document: server.document, atMs: now() }))
    return server
  }
  const readKept = () => {
    const { document, atMs } = recordOf(parseJson(sessionStorage.get(key)))
    const ageMs = now() - Number(atMs)
    if (!(ageMs >= 0 && ageMs < METADATA_LIFETIME_MS)) return undefined
    try {
      return connected(document)
    } catch {
      // Another script has been at it: fetched anew.
      return undefined
    }
  }
  const fetchIt = async () => {
    server = readKept() ?? adopt(await send(discovery!))
    return server
  }

  return {
    known: () => server,
    async get() {
      if (server) return server
      connecting ??= fetchIt().finally(() => {
        connecting = undefined
      })
      return connecting
    },
    restore: (handed, document) => (server ?? adopt(document)).restore(handed),
  }
}

/** Where a token and the device disagree about the time, the app's own server is asked for it. */
function withRightTime(server: Server, ports: ServerPorts): Server {
  return {
    ...server,
    readTokens: (answer, context) =>
      server.readTokens(answer, context).catch(async (error: unknown) => {
        if (!(error instanceof AuthError && error.code === 'clock-skew')) throw error
        return server.readTokens(answer, { ...context, time: await askOwnOrigin(ports) })
      }),
  }
}

/** The header `Date` of the page's own origin; without one, the device's clock with the mark that nobody knows better. */
async function askOwnOrigin({ address, fetch, now, setTimer }: ServerPorts): Promise<ServerTime> {
  const ask = async () => {
    const url = `${new URL(address()).origin}/`
    const { headers } = await fetch(url, { method: 'HEAD', cache: 'no-store', credentials: 'omit' })
    return Date.parse(headers.get('date') ?? '')
  }
  const nowMs = await within({ setTimer }, OWN_ORIGIN_WAIT_MS, ask).catch(() => Number.NaN)
  return typeof nowMs === 'number' && Number.isFinite(nowMs)
    ? { nowMs, source: 'origin' }
    : { nowMs: now(), source: 'none' }
}
