// A visitor without a browser: keeps cookies, follows a sign-in by hand. For tests and benchmarks over plain HTTP.
import { createHash, randomBytes } from 'node:crypto'

export type Visitor = ReturnType<typeof createVisitor>

interface Cookie {
  value: string
  path: string
  isRemembered: boolean
}

export function createVisitor() {
  const jar = new Map<string, Cookie>()

  const send = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const { host, pathname } = new URL(url)
    const cookies = [...jar]
      .filter(([key, { path }]) => key.startsWith(`${host} `) && covers(path, pathname))
      .map(([key, { value }]) => `${key.split(' ')[2]}=${value}`)
    const headers = new Headers(init.headers)
    if (cookies.length > 0) headers.set('cookie', cookies.join('; '))
    const response = await fetch(url, { redirect: 'manual', ...init, headers })
    for (const line of response.headers.getSetCookie()) keep(jar, host, line)
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
      for (const [key, { isRemembered }] of jar) if (!isRemembered) jar.delete(key)
    },
  }
}

const covers = (path: string, pathname: string): boolean =>
  path === '/' || pathname === path || pathname.startsWith(`${path}/`)

function keep(jar: Map<string, Cookie>, host: string, line: string): void {
  const [pair = '', ...attributes] = line.split(/;\s*/)
  const [name = '', value = ''] = pair.split(/=(.*)/s)
  const attribute = (wanted: string): string | undefined =>
    attributes.find((text) => text.toLowerCase().startsWith(`${wanted}=`))?.slice(wanted.length + 1)
  const path = attribute('path') ?? '/'
  const expires = attribute('expires')
  const key = `${host} ${path} ${name}`
  if (value === '' || (expires !== undefined && Date.parse(expires) <= Date.now())) jar.delete(key)
  else jar.set(key, { value, path, isRemembered: expires !== undefined })
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
