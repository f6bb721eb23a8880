// Two servers for an app of a few lines: how its users go through their pages, and whose a token is.
import type { Page } from 'playwright'
import { startAuthServer } from '../../../demo/authServer/start.ts'
import { startOidcServer } from '../../../demo/servers/oidc/startOidcServer.ts'
import type { TestBrowsers } from '../fixture.ts'
import { pick } from '../user.ts'
import { enterName } from '../oidc/oidcDemo.ts'

/** The user of a bearer token. */
export const userOf = (bearer: string) => {
  const claims: unknown = JSON.parse(Buffer.from(bearer.split('.')[1] ?? '', 'base64url').toString())
  return String(Object(claims).userId ?? Object(claims).sub)
}

/** A server, and how its users go through its pages. */
export interface Place {
  /** The option that names it. */
  readonly server: string
  signIn(page: Page, name: string): Promise<void>
  /** Where it asks whether the user means it. */
  confirmSignOut?(page: Page): Promise<void>
  /** Ends every session at the server: no refresh token is good for anything. */
  revokeAllSessions(): void
  /** A token as a link to another app of the firm carries it, where the server knows such links. */
  mintAccessToken?(options: { userId: string }): string
  close(): Promise<void>
}

/** Anna signs in to the app in a new browser. */
export async function openAsAnna(browsers: TestBrowsers, place: Place, app: string) {
  const context = await browsers.openBrowser()
  const page = await context.newPage()
  await page.goto(app)
  await place.signIn(page, 'anna')
  return { context, page }
}

export const SERVERS: Readonly<Record<string, (app: string) => Promise<Place>>> = {
  async authHost(app) {
    const authServer = await startAuthServer({
      host: 'localhost',
      clientId: 'admin',
      redirectUris: [`${app}/`],
    })
    return {
      server: `authHost: '${authServer.origin}'`,
      signIn: pick,
      revokeAllSessions: () => authServer.revokeAllSessions(),
      mintAccessToken: (options) => authServer.mintAccessToken(options),
      close: () => authServer.close(),
    }
  },
  async openIdConnect(app) {
    const api = `${app}/api`
    const { issuer, close } = await startOidcServer({ resources: [api] })
    return {
      // Without it the token says nobody's name.
      server: `server: openIdConnect({ issuer: '${issuer}', parameters: { resource: '${api}' } })`,
      async signIn(page, name) {
        await enterName(page, name)
        await page.getByRole('button', { name: 'Continue' }).click()
      },
      confirmSignOut: (page) => page.getByRole('button', { name: 'Yes, sign me out' }).click(),
      // Without refresh tokens a session is a cookie, which each browser here has of its own.
      revokeAllSessions() {},
      close,
    }
  },
}
