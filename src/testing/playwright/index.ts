// The entry latchkey/testing/playwright: signs a user in on a page of Playwright, by a fake authorization server in the test's own process.
import { respondTo } from '../browserRequests.ts'
import {
  createFakeAuthServer,
  createFakeUser,
  type FakeAuthServer,
  type FakeAuthServerOptions,
} from '../authServer.ts'
import { createFakeCloudServer, type FakeCloudServer } from '../cloudServer.ts'
import type { TokenClaims } from '../tokens.ts'

/** The used part of Playwright's `Page` or `BrowserContext`. */
export interface RoutedPage {
  /** Of a page: its context, so that windows and further tabs are answered too. */
  context?(): RoutedPage
  /** Answers requests in the server's place. */
  route(url: (address: URL) => boolean, handler: (route: InterceptedRoute) => Promise<void>): Promise<unknown>
}

/** The used part of Playwright's `Route`. */
export interface InterceptedRoute {
  /** The request. */
  request(): {
    url(): string
    method(): string
    allHeaders(): Promise<Record<string, string>>
    postData(): string | null
  }
  /** Responds to the request. */
  fulfill(response: { status: number; headers: Record<string, string>; body: string }): Promise<void>
}

/** How a page is signed in. `authHost` may be the issuer of an OpenID Connect provider. */
export interface SignInOptions extends Pick<
  FakeAuthServerOptions,
  'authHost' | 'expiresInSeconds' | 'provider' | 'traits'
> {
  /** The user has no session yet, and signs in on the sign-in page without input. Default false. */
  viaSignInPage?: boolean | undefined
}

/** The fake servers behind a page. */
export interface SignedInPage {
  /** Changes who is signed in, and shows the token requests. */
  readonly server: FakeAuthServer
  /** The cloud account, the link map and the rest of the server contract. */
  readonly cloud: FakeCloudServer
}

/**
 * Signs a user in: from now on the page's requests to the authorization server are answered by a fake one. Call it before
 * the page is opened. Nothing has to run beside the app, and nothing leaves the machine. Logout works too, and the
 * next sign-in is that of the same user. Speaks the server contract, and OpenID Connect where the app uses it.
 *
 * @param page a page, or its context: all its tabs and windows share the session
 * @param user claims of the user, in both tokens; default: Alice of firm f1. `null`: signed out, and the sign-in page stays
 * @example
 * test('greets', async ({ page }) => {
 *   await signInAs(page, { userId: 'bob' }, { authHost: 'https://auth.example.com' })
 *   await page.goto('/')
 *   await expect(page.getByText('Hello Name of bob')).toBeVisible()
 * })
 */
export async function signInAs(
  page: RoutedPage,
  user: Partial<TokenClaims> | null = {},
  options: SignInOptions = {},
): Promise<SignedInPage> {
  const { viaSignInPage = false, ...asked } = options
  const visitor = user ? createFakeUser(user) : undefined
  const server = createFakeAuthServer({
    ...asked,
    authHost: asked.authHost?.replace(/\/$/, ''),
    user: viaSignInPage ? undefined : visitor,
    now: Date.now,
  })
  const { origin } = new URL(server.authHost)
  const cloud = createFakeCloudServer(server)
  await (page.context?.() ?? page).route(
    (address) => address.origin === origin,
    async (route) => {
      const request = route.request()
      const response = await respondTo(
        new Request(request.url(), {
          method: request.method(),
          headers: await request.allHeaders(),
          body: request.postData(),
        }),
        { server, cloud, visitor },
      )
      await route.fulfill({
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: await response.text(),
      })
    },
  )
  return { server, cloud }
}
