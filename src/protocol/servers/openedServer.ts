// Opens an OpenID Connect provider: fetches its metadata once and stores it in the tab.
import { METADATA_LIFETIME_MS } from '../../base/constants.ts'
import { parseJson, recordOf } from '../../base/json.ts'
import { loadFile } from '../loadFile.ts'
import { metadataKey } from '../storageKeys.ts'
import { createHints } from './hints.ts'
import type { Metadata } from './metadata.ts'
import type { OidcProfile, OidcTokens } from './oidcProfile.ts'
import { oidcServer, pushEndpointOf } from './oidcServer.ts'
import { oidcTokens } from './oidcTokens.ts'
import type { OpenedServer, Probe, Server, ServerClient, ServerPorts } from './profile.ts'
import { createSilence } from './muteSignInPage.ts'

/** Binds the tokens of a provider to a key of this page. */
export type Bind = (tokens: OidcTokens, metadata: Metadata) => OidcTokens

/** @param loadBinding loads the file for DPoP; the server is not known before */
export function openServer(
  { id, settings, discovery, readMetadata }: OidcProfile,
  client: ServerClient,
  ports: ServerPorts,
  loadBinding?: () => Promise<Bind>,
): OpenedServer {
  const { now, sessionStorage, send } = ports
  const { clientId, autoLogin } = client
  const key = metadataKey({ authHost: id, clientId })
  const hints = createHints(settings, ports, key)
  const silence = createSilence({ authHost: id, clientId, autoLogin }, ports)
  let bind: Bind = (tokens) => tokens
  let isBound = !loadBinding
  const keep = (members: object) =>
    sessionStorage.set(key, JSON.stringify({ ...recordOf(parseJson(sessionStorage.get(key))), ...members }))
  const use = (metadata: Metadata) => {
    const tokens = bind(oidcTokens(metadata, settings, client), metadata)
    // Without a discovery URL, no URL of the provider is known to be readable without a token.
    const probe: Probe = discovery
      ? { url: discovery.url, cors: 'sure' }
      : { url: metadata.token_endpoint, cors: 'none' }
    const server = oidcServer({
      metadata,
      settings,
      client,
      ports,
      tokens,
      hints,
      silence,
      probe,
      readAlgorithms:
        discovery &&
        (async () => {
          const document = readMetadata(await send(discovery))
          keep({ document, atMs: now() })
          return document.id_token_signing_alg_values_supported ?? ['RS256']
        }),
      // The early script cannot make proofs.
      keepSilentRequest: discovery && !loadBinding ? (silent) => void keep({ silent }) : undefined,
    })
    return { tokens, server }
  }
  let known = discovery || loadBinding ? undefined : use(readMetadata())
  let connecting: Promise<Server> | undefined

  const adopt = (document: unknown) => {
    const metadata = readMetadata(document, (name) =>
      ports.tell?.(`The provider's metadata: no usable ${name}. It counts as absent.`),
    )
    const next = use(metadata)
    if (discovery) keep({ document: metadata, atMs: now(), silent: undefined })
    // Before the binding is loaded, it can parse an offer but send nothing.
    if (isBound) known = next
    return next
  }
  const readStored = () => {
    const { document, atMs } = recordOf(parseJson(sessionStorage.get(key)))
    const ageMs = now() - Number(atMs)
    if (!(ageMs >= 0 && ageMs < METADATA_LIFETIME_MS)) return undefined
    try {
      const metadata = readMetadata(document)
      pushEndpointOf(metadata, settings)
      return metadata
    } catch {
      // Changed by another script, or not usable for this app: fetch it again, because the provider may have changed.
      return undefined
    }
  }
  const loadBind = async () => {
    if (isBound) return
    bind = await loadFile(ports, loadBinding!)
    isBound = true
  }
  const connect = async () => {
    const stored = discovery && readStored()
    const [document] = await Promise.all([stored ?? (discovery && send(discovery)), loadBind()])
    // Unless an offer of another tab has brought the metadata meanwhile. Stored metadata keeps its age.
    known ??= stored ? use(stored) : adopt(document)
    return known.server
  }
  const get = async () => {
    if (known) return known.server
    connecting ??= connect().finally(() => {
      connecting = undefined
    })
    return connecting
  }

  return {
    known: () => known?.server,
    get,
    restore(value) {
      const { memory } = recordOf(value)
      const { tokens } = known ?? adopt(parseJson(recordOf(memory)['document'] as string))
      return tokens.restore(value)
    },
    takeKey: loadBinding && (async (memory, pair) => (await get()).binding?.takeKey(memory, pair)),
  }
}
