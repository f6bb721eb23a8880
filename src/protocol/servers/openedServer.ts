// An OpenID Connect provider in one page: its metadata is fetched once and kept for the visit, and a wrong clock is found out.
import { METADATA_LIFETIME_MS } from '../../constants.ts'
import { AuthError, timedOut } from '../../errors.ts'
import { numberOf, parseJson, recordOf, textsOf } from '../../json.ts'
import { FILE_WAIT_MS, OWN_ORIGIN_WAIT_MS } from '../../sessionConstants.ts'
import { within } from '../../within.ts'
import type { Credentials, Received } from '../credentials.ts'
import { asAuthError } from '../signIn.ts'
import { metadataKey } from '../storageKeys.ts'
import { noLogoutPage, noUserInfo } from './oidcErrors.ts'
import { createSilence, type Silence } from './silence.ts'
import { silentRequest } from './silentRequest.ts'
import type {
  GrantedTokens,
  IdTokenCheck,
  OidcProfile,
  OidcServer,
  ServerTime,
  TokenUse,
} from './oidcProfile.ts'
import type { Hints, OpenedServer, Server, ServerClient, ServerPorts, WireRequest } from './profile.ts'

/** The step of `explain()` that says which checks an ID token has passed; the devtools read it. */
const ID_TOKEN = 'ID token'
/** Longest wait for the provider to take the tokens back. */
const REVOCATION_WAIT_MS = 2_000

/** Adds to a provider what only some apps want of it. */
export type Extend = (on: OidcServer) => OidcServer

/**
 * Opens the server of a profile; with metadata given by hand nothing is ever fetched.
 *
 * @param loadExtension is waited for before the server is known
 */
export function openServer(
  { id, discovery, connect }: Pick<OidcProfile, 'id' | 'discovery' | 'connect'>,
  client: ServerClient,
  ports: ServerPorts,
  loadExtension?: () => Promise<Extend>,
): OpenedServer {
  const { now, sessionStorage, send } = ports
  const key = metadataKey({ authHost: id, clientId: client.clientId })
  const silence = createSilence(
    { authHost: id, clientId: client.clientId, autoLogin: client.autoLogin },
    ports,
  )
  let extend: Extend = (on) => on
  let isExtended = !loadExtension
  const keep = (members: object) =>
    sessionStorage.set(key, JSON.stringify({ ...recordOf(parseJson(sessionStorage.get(key))), ...members }))
  // Proofs, and requests announced first, are made with calls that the first script of a page does not make.
  const remembering = (on: OidcServer, hints: HintMemory) =>
    discovery && !loadExtension && !on.pushRequest
      ? (redirectUri: string) => void keep({ silent: silentRequest(on, redirectUri, hints.read()) })
      : undefined
  /** The algorithms of ID tokens, by metadata that is fetched now, and kept for the next page. */
  const readAnew =
    discovery &&
    (async () => {
      const { document } = connect(client, await send(discovery))
      keep({ document, atMs: now() })
      return textsOf(document['id_token_signing_alg_values_supported'] ?? ['RS256'])
    })
  const use = (document?: unknown) => {
    const on = extend(withDocument(connect(client, document)))
    const hints = hintMemory(on, ports, key)
    // Metadata given by hand tell of no address that a page can read without a token.
    const probe = discovery
      ? ({ url: discovery.url, cors: 'sure' } as const)
      : ({ url: on.tokenUrl, cors: 'none' } as const)
    return {
      on,
      hints,
      server: {
        ...inPage(on, ports, hints, silence, readAnew),
        probe,
        rememberSilentCheck: remembering(on, hints),
      },
    }
  }
  let known = discovery || loadExtension ? undefined : use()
  let connecting: Promise<Server> | undefined

  const adopt = (document: unknown) => {
    const next = use(document)
    if (discovery) keep({ document: next.on.document, atMs: now(), silent: undefined })
    // Until then it is only good for reading.
    if (isExtended) known = next
    return next
  }
  const readKept = () => {
    const { document, atMs } = recordOf(parseJson(sessionStorage.get(key)))
    const ageMs = now() - Number(atMs)
    if (!(ageMs >= 0 && ageMs < METADATA_LIFETIME_MS)) return undefined
    try {
      return connect(client, document).document
    } catch {
      // Another script has been at it: fetched anew.
      return undefined
    }
  }
  const loadIt = async () => {
    if (isExtended) return
    const loaded = await within(ports, FILE_WAIT_MS, loadExtension!).catch((error: unknown) => {
      throw asAuthError(error)
    })
    if (loaded === 'late') throw timedOut('A file of latchkey')
    extend = loaded
    isExtended = true
  }
  const fetchIt = async () => {
    const kept = discovery && readKept()
    const [document] = await Promise.all([kept ?? (discovery && send(discovery)), loadIt()])
    // A session of another tab may have brought them meanwhile, and its key. One that was kept keeps its age.
    known ??= kept ? use(kept) : adopt(document)
    return known.server
  }
  const get = async () => {
    if (known) return known.server
    connecting ??= fetchIt().finally(() => {
      connecting = undefined
    })
    return connecting
  }

  return {
    known: () => known?.server,
    get,
    restore(handed) {
      const { memory } = recordOf(handed)
      const { on } = known ?? adopt(parseJson(recordOf(memory)['document'] as string))
      return on.restore(handed)
    },
    takeKey: loadExtension && (async (memory, pair) => (await get()).binding?.takeKey(memory, pair)),
  }
}

/** The metadata goes with the tokens to the other tabs, which may have none. */
function withDocument(on: OidcServer): OidcServer {
  const document = JSON.stringify(on.document)
  const add = <Some extends Credentials>(held: Some): Some => ({
    ...held,
    memory: { ...held.memory, document },
  })
  return {
    ...on,
    readTokens: async (answer, context) => add(await on.readTokens(answer, context)),
    restore: (handed) => add(on.restore(handed)),
  }
}

/** What this tab remembers of its user after a reload: what the user goes by, no secret. It goes with the session. */
function hintMemory({ hintsOf }: OidcServer, { sessionStorage }: ServerPorts, key: string) {
  const readEntry = () => recordOf(parseJson(sessionStorage.get(key)))
  const write = (hints: Hints | undefined) => {
    const entry = readEntry()
    if (JSON.stringify(entry['hints']) === JSON.stringify(hints)) return
    // How this page asked silently was of the user before.
    sessionStorage.set(key, JSON.stringify({ ...entry, silent: undefined, hints }))
  }
  return {
    read(): Hints | undefined {
      if (!hintsOf) return undefined
      const { login, logout } = recordOf(readEntry()['hints'])
      return { login: textOf(login), logout: textOf(logout) }
    },
    keep(held: Credentials) {
      if (hintsOf) write(hintsOf(held))
    },
    forget() {
      if (hintsOf) write(undefined)
    },
  }
}

type HintMemory = ReturnType<typeof hintMemory>

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** The requests of a session, sent. */
function inPage(
  on: OidcServer,
  ports: ServerPorts,
  hints: HintMemory,
  silence: Silence,
  readAnew: (() => Promise<readonly string[]>) | undefined,
): Omit<Server, 'probe'> {
  const { now, send, record, crypto } = ports
  const { pushRequest, readPushed } = on
  /** Those of metadata that is newer than what this server was made of. */
  let algorithms: readonly string[] | undefined

  /** Reads, and records which checks of the ID token it passed. */
  const read = async (
    answer: unknown,
    use: TokenUse,
    time: ServerTime,
    isMetadataNew = false,
  ): Promise<GrantedTokens> => {
    const checks: IdTokenCheck[] = []
    const check = (name: IdTokenCheck) => void checks.push(name)
    try {
      const context = { ...use, time, deviceNowMs: now(), sha256: crypto.sha256, check, algorithms }
      const granted = await on.readTokens(answer, context)
      // A refresh may bring none.
      if (checks.length > 0) record(ID_TOKEN, 'done', `passed: ${checks.join(', ')}`)
      return granted
    } catch (error) {
      const failed = checks.pop()
      // What is known of the provider may be an hour old: it may sign in another way by now.
      if (failed === 'signature algorithm' && readAnew && !isMetadataNew) {
        algorithms = await readAnew().catch(() => algorithms)
        return read(answer, use, time, true)
      }
      if (failed) record(ID_TOKEN, 'failed', `passed: ${checks.join(', ') || 'none'}; failed: ${failed}`)
      throw error
    }
  }
  const receive = async (request: WireRequest, use: TokenUse): Promise<Received> => {
    const isRefresh = use.held !== undefined
    const answer = await send({
      ...request,
      refused: (refusal) => on.tokenError({ ...refusal, isRefresh }),
    })
    const { notes, ...received } = await read(answer, use, { nowMs: now(), source: 'device' }).catch(
      // Where a token and the device disagree about the time, the app's own server is asked for it.
      async (error: unknown) => {
        if (!(error instanceof AuthError && error.code === 'clock-skew')) throw error
        return read(answer, use, await askOwnOrigin(ports))
      },
    )
    for (const { code, message } of notes) {
      record('tokens', 'done', message)
      if (code === 'no-refresh-token') ports.tell?.(message)
    }
    return received
  }

  return {
    authorizeUrl: (request) =>
      on.authorizeUrl({ remembered: ports.held() ? undefined : hints.read(), ...request }),
    remember: hints.keep,
    forget: hints.forget,
    push:
      pushRequest &&
      (async (url) => {
        const address = readPushed!(await send(pushRequest(url)))
        record('pushed request', 'done', 'the server took it')
        return address
      }),
    silentCheck: on.silentCheck && { ...on.silentCheck, silence },
    organization: on.organization,
    readSilentAnswer(found, state) {
      const answer = on.readSilentAnswer(found, state)
      if (answer?.error) silence.end()
      return answer
    },
    answerError: on.answerError,
    binding: on.binding,
    async exchange(code, use) {
      const received = await receive(on.codeRequest(code, use.attempt), use)
      silence.signedIn(use)
      return received
    },
    refresh: async (held, _refreshToken, resource) =>
      receive(on.refreshRequest(held, resource)!, { held, resource }),
    refreshReuseMs: on.refreshReuseMs,
    async readUserInfo(held, token, signal) {
      const request = on.userInfoRequest
      if (!request) throw noUserInfo()
      const headers = { ...request.headers, authorization: `Bearer ${token}` }
      return on.readUserInfo(await send({ ...request, headers, secrets: [token], signal }), held)
    },
    async revoke(held) {
      const request = on.revocationRequest(held)
      if (request) await within(ports, REVOCATION_WAIT_MS, () => send(request))
    },
    logout(request) {
      const page = on.logout({ remembered: hints.read(), ...request })
      hints.forget()
      return page ?? noLogoutPage()
    },
  }
}

/** The header `Date` of the page's own origin; without one, the device's clock with the mark that nobody knows better. */
export async function askOwnOrigin({ address, fetch, now, setTimer }: ServerPorts): Promise<ServerTime> {
  const ask = async () => {
    // The page itself, which is there; what stands in its query is nobody's business.
    const { origin, pathname } = new URL(address())
    const { headers } = await fetch(origin + pathname, {
      method: 'HEAD',
      cache: 'no-store',
      credentials: 'omit',
    })
    // A cache on the way repeats the time at which it stored the page, and says how long ago that was.
    return Date.parse(headers.get('date') ?? '') + (numberOf(headers.get('age')) ?? 0) * 1000
  }
  const nowMs = await within({ setTimer }, OWN_ORIGIN_WAIT_MS, ask).catch(() => Number.NaN)
  return typeof nowMs === 'number' && Number.isFinite(nowMs)
    ? { nowMs, source: 'origin' }
    : { nowMs: now(), source: 'none' }
}
