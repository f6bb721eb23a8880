// Responses of the fake servers to a real browser: cross-origin requests, and the pages of sign-in, frames and popups.
import { below } from './answers.ts'
import type { FakeAuthServer, FakeUser } from './authServer.ts'
import type { FakeCloudServer } from './cloudServer.ts'
import type { FakePopup } from './fakeWindows.ts'

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

const NO_STORE = { 'cache-control': 'no-store' }

const page = (body: string) =>
  new Response(`<!doctype html><meta charset="utf-8"><title>Sign-in</title>${body}`, {
    headers: { ...NO_STORE, 'content-type': 'text/html; charset=utf-8' },
  })
// Not `Response.redirect`, whose headers cannot be added to.
const redirect = (location: string) => new Response(null, { status: 302, headers: { ...NO_STORE, location } })
/** As a literal of a script inside a page. */
const literal = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c')

/** The popups of the cloud account: the user completes each one. */
const POPUP_PAGE = /^\/cloudprovider\/(?:link|unlink|adminconsent|reauthenticate)$/

/** Responds to a request of a browser for the server's origin. */
export async function respondTo(request: Request, servers: BrowserServers): Promise<Response> {
  const { server, cloud } = servers
  const { method, url, headers } = request
  if (method === 'OPTIONS') return new Response(null, { status: 204, headers: CORS })
  const { pathname: path, searchParams } = below(server.authHost, url) ?? new URL(url)
  if (path === '/oauth/authorize') return authorize(url, servers)
  if (path === '/oauth/logout') {
    server.user = undefined
    return logOut(method === 'POST' ? new URLSearchParams(await request.text()) : searchParams)
  }
  const isPopup = method === 'GET' && POPUP_PAGE.test(path) && !headers.has('authorization')
  if (isPopup || path === '/oauth/close') {
    // The popup's own page: it needs only the URL, and a message to its opener.
    cloud.agree({ urls: [url], post: () => {} } as Pick<FakePopup, 'urls' | 'post'> as FakePopup)
    return page(`<script>opener?.postMessage('closeMe', '*')</script>`)
  }
  const { status, headers: own, body } = await cloud.fetch(request)
  return new Response(body, { status, headers: { ...CORS, ...Object.fromEntries(own) } })
}

function authorize(url: string, { server, visitor }: BrowserServers): Response {
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

function logOut(sent: URLSearchParams): Response {
  const address = sent.get('post_logout_redirect_uri') ?? ''
  if (!URL.canParse(address)) return page('<h1>Signed out</h1>')
  const back = new URL(address)
  const state = sent.get('state')
  if (state !== null) back.searchParams.set('state', state)
  return redirect(back.href)
}
