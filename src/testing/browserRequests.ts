// Responses of the fake servers to a real browser: cross-origin requests, and the pages of sign-in, frames and popups.
import { below } from './answers.ts'
import type { FakeAuthServer, FakeUser } from './authServer.ts'
import type { FakeCloudServer } from './cloudServer.ts'
import type { FakePopup } from './fakeWindows.ts'

/** A request of a browser to the authorization server. */
export interface BrowserRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** A response, as a test's browser or a service worker takes it. */
export interface BrowserResponse {
  status: number
  headers: Record<string, string>
  body: string
}

export interface BrowserServers {
  readonly server: FakeAuthServer
  readonly cloud: FakeCloudServer
  /** The user who signs in on the sign-in page; `undefined`: the page stays. */
  readonly visitor: FakeUser | undefined
}

const CORS: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'authorization, content-type, accept, if-match, dpop, prefer',
  'access-control-allow-methods': 'GET, POST, PUT, DELETE',
  'access-control-expose-headers': 'etag, dpop-nonce, date, retry-after',
  'cache-control': 'no-store',
}

const page = (body: string): BrowserResponse => ({
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
  body: `<!doctype html><meta charset="utf-8"><title>Sign-in</title>${body}`,
})
const redirect = (location: string): BrowserResponse => ({
  status: 302,
  headers: { location, 'cache-control': 'no-store' },
  body: '',
})
/** As a literal of a script inside a page. */
const literal = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c')

/** The popups of the cloud account: the user completes each one. */
const POPUP_PAGE = /^\/cloudprovider\/(?:link|unlink|adminconsent|reauthenticate)$/

/** Responds to a request for the server's origin. */
export async function respondTo(request: BrowserRequest, servers: BrowserServers): Promise<BrowserResponse> {
  const { server, cloud } = servers
  const { method, url, headers, body } = request
  if (method === 'OPTIONS') return { status: 204, headers: { ...CORS }, body: '' }
  const { pathname: path, searchParams } = below(server.authHost, url) ?? new URL(url)
  if (path === '/oauth/authorize') return authorize(url, servers)
  if (path === '/oauth/logout') {
    server.user = undefined
    const sent = method === 'POST' ? new URLSearchParams(body ?? '') : searchParams
    return logOut(sent)
  }
  if (path === '/oauth/close' || (method === 'GET' && POPUP_PAGE.test(path) && !headers['authorization'])) {
    // The popup's own page: it needs only the URL, and a message to its opener.
    cloud.agree({ urls: [url], post: () => {} } as Pick<FakePopup, 'urls' | 'post'> as FakePopup)
    return page(`<script>opener?.postMessage('closeMe', '*')</script>`)
  }
  const { host: _host, 'content-length': _length, ...rest } = headers
  const response = await cloud.fetch(url, { method, headers: rest, ...(body !== null && { body }) })
  return {
    status: response.status,
    headers: { ...CORS, ...Object.fromEntries(response.headers) },
    body: await response.text(),
  }
}

function authorize(url: string, { server, visitor }: BrowserServers): BrowserResponse {
  const { searchParams } = new URL(url)
  const isSilent = searchParams.get('prompt') === 'none'
  if (!isSilent) server.user ??= visitor
  const isMute = isSilent && server.traits.has('frame-no-answer')
  if (isMute || (!isSilent && !server.user)) return page('<h1>Sign in</h1>')
  const callback = server.callbackOf(url, server.user ? undefined : 'login_required')
  // A client with a nonce speaks OpenID Connect: without web_message its frame ends at the app's own page.
  const isByMessage = searchParams.get('response_mode') === 'web_message' || !searchParams.has('nonce')
  if (!isSilent || !isByMessage) return redirect(callback)
  const back = new URL(callback)
  const message = { type: 'authorization_response', response: Object.fromEntries(back.searchParams) }
  return page(`<script>parent.postMessage(${literal(message)}, ${literal(back.origin)})</script>`)
}

function logOut(sent: URLSearchParams): BrowserResponse {
  const address = sent.get('post_logout_redirect_uri') ?? ''
  if (!URL.canParse(address)) return page('<h1>Signed out</h1>')
  const back = new URL(address)
  const state = sent.get('state')
  if (state !== null) back.searchParams.set('state', state)
  return redirect(back.href)
}
