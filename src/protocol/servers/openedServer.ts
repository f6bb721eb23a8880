// Opens an OpenID Connect provider: fetches its metadata once, and stores it for the hidden frame of the next visit.
import { METADATA_LIFETIME_MS, REMEMBERED_METADATA_LIFETIME_MS } from '../../base/constants.ts'
import { parseJson, readable, recordOf } from '../../base/json.ts'
import { loadFile } from '../loadFile.ts'
import { metadataKey } from '../storageKeys.ts'
import { NO_HINT, NO_KEY, type Remembered } from './frameOfNextPage.ts'
import type { Metadata } from './metadata.ts'
import type { KnownProvider, OidcProfile } from './oidcOptions.ts'
import { oidcServer, pushEndpointOf } from './oidcServer.ts'
import { type OidcTokens, oidcTokens } from './oidcTokens.ts'
import type { OpenedServer, Server, ServerClient, ServerPorts } from './profile.ts'

/** Binds the tokens of a provider to a key of this page. */
type Bind = (tokens: OidcTokens, metadata: Metadata) => OidcTokens

/** @param loadBinding loads the file for DPoP */
export function openServer(
  { id, settings, discovery, readMetadata }: OidcProfile,
  client: ServerClient,
  ports: ServerPorts,
  loadBinding?: () => Promise<Bind>,
): OpenedServer {
  const { now, sessionStorage, localStorage, send } = ports
  const key = metadataKey({ ...client, authHost: id })
  const keep = (document: Metadata, frameUrl?: string) => {
    const text = JSON.stringify({ document, atMs: now(), frameUrl } satisfies Remembered)
    for (const storage of [sessionStorage, localStorage]) storage.set(key, text)
  }
  let newest: Metadata | undefined
  const isKnownByNow: KnownProvider['isKnownByNow'] =
    discovery &&
    (async (isKnown) => {
      if (newest && isKnown(newest)) return true
      newest = readMetadata(await send(discovery))
      keep(newest)
      return isKnown(newest)
    })
  const connect = (metadata: Metadata, bind: Bind) => {
    const provider = { metadata, settings, client, discovery, isKnownByNow }
    return oidcServer(provider, bind(oidcTokens(provider), metadata), ports)
  }
  /** `undefined` until its file is loaded: until then, an offer of another tab can only be parsed. */
  let bind: Bind | undefined = loadBinding ? undefined : (tokens) => tokens
  let metadata = discovery ? undefined : readMetadata()
  let server = metadata && bind && connect(metadata, bind)
  let connecting: Promise<Server> | undefined

  const readDocument = (document: unknown) =>
    readMetadata(document, (name) =>
      ports.tell?.(`The provider's metadata: no usable ${name}. It counts as absent.`),
    )
  const readKept = (storage: { get(name: string): string | undefined }, lifetimeMs: number) => {
    const { document, atMs } = recordOf(parseJson(storage.get(key)))
    const ageMs = now() - Number(atMs)
    if (!(ageMs >= 0 && ageMs < lifetimeMs)) return undefined
    // Unusable: another script has changed it, or the provider may have changed. Fetch it again.
    return readable(() => {
      const kept = readMetadata(document)
      pushEndpointOf(kept, settings)
      return kept
    })
  }
  const loadBind = async () => {
    bind ??= await loadFile(ports, loadBinding!)
  }
  const open = async (isReturn: boolean | undefined) => {
    const kept = metadata ?? (isReturn ? readKept(sessionStorage, METADATA_LIFETIME_MS) : undefined)
    const [document] = await Promise.all([kept ?? send(discovery!), loadBind()])
    // Another tab's offer may have brought the metadata meanwhile.
    const found = metadata ?? kept ?? readDocument(document)
    server ??= connect(found, bind!)
    metadata = found
    if (!kept) {
      // The early script can neither make proofs nor push a request. It adds the user's hint itself.
      const { silentCheck } = server
      const isEarly = ports.early && silentCheck && !loadBinding && !server.push
      const redirectUri = silentCheck?.redirectUri ?? ports.redirectUri()
      const request = { key: NO_KEY, redirectUri, isSilent: true, parameters: NO_HINT }
      keep(found, isEarly ? server.authorizeUrl(request) : undefined)
    }
    return server
  }
  const get = async (isReturn?: boolean) => {
    if (server) return server
    connecting ??= open(isReturn).finally(() => {
      connecting = undefined
    })
    return connecting
  }

  return {
    known: () => server,
    get,
    remembered() {
      // No proof and no pushed request goes to an unconfirmed server.
      if (server || !discovery || loadBinding || !bind) return undefined
      const kept = readKept(localStorage, REMEMBERED_METADATA_LIFETIME_MS)
      const former = kept && connect(kept, bind)
      return former?.push ? undefined : former
    },
    restore(value) {
      const { memory } = recordOf(value)
      const offered = metadata ?? readDocument(parseJson(recordOf(memory)['document'] as string))
      if (bind) server ??= connect(offered, bind)
      metadata = offered
      return oidcTokens({ metadata, settings, client }).restore(value)
    },
    takeKey: loadBinding && (async (memory, pair) => (await get()).binding?.takeKey(memory, pair)),
  }
}
