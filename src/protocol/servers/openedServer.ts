// Opens an OpenID Connect provider: fetches its metadata once, and stores it for the hidden frame of the next visit.
import { METADATA_LIFETIME_MS, REMEMBERED_METADATA_LIFETIME_MS } from '../../base/constants.ts'
import { parseJson, readable, recordOf } from '../../base/json.ts'
import { loadFile } from '../loadFile.ts'
import { hintsKey, metadataKey } from '../storageKeys.ts'
import { createHints } from './hints.ts'
import { NO_HINT, NO_KEY, type Remembered } from './frameOfNextPage.ts'
import type { Metadata } from './metadata.ts'
import { createSilence } from './muteSignInPage.ts'
import type { OidcProfile } from './oidcOptions.ts'
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
  const { clientId, autoLogin } = client
  const names = { authHost: id, clientId }
  const key = metadataKey(names)
  const hints = createHints(settings, ports, hintsKey(names))
  const silence = createSilence({ ...names, autoLogin }, ports)
  let bind: Bind = (tokens) => tokens
  let isBound = !loadBinding
  const keep = (document: Metadata, frameUrl?: string) => {
    const text = JSON.stringify({ document, atMs: now(), frameUrl } satisfies Remembered)
    for (const storage of [sessionStorage, localStorage]) storage.set(key, text)
  }
  const readAlgorithms =
    discovery &&
    (async () => {
      const document = readMetadata(await send(discovery))
      keep(document)
      return document.id_token_signing_alg_values_supported ?? ['RS256']
    })
  const use = (metadata: Metadata) => {
    const provider = { metadata, settings, client }
    const tokens = bind(oidcTokens(provider), metadata)
    const parts = { ports, hints, silence, discovery, readAlgorithms }
    return { metadata, tokens, server: oidcServer(provider, tokens, parts) }
  }
  let known = discovery || loadBinding ? undefined : use(readMetadata())
  let offered: Metadata | undefined
  let connecting: Promise<Server> | undefined

  const adopt = (document: unknown) => {
    const metadata = readMetadata(document, (name) =>
      ports.tell?.(`The provider's metadata: no usable ${name}. It counts as absent.`),
    )
    const next = use(metadata)
    // Before the binding is loaded, it can only parse an offer.
    if (isBound) known = next
    else offered = metadata
    return next
  }
  const readKept = (storage: { get(name: string): string | undefined }, lifetimeMs: number) => {
    const { document, atMs } = recordOf(parseJson(storage.get(key)))
    const ageMs = now() - Number(atMs)
    if (!(ageMs >= 0 && ageMs < lifetimeMs)) return undefined
    // Unusable: another script has changed it, or the provider may have changed. Fetch it again.
    return readable(() => {
      const metadata = readMetadata(document)
      pushEndpointOf(metadata, settings)
      return metadata
    })
  }
  const loadBind = async () => {
    if (isBound) return
    bind = await loadFile(ports, loadBinding!)
    isBound = true
  }
  const connect = async (isReturn: boolean | undefined) => {
    const kept = offered ?? (isReturn && discovery && readKept(sessionStorage, METADATA_LIFETIME_MS))
    const [document] = await Promise.all([kept || (discovery && send(discovery)), loadBind()])
    // Another tab's offer may have brought the metadata meanwhile.
    known ??= adopt(document)
    if (discovery && !kept) {
      const { metadata, server } = known
      // The early script can neither make proofs nor push a request. It adds the user's hint itself.
      const { silentCheck } = server
      const isEarly = ports.early && silentCheck && !loadBinding && !server.push
      const redirectUri = silentCheck?.redirectUri ?? ports.redirectUri()
      const request = { key: NO_KEY, redirectUri, isSilent: true, parameters: NO_HINT }
      keep(metadata, isEarly ? server.authorizeUrl(request) : undefined)
    }
    return known.server
  }
  const get = async (isReturn?: boolean) => {
    if (known) return known.server
    connecting ??= connect(isReturn).finally(() => {
      connecting = undefined
    })
    return connecting
  }

  return {
    known: () => known?.server,
    get,
    remembered() {
      // No proof and no pushed request goes to an unconfirmed server.
      const metadata =
        known || !discovery || loadBinding
          ? undefined
          : readKept(localStorage, REMEMBERED_METADATA_LIFETIME_MS)
      const server = metadata && use(metadata).server
      return server?.push ? undefined : server
    },
    restore(value) {
      const { memory } = recordOf(value)
      const { tokens } = known ?? adopt(parseJson(recordOf(memory)['document'] as string))
      return tokens.restore(value)
    },
    takeKey: loadBinding && (async (memory, pair) => (await get()).binding?.takeKey(memory, pair)),
  }
}
