// The REST addresses and popup pages of the fake authorization server: cloud account, consent, link map, firm, support, redirections.
import { memberOf, parseJson } from '../base/json.ts'
import type { LinkMapEntry } from '../protocol/linkMap.ts'
import type { RedirectionConfig } from '../protocol/redirection.ts'
import { below, type FakeAnswer, type OptionsOf, requestOf, respond } from './answers.ts'
import type { FakeAuthServer } from './authServer.ts'
import type { FakePopup } from './fakeWindows.ts'
import { createTokenResponse } from './tokens.ts'

/** Options of a fake cloud server: members as they are at the start. */
export interface FakeCloudServerOptions extends OptionsOf<
  Pick<FakeCloudServer, 'linkedAccount' | 'consent' | 'linkMap' | 'isAdministrator' | 'redirections'>
> {
  /** The status of GET /cloudprovider/userinfo without a linked account. Default 200, with `{ linked: false }`. */
  unlinkedStatus?: 200 | 404 | undefined
}

/** A fake cloud server. Tests may change its members at any time. */
export interface FakeCloudServer {
  /** The linked cloud account. Default: none. */
  linkedAccount: Readonly<Record<string, unknown>> | undefined
  /** The granted consent. Default: none. */
  consent: Readonly<Record<string, unknown>> | undefined
  /** The link map. A save replaces it. Another one, also by a test, has a new ETag. Default: Alice linked, Bob not. */
  linkMap: readonly LinkMapEntry[]
  /** The cloud provider that the last update of the firm set; `undefined` before. */
  cloudProviderId: unknown
  /** Whether the signed-in user is an administrator; other users get a 403 for administrators' calls. Default true. */
  isAdministrator: boolean
  /** Issued one-time nonces that were not used. */
  readonly nonces: ReadonlySet<string>
  /** The static redirections file and its URL (`redirectionsUrl` of the config). Default: none. */
  readonly redirections: { readonly url: string; readonly file: RedirectionConfig } | undefined
  /** Responds to a request; resolves to `undefined` for an address that this server lacks. */
  answer(request: Request): Promise<Response | undefined>
  /** Completes the page in a popup, as if the user agreed, and sends closeMe. */
  agree(popup: FakePopup): void
  /** Responds to requests without msw, also to those for the authorization server, for `fetch` of a fake host. */
  fetch: typeof fetch
}

const ACCOUNT = { id: 'cloud-alice', email: 'alice@cloud.test', name: 'Alice' }
const LINK_MAP: readonly LinkMapEntry[] = [
  { internalUser: { id: 'alice', name: 'Alice' }, externalUser: { id: 'cloud-alice', name: 'Alice' } },
  { internalUser: { id: 'bob', name: 'Bob' }, externalUser: null },
]

type Route = (search: URLSearchParams, body: unknown, headers: Headers) => FakeAnswer

/** The id at the end of a path: of an account, of a firm. */
const ID = /(?<=^\/(?:cloudprovider\/accesstoken|api\/firms))\/[^/]+$/

const withoutQuery = (address: string) => address.replace(/[?#].*/, '')
const ok = (body: unknown): FakeAnswer => ({ status: 200, body })
const refused = (status: number, error: string): FakeAnswer => ({ status, body: { error } })

/**
 * Creates a cloud server that accepts the tokens of a fake authorization server.
 *
 * @example
 * const cloud = createFakeCloudServer(createFakeAuthServer())
 * const host = createFakeHost('https://app.test/', { fetch: cloud.fetch, onPopup: cloud.agree })
 */
export function createFakeCloudServer(
  auth: FakeAuthServer,
  options: FakeCloudServerOptions = {},
): FakeCloudServer {
  const nonces = new Set<string>()
  let serial = 0
  /** Link maps that were read or saved. */
  const versions: (readonly LinkMapEntry[])[] = []
  const etag = () => {
    if (versions.at(-1) !== server.linkMap) versions.push(server.linkMap)
    return { etag: `"link-map-${versions.length}"` }
  }
  const next = (name: string) => `${name}-${(serial += 1)}`

  const server: FakeCloudServer = {
    linkedAccount: options.linkedAccount,
    consent: options.consent,
    linkMap: options.linkMap ?? LINK_MAP,
    cloudProviderId: undefined,
    isAdministrator: options.isAdministrator ?? true,
    nonces,
    redirections: options.redirections,
    async answer(request) {
      const { method, url, headers } = request
      const { redirections } = server
      // Its URL may be a path of the page, as `redirectionsUrl` may.
      const isFile = redirections && withoutQuery(new URL(redirections.url, url).href) === withoutQuery(url)
      if (isFile) return respond(ok(redirections.file))
      const { pathname, searchParams } = below(auth.authHost, url) ?? {}
      const isExchange = pathname === '/oauth/token'
      const route = pathname && routes[`${method} ${pathname.replace(ID, '')}`]
      if (!route && !isExchange) return undefined
      const body = parseJson(await request.clone().text())
      if (!route) {
        // The authorization server handles all other grants.
        if (memberOf(body, 'grant_type') !== 'jti') return undefined
        return respond(ok(createTokenResponse({}, { refresh_token: undefined })))
      }
      const isRefused = auth.userInfo(headers.get('authorization')).status === 401
      return respond(isRefused ? refused(401, 'invalid_token') : route(searchParams!, body, headers))
    },
    agree(popup) {
      const address = popup.urls.at(-1) ?? ''
      const { pathname, searchParams } = below(auth.authHost, address) ?? new URL(address)
      if (pathname === '/cloudprovider/link') server.linkedAccount = ACCOUNT
      if (pathname === '/cloudprovider/unlink') server.linkedAccount = undefined
      if (pathname === '/cloudprovider/adminconsent') {
        server.consent = { domain: searchParams.get('domain') ?? 'firm.test', grantedBy: 'alice' }
      }
      if (pathname === '/cloudprovider/reauthenticate' && nonces.delete(searchParams.get('nonce') ?? '')) {
        server.linkedAccount = { ...server.linkedAccount, confirmedAt: next('instant') }
      }
      popup.post('closeMe')
    },
    async fetch(input, init) {
      const request = requestOf(input, init)
      return (await server.answer(request)) ?? auth.fetch(request)
    },
  }

  const isConsented = (search: URLSearchParams) => {
    const domain = search.get('domain')
    return server.consent !== undefined && (domain === null || server.consent['domain'] === domain)
  }
  const forAdministrators =
    (work: Route): Route =>
    (...request) =>
      server.isAdministrator ? work(...request) : refused(403, 'access_denied')
  const routes: Readonly<Record<string, Route>> = {
    'GET /cloudprovider/accesstoken': () =>
      server.linkedAccount
        ? ok({ access_token: next('cloud-token'), expires_in: 3600 })
        : refused(404, 'not_found'),
    'GET /cloudprovider/userinfo': () => {
      if (server.linkedAccount) return ok({ linked: true, ...server.linkedAccount })
      return options.unlinkedStatus === 404 ? refused(404, 'not_found') : ok({ linked: false })
    },
    'GET /cloudprovider/reauthenticate/link': () => {
      const nonce = next('nonce')
      nonces.add(nonce)
      return ok({ nonce })
    },
    'GET /cloudprovider/adminconsent/status': (search) =>
      ok(isConsented(search) ? { granted: true, ...server.consent } : { granted: false }),
    'DELETE /cloudprovider/adminconsent': forAdministrators((search) => {
      if (isConsented(search)) server.consent = undefined
      return { status: 204, body: undefined }
    }),
    'GET /cloudprovider/linkmap': (search) => {
      const isWhole = search.get('allUsers') === 'true'
      const body = server.linkMap.filter(({ externalUser }) => isWhole || externalUser !== null)
      return { status: 200, body, headers: etag() }
    },
    'PUT /cloudprovider/linkmap': forAdministrators((_search, body, headers) => {
      const ifMatch = headers.get('if-match') ?? '*'
      const isAsRead = ifMatch === '*' || ifMatch === etag().etag
      if (!isAsRead) return refused(412, 'conflict')
      const saved = body as readonly LinkMapEntry[]
      const idOf = (entry: LinkMapEntry) => JSON.stringify(entry.internalUser)
      server.linkMap = server.linkMap.map((entry) => ({
        ...entry,
        externalUser: saved.find((other) => idOf(other) === idOf(entry))?.externalUser ?? null,
      }))
      return { status: 200, body: { saved: saved.length }, headers: etag() }
    }),
    'PUT /api/firms': forAdministrators((_search, body) => {
      server.cloudProviderId = memberOf(body, 'cloudProviderId')
      return ok({ cloudProviderId: server.cloudProviderId })
    }),
    'POST /api/redirections': () => ok({ jti: next('jti-of-redirection'), expires_in: 60 }),
    'POST /support/authorization': (_search, body) => ok({ duration: memberOf(body, 'duration') }),
  }
  return server
}
