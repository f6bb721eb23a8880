// better-auth with its OAuth provider plugin, in a process and a folder of packages of its own.
import { fileURLToPath } from 'node:url'
import manifest from '../betterAuth/package.json' with { type: 'json' }
import { findFreePort } from '../../../../scripts/browsers/freePort.ts'
import { installIn } from '../../../../scripts/installIn.ts'
import { startProgram } from '../../../../scripts/startProgram.ts'
import { startProxy } from '../proxy.ts'
import type { InteropServer } from '../interopServer.ts'
import { PASSWORD, restartable } from '../server.ts'

const FOLDER = fileURLToPath(new URL('../betterAuth', import.meta.url))

export const betterAuth: InteropServer = {
  name: 'better-auth',
  version: () => manifest.dependencies['better-auth'],
  missing() {
    try {
      installIn(FOLDER, '--ignore-scripts')
      return undefined
    } catch (error) {
      return String(error)
    }
  },
  async start(redirectUris) {
    const [port, inner] = [await findFreePort(), await findFreePort()]
    const base = `http://localhost:${port}`
    const words = [`${FOLDER}/start.js`, String(inner), base, ...redirectUris]
    const begin = async () => startProgram(process.execPath, words, { says: /ready/ })
    const { pause, stop } = await restartable(begin)
    const headers = {
      'access-control-allow-origin': new URL(redirectUris[0]!).origin,
      'access-control-allow-headers': 'authorization, content-type',
    }
    const proxy = await startProxy(port, inner, { headers, hasPreflight: true })
    return {
      options: { issuer: `${base}/api/auth` },
      clientId: 'admin',
      scopes: ['openid', 'profile', 'email', 'offline_access'],
      tokenPath: '/api/auth/oauth2/token',
      isForgetful: true,
      async act(page, browser, answer) {
        const oauth_query = new URL(page.url).search.slice(1)
        const isConsent = page.url.includes('/consent')
        const response = await browser.open({
          url: `${base}/api/auth/${isConsent ? 'oauth2/consent' : 'sign-in/email'}`,
          json: isConsent
            ? { accept: answer === 'yes', oauth_query }
            : { email: 'ada@example.test', password: PASSWORD, oauth_query },
        })
        const { url } = JSON.parse(response.text) as { url?: string }
        if (url === undefined)
          throw new Error(`better-auth answered ${response.status}: ${response.text.slice(0, 200)}`)
        return browser.open({ url: new URL(url, base).href })
      },
      pause,
      async stop() {
        proxy.end()
        await stop()
      },
    }
  },
  deviations: {
    'tokens-cors': 'it has no CORS at all: the proxy in front of it here adds the headers, as an app has to',
    'pkce-wrong': '401 invalid_request, and the code is used up: a code is sent once',
    'a logout, and the other tabs':
      'revocation is 400 for a token that is dead already, where the standard wants 200: nobody waits for it',
    'a restart of the server': 'its sessions are in memory: invalid_grant, then login_required in the frame',
  },
}
