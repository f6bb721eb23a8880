// npm oidc-provider in its standard configuration, as the demo starts it.
import { startOidcServer } from '../../../demo/servers/oidc/startOidcServer.ts'
import { formOf } from '../browser.ts'
import type { InteropServer } from '../server.ts'

export const oidcProvider: InteropServer = {
  name: 'oidc-provider',
  missing: () => undefined,
  async start() {
    const { issuer, clientId, close } = await startOidcServer({ accessTokenSeconds: 60 })
    return {
      // It drops offline_access without a word unless the same request asks for consent.
      options: { issuer, parameters: { prompt: 'consent' } },
      clientId,
      scopes: ['openid', 'profile', 'offline_access'],
      act(page, browser) {
        const isLogin = page.text.includes('name="login"')
        const isLogout = page.url.includes('/session/end')
        return browser.open(
          formOf(page, isLogin ? { login: 'ada', password: 'x' } : isLogout ? { logout: 'yes' } : {}),
        )
      },
      stop: close,
    }
  },
  deviations: {
    refresh: 'the ID token repeats the nonce, which it should not: it must be that of the sign-in',
    'silent check': 'without prompt=consent no refresh token is issued: the one of the sign-in stays in use',
    'old refresh token once more': 'ends the whole family: never sent twice (refreshReuseInSeconds 0)',
  },
}
