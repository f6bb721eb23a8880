// npm oidc-provider in its standard configuration, as the demo starts it.
import manifest from 'oidc-provider/package.json' with { type: 'json' }
import { startOidcServer } from '../../../../demo/servers/oidc/startOidcServer.ts'
import { actAtOidcProvider } from '../browser.ts'
import type { InteropServer } from '../interopServer.ts'

export const oidcProvider: InteropServer = {
  name: 'oidc-provider',
  version: () => manifest.version,
  missing: () => undefined,
  async start() {
    let running = await startOidcServer({ accessTokenSeconds: 60 })
    const { issuer, clientId } = running
    return {
      // It drops offline_access without a word unless the same request asks for consent.
      options: { issuer, parameters: { prompt: 'consent' } },
      clientId,
      scopes: ['openid', 'profile', 'offline_access'],
      tokenPath: '/token',
      isForgetful: true,
      act: (page, browser, says) =>
        actAtOidcProvider(page, browser, { says, isLogout: page.url.includes('/session/end') }),
      async pause(work) {
        await running.close()
        await work()
        const port = Number(new URL(issuer).port)
        running = await startOidcServer({ accessTokenSeconds: 60, port })
      },
      stop: () => running.close(),
    }
  },
  deviations: {
    'redirect-exact': 'as the demo sets it up, it takes any address of this machine',
    'a renewal on time':
      'the ID token repeats the nonce, which it should not: it must be that of the sign-in',
    'a reload': 'without prompt=consent no refresh token is issued: the one of the sign-in stays in use',
    'a restart of the server': 'its sessions are in memory: invalid_grant, then login_required in the frame',
    'refresh-replay': 'ends the whole family: never sent twice (refreshReuseInSeconds 0)',
  },
}
