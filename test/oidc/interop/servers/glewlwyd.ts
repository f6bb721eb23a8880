// glewlwyd 2 from Debian: C, SQLite, its sign-in pages made by scripts; here a person's clicks are the calls that they make.
import { generateKeyPairSync } from 'node:crypto'
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { findFreePort } from '../../../../scripts/browsers/freePort.ts'
import { startProgram } from '../../../../scripts/startProgram.ts'
import { startProxy } from '../proxy.ts'
import { debianVersion } from '../debian.ts'
import type { InteropServer } from '../interopServer.ts'
import { insist, PASSWORD, restartable } from '../server.ts'

const SCHEMA = '/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3'
const SCOPES = ['openid', 'profile', 'email', 'offline_access']

export const glewlwyd = create('glewlwyd')
/** It refuses what was not pushed, and a proof without its nonce. */
export const strictGlewlwyd = create('glewlwyd with DPoP and PAR', true)

function create(name: string, isStrict = false): InteropServer {
  return {
    name,
    version: () => debianVersion('glewlwyd'),
    missing: () =>
      existsSync(SCHEMA) && spawnSync('sqlite3', ['--version']).status === 0
        ? undefined
        : 'not installed: apt-get install --no-install-recommends glewlwyd dbconfig-no-thanks sqlite3',
    async start(redirectUris) {
      const folder = mkdtempSync(`${tmpdir()}/glewlwyd-`)
      const [port, inner] = [await findFreePort(), await findFreePort()]
      const base = `http://localhost:${port}`
      writeFiles(folder, isStrict ? inner : port, base)
      const begin = async () => startProgram('glewlwyd', [`--config-file=${folder}/g.conf`])
      const { pause, stop } = await restartable(begin, folder)
      const headers = { 'access-control-expose-headers': 'DPoP-Nonce, WWW-Authenticate' }
      const proxy = isStrict ? await startProxy(port, inner, { headers }) : undefined
      await settle(base, redirectUris, isStrict)
      return {
        options: { issuer: `${base}/api/oidc`, ...(isStrict && { dpop: 'required' }) },
        clientId: 'admin',
        scopes: SCOPES,
        tokenPath: '/api/oidc/token',
        isForgetful: false,
        async act(page, browser) {
          const asked = new URL(page.url)
          // The page signs in, then goes on with the address it was given, and says that the user has clicked "Continue".
          await browser.open({
            url: `${base}/api/auth/`,
            json: { username: 'ada', password: PASSWORD },
          })
          await browser.open({
            url: `${base}/api/auth/grant/admin`,
            method: 'PUT',
            json: { scope: SCOPES.join(' ') },
          })
          if (page.url.includes('prompt=logout') || page.url.includes('end_session'))
            await browser.open({ url: `${base}/api/auth/?username=ada`, method: 'DELETE', json: {} })
          const back = asked.searchParams.get('callback_url')
          if (back === null) throw new Error(`No way on from ${asked.pathname}${asked.search}`)
          return browser.open({ url: `${back}&g_continue` })
        },
        async pause(work) {
          await pause(work)
          await insist(async () => {
            const { ok } = await fetch(`${base}/api/oidc/.well-known/openid-configuration`)
            if (!ok) throw new Error('glewlwyd does not respond')
          })
        },
        async stop() {
          proxy?.end()
          await stop()
        },
      }
    },
    leftOut: { 'a denied sign-in': 'its page has no button for it' },
    deviations: {
      'token-refusal': '403 invalid_code instead of 400 invalid_grant',
      'frame-answer':
        'prompt=none needs id_token_hint, which latchkey never puts into an address: invalid_request, so by redirect',
      'a reload':
        'for the same reason the frame finds nothing: the user comes back by redirect, without a password',
      'a renewal on time': 'no ID token: the user stays as it was',
      'refresh-replay': '400 without a body: taken for invalid_grant',
      'a logout, and the other tabs':
        'revocation is 401 for a public client: best effort, nobody waits for it',
      ...(isStrict && {
        'frame-answer': 'in a pushed request it overlooks prompt=none, and shows its sign-in page',
        'logout-return':
          'for the same reason the last look finds its sign-in page, not an error: signed in anew',
        'a reload': 'for the same reason the frame stays on that page: the user comes back by redirect',
      }),
    },
  }
}

function writeFiles(folder: string, port: number, base: string): void {
  cpSync('/usr/share/glewlwyd/webapp', `${folder}/webapp`, { recursive: true, dereference: true })
  rmSync(`${folder}/webapp/config.json`, { recursive: true, force: true })
  cpSync('/usr/share/glewlwyd/templates/config.json', `${folder}/webapp/config.json`)
  execFileSync('sqlite3', [`${folder}/db`], { input: readFileSync(SCHEMA) })
  const own = [
    `port=${port}`,
    'bind_address="127.0.0.1"',
    `external_url="${base}"`,
    `static_files_path="${folder}/webapp/"`,
    'log_mode="console"',
    'cookie_secure=0',
    `database = { type = "sqlite3" path = "${folder}/db" };`,
  ]
  const replaced =
    /^\s*(@include|port|bind_address|external_url|static_files_path|log_\w+|cookie_secure|use_secure_\w+|secure_\w+)\b.*$/gm
  const packaged = readFileSync('/etc/glewlwyd/glewlwyd.conf', 'utf8').replace(replaced, '')
  writeFileSync(`${folder}/g.conf`, `${own.join('\n')}\n${packaged}`)
}

/** What an administrator clicks: scopes, the plugin, the client, the user. */
async function settle(base: string, redirectUris: readonly string[], isStrict: boolean): Promise<void> {
  let cookie = ''
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${base}/api/${path}`, {
      method,
      headers: { cookie, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie
    const text = await response.text()
    if (!response.ok)
      throw new Error(`glewlwyd: ${method} ${path} answered ${response.status} ${text.slice(0, 200)}`)
    return text === '' ? undefined : JSON.parse(text)
  }
  await insist(async () => call('POST', 'auth/', { username: 'admin', password: 'password' }))
  const scope = { password_required: false, password_max_age: 0, scheme: {} }
  for (const name of SCOPES.slice(1))
    await call('POST', 'scope/', { name, display_name: name, description: name, ...scope })
  const list = { multiple: true, read: true, write: true }
  const clients = (await call('GET', 'mod/client/database')) as { parameters: { 'data-format': object } }
  Object.assign(clients.parameters['data-format'], {
    post_logout_redirect_uri: list,
    post_logout_redirect_uris: list,
  })
  await call('PUT', 'mod/client/database', clients)
  // What runs has read the old list.
  await call('PUT', 'mod/client/database/reset')
  await call('POST', 'mod/plugin/', {
    module: 'oidc',
    name: 'oidc',
    display_name: 'oidc',
    enabled: true,
    parameters: { ...pluginParameters(base), ...(isStrict && STRICT_PARAMETERS) },
  })
  await call('POST', 'client/', {
    client_id: 'admin',
    name: 'admin',
    enabled: true,
    confidential: false,
    redirect_uri: redirectUris,
    authorization_type: ['code', 'refresh_token'],
    token_endpoint_auth_method: ['none'],
    post_logout_redirect_uri: redirectUris,
    post_logout_redirect_uris: redirectUris,
  })
  await call('POST', 'user/', {
    username: 'ada',
    name: 'Ada',
    email: 'ada@example.test',
    password: PASSWORD,
    enabled: true,
    scope: [...SCOPES, 'g_profile'],
  })
}

const STRICT_PARAMETERS = {
  'oauth-par-allowed': true,
  'oauth-par-required': true,
  'oauth-par-duration': 90,
  'oauth-par-request_uri-prefix': 'urn:ietf:params:oauth:request_uri:',
  'oauth-dpop-allowed': true,
  // The clock of the walks is turned by hand: proofs are ahead of the server's time.
  'oauth-dpop-iat-duration': 600,
  'oauth-dpop-iat-gap-duration': 600,
  'oauth-dpop-nonce-mandatory': true,
  'oauth-dpop-nonce-counter': 20,
}

function pluginParameters(base: string): Record<string, unknown> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return {
    iss: `${base}/api/oidc`,
    'jwt-type': 'rsa',
    'jwt-key-size': '256',
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    cert: publicKey.export({ type: 'spki', format: 'pem' }),
    'jwks-show': true,
    'access-token-duration': 60,
    'refresh-token-duration': 3600,
    'refresh-token-rolling': true,
    'refresh-token-one-use': 'always',
    'auth-type-code-enabled': true,
    'auth-type-code-revoke-replayed': true,
    'auth-type-refresh-enabled': true,
    'auth-type-none-enabled': true,
    'allowed-scope': SCOPES,
    'name-claim': 'mandatory',
    'email-claim': 'mandatory',
    'pkce-allowed': true,
    'pkce-required': true,
    'pkce-required-public-client': true,
    'oauth-as-iss-id': true,
    'session-management-allowed': true,
    'session-cookie-name': 'GLEWLWYD2_OIDC_SID',
    'session-cookie-expiration': 2_419_200,
    'introspection-revocation-allowed': true,
    'introspection-revocation-allow-target-client': true,
  }
}
