// Django OAuth Toolkit from Debian: what an app that is written in Django has for its own pages.
import { generateKeyPairSync } from 'node:crypto'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '../../../../scripts/browsers/freePort.ts'
import { startProgram } from '../../../../scripts/startProgram.ts'
import { debianVersion } from '../debian.ts'
import type { InteropServer } from '../interopServer.ts'
import { actByForms, restartable } from '../server.ts'

/** Debian's own, which sees its packages. */
const PYTHON = '/usr/bin/python3'
const SCRIPT = fileURLToPath(new URL('../django/serve.py', import.meta.url))

export const django: InteropServer = {
  name: 'django-oauth-toolkit',
  version: () => debianVersion('python3-django-oauth-toolkit'),
  missing: () =>
    spawnSync(PYTHON, ['-c', 'import oauth2_provider, corsheaders']).status === 0
      ? undefined
      : 'not installed: apt-get install --no-install-recommends python3-django-oauth-toolkit python3-django-cors-headers',
  async start(redirectUris) {
    const folder = mkdtempSync(`${tmpdir()}/django-`)
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    writeFileSync(`${folder}/key.pem`, privateKey.export({ type: 'pkcs8', format: 'pem' }))
    const port = await findFreePort()
    const issuer = `http://localhost:${port}/o`
    const begin = async () =>
      startProgram(PYTHON, [SCRIPT, folder, String(port), ...redirectUris], { says: /ready/ })
    return {
      ...(await restartable(begin, folder)),
      options: {
        issuer,
        // Without the last slash it redirects, and no page may read a redirect.
        discoveryUrl: `${issuer}/.well-known/openid-configuration/`,
        // prompt=none is answered with status 500.
        silent: 'off',
      },
      clientId: 'admin',
      scopes: ['openid', 'profile'],
      tokenPath: '/o/token/',
      isForgetful: false,
      act: actByForms({ yes: 'allow' }),
    }
  },
  leftOut: {
    'a logout, and the other tabs': 'it has no page that ends its own session: the state says so',
  },
  deviations: {
    'frame-answer':
      'prompt=none is answered with its sign-in page, and with status 500 once there is a session: silent is off',
    ...Object.fromEntries(
      ['redirect-foreign', 'redirect-exact', 'pkce-required', 'pkce-plain'].map((id) => [
        id,
        'it judges a request only after its sign-in page, which the check does not see',
      ]),
    ),
  },
}
