// A visitor without a browser: keeps cookies, follows a sign-in by hand. For tests and benchmarks over plain HTTP.
import { createHash, randomBytes } from 'node:crypto'
import { CookieJar } from 'tough-cookie'

export type Visitor = ReturnType<typeof createVisitor>

export function createVisitor() {
  let jar = new CookieJar()

  const send = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers)
    const cookies = jar.getCookieStringSync(url)
    if (cookies !== '') headers.set('cookie', cookies)
    const response = await fetch(url, { redirect: 'manual', ...init, headers })
    for (const line of response.headers.getSetCookie()) jar.setCookieSync(line, url)
    return response
  }

  return {
    /** Like fetch, with this visitor's cookies, and without following redirects. */
    fetch: send,
    /** Sends a form, as a page's submit button would. */
    submit: (url: string, fields: Record<string, string>) =>
      send(url, { method: 'POST', body: new URLSearchParams(fields) }),
    /** What closing the browser does: session cookies are gone, remembered ones stay. */
    closeBrowser(): void {
      const stored = jar.serializeSync()!
      jar = CookieJar.deserializeSync({ ...stored, cookies: stored.cookies.filter((one) => one['expires']) })
    },
  }
}

export function createProofKey() {
  const verifier = randomBytes(48).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

export interface AuthorizeOptions {
  origin: string
  redirectUri: string
  challenge: string
  clientId?: string
  scopes?: readonly string[]
  state?: string
  /** Further or replaced parameters; undefined leaves one out. */
  parameters?: Record<string, string | undefined>
}

export function authorizeUrl(options: AuthorizeOptions): string {
  const parameters: Record<string, string | undefined> = {
    response_type: 'code',
    client_id: options.clientId ?? 'demo-admin',
    redirect_uri: options.redirectUri,
    scope: (options.scopes ?? ['profile', 'firm']).join(','),
    state: options.state ?? 'aB3dE6',
    code_challenge: options.challenge,
    code_challenge_method: 'S256',
    ...options.parameters,
  }
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) search.set(name, value)
  return `${options.origin}/oauth/authorize?${search}`
}

/** Follows redirects within the server; ends at the first page, or at the first address of another origin. */
export async function follow(
  visitor: Visitor,
  start: Response,
  origin: string,
): Promise<{ url: URL; response: Response }> {
  let response = start
  let url = new URL(start.url)
  for (let hops = 0; hops < 10; hops += 1) {
    const location = response.headers.get('location')
    if (location === null) break
    url = new URL(location, url)
    if (url.origin !== origin) break
    // Each address is only known when the one before it has answered.
    response = await visitor.fetch(url.href)
  }
  return { url, response }
}

/** Opens the authorize address, picks a person on the sign-in page, and returns the address of the app. */
export async function signInAs(
  visitor: Visitor,
  account: string,
  options: AuthorizeOptions & { remember?: boolean },
): Promise<URL> {
  const { url } = await follow(visitor, await visitor.fetch(authorizeUrl(options)), options.origin)
  if (url.origin !== options.origin) return url
  const answer = await visitor.submit(url.href, {
    account,
    ...(options.remember === true ? { remember: 'on' } : {}),
  })
  return (await follow(visitor, answer, options.origin)).url
}
