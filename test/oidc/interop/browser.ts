// As much of a browser as a sign-in needs: cookies, redirects one by one, forms. No script, no picture.
import { CookieJar } from 'tough-cookie'

/** A page, or the address of the app that the way ended at. */
export interface Page {
  readonly url: string
  readonly status: number
  readonly text: string
}

export interface Visit {
  readonly url: string
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | undefined
  readonly form?: Readonly<Record<string, string>> | undefined
  readonly json?: unknown
}

export type Browser = ReturnType<typeof createBrowser>

const LONGEST_WAY = 20

/** `app`: where the way ends, without asking there. `reach`: how servers are reached that are not at their own address. */
export function createBrowser(app: string, reach: typeof fetch = fetch) {
  const cookies = new CookieJar()

  async function send({ url, method, form, json }: Visit): Promise<Response> {
    const body = form
      ? new URLSearchParams(form).toString()
      : json === undefined
        ? undefined
        : JSON.stringify(json)
    const response = await reach(url, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      redirect: 'manual',
      headers: {
        accept: json === undefined ? 'text/html' : 'application/json',
        cookie: cookies.getCookieStringSync(url),
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...(json !== undefined && { 'content-type': 'application/json', origin: new URL(url).origin }),
      },
      ...(body !== undefined && { body }),
    })
    // What a server may not set there is ignored, as browsers do.
    for (const line of response.headers.getSetCookie())
      cookies.setCookieSync(line, url, { ignoreError: true })
    return response
  }

  return {
    /** Goes there and follows redirects until a page comes, or the address of the app. */
    async open(visit: Visit): Promise<Page> {
      let next = visit
      for (let count = 0; count < LONGEST_WAY; count += 1) {
        if (next.url.startsWith(app)) return { url: next.url, status: 0, text: '' }
        const response = await send(next)
        const isRedirect = response.status >= 300 && response.status < 400
        const text = isRedirect ? '' : await response.text()
        const location = isRedirect ? response.headers.get('location') : locationIn(text, next)
        if (location === null) return { url: next.url, status: response.status, text }
        next = { url: new URL(location, next.url).href }
      }
      throw new Error(`More than ${LONGEST_WAY} redirects after ${new URL(visit.url).pathname}`)
    },
  }
}

/** Node's fetch says of itself that it does not navigate (Sec-Fetch-Mode), so better-auth writes the redirect into the body. */
function locationIn(text: string, { json }: Visit): string | null {
  const isMeant = json === undefined && text.startsWith('{"redirect":true,')
  return isMeant ? (JSON.parse(text) as { url: string }).url : null
}

/** The first form of a page, filled in. */
export function formOf(page: Page, values: Readonly<Record<string, string>>): Visit {
  const [, tag = '', inside = ''] = /<form([^>]*)>([\s\S]*?)<\/form>/.exec(page.text) ?? []
  const attribute = (text: string, name: string) =>
    new RegExp(`${name}="([^"]*)"`).exec(text)?.[1]?.replaceAll('&amp;', '&')
  const inputs = [...inside.matchAll(/<(?:input|button)[^>]*>/g)].flatMap(([input]) => {
    const name = attribute(input, 'name')
    return name === undefined ? [] : [[name, attribute(input, 'value') ?? ''] as const]
  })
  return {
    url: new URL(attribute(tag, 'action') ?? page.url, page.url).href,
    method: 'POST',
    form: { ...Object.fromEntries(inputs), ...values },
  }
}

/** Goes on from a page that oidc-provider has of its own: logs in, agrees, or says no. */
export function actAtOidcProvider(
  page: Page,
  browser: Browser,
  { says, isLogout }: { says: 'yes' | 'no' | 'bob'; isLogout: boolean },
): Promise<Page> {
  const isLogin = page.text.includes('name="login"')
  if (says === 'no' && !isLogin) return browser.open({ url: `${page.url}/abort` })
  return browser.open(
    formOf(page, isLogin ? { login: 'ada', password: 'x' } : isLogout ? { logout: 'yes' } : {}),
  )
}
