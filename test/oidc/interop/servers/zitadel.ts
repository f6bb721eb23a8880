// ZITADEL's OpenID provider library with its example server, built by Go: not ZITADEL itself.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '../../../../scripts/browsers/freePort.ts'
import { startProgram } from '../../../../scripts/startProgram.ts'
import { fetched, lacks } from '../fetched.ts'
import {
  anotherUser,
  deadToken,
  goneSession,
  logoutInOrder,
  owedLogout,
  secondFirst,
  stepUp,
} from '../furtherCases.ts'
import type { InteropServer } from '../interopServer.ts'
import { actByForms, PASSWORD, restartable } from '../server.ts'

const VERSION = '3.52.0'
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
    const users = ['ada', 'bob'].map((ID) => [ID, { ID, Username: ID, Password: PASSWORD }])
    writeFileSync(`${folder}/users.json`, JSON.stringify(Object.fromEntries(users)))
    const words = [port, `${folder}/users.json`, ...redirectUris]
    const begin = async () => startProgram(`${home}/server`, words, { says: /ready/ })
    const issuer = `http://localhost:${port}`
    return {
      ...(await restartable(begin, folder)),
      options: { issuer },
      clientId: 'admin',
      scopes: ['openid', 'profile', 'offline_access'],
      tokenPath: '/oauth/token',
      isForgetful: true,
      act: actByForms(),
      endSession: async () => fetch(`${issuer}/end?user=ada`),
    }
  },
  further: [anotherUser, deadToken, goneSession, logoutInOrder, owedLogout, secondFirst, stepUp],
  leftOut: { 'a denied sign-in': 'it has no button for that' },
  deviations: {
    'pkce-required': 'it takes a sign-in without PKCE: latchkey sends S256 to every provider',
    'tokens-cache': 'its token responses have no Cache-Control: latchkey asks for them with no-store',
  },
}
