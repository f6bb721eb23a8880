// ZITADEL's OpenID provider library with its example server, built by Go: not ZITADEL itself.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '../../../../scripts/browsers/freePort.ts'
import { startProgram } from '../../../../scripts/startProgram.ts'
import { formOf } from '../browser.ts'
import { fetched, lacks } from '../fetched.ts'
import { deadToken, goneSession, logoutInOrder, owedLogout, secondFirst, stepUp } from '../furtherCases.ts'
import type { InteropServer } from '../server.ts'

const VERSION = '3.52.0'
const PASSWORD = 'not-a-secret'
const SOURCES = fileURLToPath(new URL('../zitadel', import.meta.url))

const install = () =>
  fetched(
    `zitadel-${VERSION}`,
    (run) => {
      run('go', 'mod', 'init', 'interop')
      run('go', 'get', `github.com/zitadel/oidc/v3@v${VERSION}`)
      run('go', 'mod', 'tidy')
      run('go', 'build', '-o', 'server', '.')
    },
    SOURCES,
  )

export const zitadel: InteropServer = {
  name: 'zitadel',
  isByNameOnly: true,
  version: () => VERSION,
  missing: () => lacks(['go'], 'Go 1.24 or later'),
  async start(redirectUris) {
    const home = install()
    const folder = mkdtempSync(`${tmpdir()}/zitadel-`)
    const port = String(await findFreePort())
    const ada = { ID: 'ada', Username: 'ada', Password: PASSWORD, FirstName: 'Ada', LastName: 'Lovelace' }
    writeFileSync(`${folder}/users.json`, JSON.stringify({ ada }))
    const words = [port, `${folder}/users.json`, ...redirectUris]
    const begin = async () => startProgram(`${home}/server`, words, { says: /ready/ })
    let program = await begin()
    return {
      options: { issuer: `http://localhost:${port}` },
      clientId: 'admin',
      scopes: ['openid', 'profile', 'offline_access'],
      tokenPath: '/oauth/token',
      isForgetful: true,
      async act(page, browser) {
        if (page.status >= 400) throw new Error(`status ${page.status}`)
        return browser.open(formOf(page, { username: 'ada', password: PASSWORD }))
      },
      async pause(work) {
        await program.end()
        try {
          await work()
        } finally {
          program = await begin()
        }
      },
      async stop() {
        await program.end()
        rmSync(folder, { recursive: true, force: true })
      },
    }
  },
  further: [deadToken, goneSession, logoutInOrder, owedLogout, secondFirst, stepUp],
  leftOut: { 'a denied sign-in': 'it has no button for that' },
  deviations: {
    'pkce-required': 'it takes a sign-in without PKCE: latchkey sends S256 to every provider',
    'tokens-cache': 'its token responses have no Cache-Control: latchkey asks for them with no-store',
  },
}
