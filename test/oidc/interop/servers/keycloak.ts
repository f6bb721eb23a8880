// Keycloak as its vendor publishes it, fetched by Maven: realm, client and user are made by its API.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '../../../../scripts/browsers/freePort.ts'
import { startProgram } from '../../../../scripts/startProgram.ts'
import { AuthError } from '../../../../src/base/errors.ts'
import { openIdConnect } from '../../../../src/protocol/servers/openIdConnect.ts'
import { formOf } from '../browser.ts'
import { fetched, lacks } from '../fetched.ts'
import { goneSession, logoutInOrder, owedLogout, stepUp } from '../furtherCases.ts'
import { describe, must, mustBe, type Rig, type SessionCase, type Tab } from '../rig.ts'
import type { InteropServer } from '../server.ts'
import { renewal } from '../sessionCases.ts'

const VERSION = '26.7.3'
const PASSWORD = 'not-a-secret'

/** How often Keycloak has told the app's server that a session has ended (OpenID Connect Back-Channel Logout). */
let toldCount = 0

const install = () =>
  fetched(`keycloak-${VERSION}`, (run, folder) => {
    const artifact = `org.keycloak:keycloak-quarkus-dist:${VERSION}:zip`
    run('mvn', '-q', 'dependency:get', `-Dartifact=${artifact}`, '-Dtransitive=false')
    run('mvn', '-q', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`)
    run('jar', 'xf', `keycloak-quarkus-dist-${VERSION}.zip`)
    return `keycloak-${VERSION}`
  })

export const keycloak: InteropServer = {
  name: 'keycloak',
  isByNameOnly: true,
  version: () => VERSION,
  missing: () => lacks(['java', 'jar', 'mvn'], 'Java 17 or later (a JDK) and Maven'),
  async start(redirectUris) {
    const home = install()
    rmSync(join(home, 'data'), { recursive: true, force: true })
    const port = await findFreePort()
    const base = `http://localhost:${port}`
    const listener = createServer((_request, response) => {
      toldCount += 1
      response.end()
    }).listen(0, '127.0.0.1')
    const toldAt = await new Promise<string>((resolve) => {
      listener.on('listening', () =>
        resolve(`http://127.0.0.1:${(listener.address() as AddressInfo).port}/logout`),
      )
    })
    const tlsPort = await findFreePort()
    const folder = mkdtempSync(`${tmpdir()}/keycloak-`)
    const keyStore = makeKeyStore(folder)
    const begin = async () =>
      startProgram(
        'sh',
        [
          'bin/kc.sh',
          'start-dev',
          '--http-host=127.0.0.1',
          `--http-port=${port}`,
          `--https-port=${tlsPort}`,
          `--https-key-store-file=${keyStore}`,
          `--https-key-store-password=${PASSWORD}`,
          `--hostname=${base}`,
        ],
        {
          cwd: home,
          env: {
            KC_BOOTSTRAP_ADMIN_USERNAME: 'root',
            KC_BOOTSTRAP_ADMIN_PASSWORD: PASSWORD,
            KC_CACHE: 'local',
            JAVA_OPTS_APPEND: '-Xmx700m',
          },
          says: /Listening on/,
        },
      )
    let program = await begin()
    admin = adminOf(base)
    await makeRealms({ base, redirectUris, toldAt })
    return {
      options: { issuer: `${base}/realms/staff` },
      clientId: 'admin',
      scopes: ['openid', 'profile'],
      tokenPath: '/realms/staff/protocol/openid-connect/token',
      isForgetful: false,
      async act(page, browser, answer) {
        if (page.status >= 400) throw new Error(`status ${page.status}`)
        const form = formOf(page, {})
        if (/name="(username|password)"/.test(page.text))
          return browser.open(
            formOf(page, { username: answer === 'bob' ? 'bob' : 'ada', password: PASSWORD }),
          )
        const { accept: _yes, ...no } = form.form ?? {}
        const { cancel: _no, ...yes } = form.form ?? {}
        return browser.open({ ...form, form: answer === 'no' ? no : yes })
      },
      async onOwnSite(app) {
        const address = `https://login.idp.example:${tlsPort}`
        await admin('POST', '', {
          ...realm('sites', { clients: [client('admin', [app])], users: usersOf('sites') }),
          attributes: { frontendUrl: address },
        })
        return {
          options: { issuer: `${address}/realms/sites` },
          pfx: readFileSync(keyStore),
          passphrase: PASSWORD,
        }
      },
      async signOutOfAll(page) {
        const [client] = (await (await admin('GET', '/staff/clients?clientId=admin')).json()) as Client[]
        const frontChannel = {
          'frontchannel.logout.url': page,
          'frontchannel.logout.session.required': 'true',
        }
        await admin('PUT', `/staff/clients/${client!.id}`, {
          ...client,
          frontchannelLogout: true,
          attributes: { ...client!.attributes, ...frontChannel },
        })
        return `${base}/realms/staff/protocol/openid-connect/logout`
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
        listener.close()
        rmSync(folder, { recursive: true, force: true })
      },
    }
  },
  further: [
    ...keycloakCases(),
    {
      title: 'a logout reaches what hangs on the session',
      async run(rig) {
        const tab = await rig.signedIn()
        const before = toldCount
        await tab.auth.logout()
        await rig.clock.settle()
        await rig.follow(tab)
        must(toldCount === before + 1, `${toldCount - before} calls of back-channel logout`)
        return 'one call of back-channel logout'
      },
    },
    ...[16_000, -26_000].map((aheadMs) => ({
      title: `DPoP, a clock ${Math.abs(aheadMs) / 1000} s ${aheadMs > 0 ? 'ahead' : 'behind'}`,
      async run(rig: Rig) {
        rig.clock.jump(aheadMs)
        const server = openIdConnect({ ...rig.server.options, dpop: 'required' })
        const tab = await rig.signedIn({ server })
        await tab.auth.renew({ force: true })
        mustBe(tab, 'authenticated')
        return `signed in and renewed; ${rig.countTokenRequests()} token requests`
      },
    })),
  ],
  deviations: {
    'a reload': 'it issues a refresh token without offline_access, which ends with the session',
  },
}

/** Asks the admin API of the server that runs; it reads and writes JSON. */
type Admin = (method: string, path: string, body?: unknown) => Promise<Response>

let admin: Admin

interface Client {
  readonly id: string
  readonly attributes: Readonly<Record<string, string>>
}

const adminOf =
  (base: string): Admin =>
  async (method, path, body) => {
    const form = { grant_type: 'password', client_id: 'admin-cli', username: 'root', password: PASSWORD }
    const asked = await fetch(`${base}/realms/master/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    })
    const { access_token } = (await asked.json()) as { access_token: string }
    const response = await fetch(`${base}/admin/realms${path}`, {
      method,
      headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response
  }

const idOf = async (realmName: string, username = 'ada'): Promise<string> => {
  const [found] = (await (
    await admin('GET', `/${realmName}/users?exact=true&username=${username}`)
  ).json()) as { id: string }[]
  return found!.id
}

const usersOf = (realmName: string) =>
  [
    ['ada', 'Ada', 'Lovelace'],
    ['bob', 'Bob', 'Hope'],
  ].map(([username, firstName, lastName]) => ({
    username,
    firstName,
    lastName,
    enabled: true,
    emailVerified: true,
    email: `${username}@example.com`,
    credentials: [{ type: 'password', value: PASSWORD }],
    realmRoles: [`default-roles-${realmName}`],
  }))

const client = (clientId: string, redirectUris: readonly string[], attributes: object = {}) => ({
  clientId,
  publicClient: true,
  standardFlowEnabled: true,
  consentRequired: true,
  redirectUris,
  webOrigins: [new URL(redirectUris[0]!).origin],
  attributes: {
    'pkce.code.challenge.method': 'S256',
    'post.logout.redirect.uris': '+',
    ...attributes,
  },
})

const realm = (name: string, more: object) => ({
  realm: name,
  enabled: true,
  accessTokenLifespan: 60,
  revokeRefreshToken: true,
  ...more,
})

interface RealmOptions {
  readonly base: string
  readonly redirectUris: readonly string[]
  readonly toldAt: string
}

/** `staff` is the realm of every case; `firms` has organizations; the users of `guests` are those of `firms`, by brokering. */
async function makeRealms({ base, redirectUris, toldAt }: RealmOptions): Promise<void> {
  const told = { 'backchannel.logout.url': toldAt, 'backchannel.logout.session.required': 'true' }
  const ours = client('admin', redirectUris, told)
  const pushed = client('pushed', redirectUris, { 'require.pushed.authorization.requests': 'true' })
  // A page that asks for consent would not be silent.
  const open = { ...client('open', redirectUris), consentRequired: false }
  await admin('POST', '', realm('staff', { clients: [ours, pushed, open], users: usersOf('staff') }))
  const broker = {
    clientId: 'broker',
    secret: PASSWORD,
    redirectUris: [`${base}/realms/guests/broker/home/*`],
    attributes: { 'post.logout.redirect.uris': '+' },
  }
  const clients = [{ ...ours, consentRequired: false }, broker]
  await admin('POST', '', realm('firms', { organizationsEnabled: true, clients, users: usersOf('firms') }))
  const ada = await idOf('firms')
  for (const alias of ['acme', 'globex', 'initech']) {
    const made = await admin('POST', '/firms/organizations', {
      name: alias,
      alias,
      domains: [{ name: `${alias}.example` }],
    })
    const id = made.headers.get('location')?.split('/').at(-1)
    if (alias !== 'initech') await admin('POST', `/firms/organizations/${id}/members`, ada)
  }
  const home = `${base}/realms/firms/protocol/openid-connect`
  const identityProvider = {
    alias: 'home',
    providerId: 'keycloak-oidc',
    enabled: true,
    config: {
      clientId: 'broker',
      clientSecret: PASSWORD,
      clientAuthMethod: 'client_secret_post',
      authorizationUrl: `${home}/auth`,
      tokenUrl: `${home}/token`,
      userInfoUrl: `${home}/userinfo`,
      logoutUrl: `${home}/logout`,
      jwksUrl: `${home}/certs`,
      useJwksUrl: 'true',
      validateSignature: 'true',
      issuer: `${base}/realms/firms`,
      defaultScope: 'openid profile email',
    },
  }
  await admin('POST', '', realm('guests', { clients: [ours], identityProviders: [identityProvider] }))
}

/** Key and certificate for TLS, in the form that Java and Node read. */
function makeKeyStore(folder: string): string {
  const file = join(folder, 'server.p12')
  const names = 'san=dns:login.idp.example,dns:admin.app.example'
  const words = `-genkeypair -alias server -keyalg RSA -dname CN=login.idp.example -ext ${names} -storetype PKCS12`
  execFileSync('keytool', [...words.split(' '), '-keystore', file, '-storepass', PASSWORD], { stdio: 'pipe' })
  return file
}

const at = (rig: Rig, realm: string): string => rig.server.options.issuer.replace(/staff$/, realm)

function keycloakCases(): readonly SessionCase[] {
  return [
    stepUp,
    logoutInOrder,
    goneSession,
    owedLogout,
    {
      title: 'a session that an administrator ended',
      async run(rig) {
        const tab = await rig.signedIn()
        const state = tab.auth.getState()
        await admin('POST', `/staff/users/${await idOf('staff')}/logout`)
        const code = await renewal(rig, tab)
        const { expiresAtMs = 0 } = state.status === 'authenticated' ? state : {}
        await rig.clock.advance(Math.max(0, expiresAtMs - rig.clock.nowMs))
        must(describe(tab).startsWith('unauthenticated, expired'), `${code}; ${describe(tab)}`)
        return `${code}; expired with its token`
      },
    },
    {
      title: 'keys that were rotated',
      async run(rig) {
        const tab = await rig.signedIn()
        const { id } = (await (await admin('GET', '/staff')).json()) as { id: string }
        await admin('POST', '/staff/components', {
          name: 'newer',
          providerId: 'rsa-generated',
          providerType: 'org.keycloak.keys.KeyProvider',
          parentId: id,
          config: { priority: ['200'] },
        })
        must((await renewal(rig, tab)) === 'renewed', describe(tab))
        const next = await rig.next(tab, tab.host.address)
        mustBe(next, 'authenticated')
        return 'renewed and reloaded; the old key is still there'
      },
    },
    {
      title: 'a client whose sign-ins must be pushed',
      async run(rig) {
        const server = openIdConnect({ ...rig.server.options, pushedRequests: 'required' })
        const tab = await rig.signedIn({ server, clientId: 'pushed' })
        must((await renewal(rig, tab)) === 'renewed', describe(tab))
        return rig.requests.filter((request) => request.includes('/par')).join(', ')
      },
    },
    {
      title: 'organizations',
      async run(rig) {
        const server = openIdConnect({
          issuer: at(rig, 'firms'),
          organization: { scope: 'organization:{organization}' },
          claims: ({ sub, organization }) => ({
            userId: String(sub),
            ...(Array.isArray(organization) && { firmId: String(organization[0]) }),
          }),
        })
        const tab = await rig.signedIn({ server, scopes: ['openid', 'profile', 'organization:acme'] })
        const firmOf = ({ auth }: Tab) => {
          const state = auth.getState()
          return state.status === 'authenticated' ? state.user.firmId : describe({ ...tab, auth })
        }
        must(firmOf(tab) === 'acme', String(firmOf(tab)))
        // Without a display it would open a window, and wait for the person.
        const asked = async (organization: string) => {
          const switching = tab.auth.switchTo({ organization, display: 'silent' }).then(
            () => 'switched',
            (error: unknown) => (error instanceof AuthError ? error.code : String(error)),
          )
          await rig.clock.advance(5_000)
          return switching
        }
        const [there, foreign] = [await asked('globex'), await asked('initech')]
        must(there === 'switched' && firmOf(tab) === 'globex', `globex: ${there}, ${firmOf(tab)}`)
        must(foreign !== 'switched' && firmOf(tab) === 'globex', `initech: ${foreign}, ${firmOf(tab)}`)
        return `signed in for acme, switched to globex; one of others: ${foreign}, and globex as it was`
      },
    },
    {
      title: 'a logout with an identity provider behind it',
      async run(rig) {
        const issuer = at(rig, 'guests')
        const server = openIdConnect({ issuer, parameters: { kc_idp_hint: 'home' } })
        const tab = await rig.signedIn({ server })
        await tab.auth.logout()
        await rig.clock.settle()
        const back = await rig.follow(tab)
        must(describe(back) === 'unauthenticated, signed-out', describe(back))
        await back.auth.login()
        await rig.clock.settle()
        const { url, text } = await rig.look(back)
        must(url.includes('/realms/firms/') && text.includes('username'), `the next sign-in: ${url}`)
        return 'the identity provider asks for the user again'
      },
    },
    {
      title: 'another user at the server',
      async run(rig) {
        const tab = await rig.signedIn({ clientId: 'open' })
        await admin('POST', `/staff/users/${await idOf('staff')}/logout`)
        mustBe(await rig.follow(await rig.open('', { clientId: 'admin' }), 'bob'), 'authenticated')
        const code = await renewal(rig, tab)
        must(describe(tab).startsWith('unauthenticated'), `${code}; ${describe(tab)}`)
        return `the refresh token is refused, the frame brings the other: ${describe(tab)}, at once`
      },
    },
    ...[true, false].map((isRevoked) => ({
      title: `Revoke Refresh Token ${isRevoked ? 'on' : 'off'}: a refresh whose response is lost`,
      async run(rig: Rig) {
        await admin('PUT', '/staff', { realm: 'staff', revokeRefreshToken: isRevoked })
        try {
          const tab = await rig.signedIn()
          for (const _ of [1, 2]) must((await renewal(rig, tab)) === 'renewed', describe(tab))
          rig.hideTokens()
          await renewal(rig, tab)
          rig.showTokens()
          const before = rig.requests.length
          must((await renewal(rig, tab)) === 'renewed', describe(tab))
          return `renewed by ${rig.requests.slice(before).join(', ')}`
        } finally {
          await admin('PUT', '/staff', { realm: 'staff', revokeRefreshToken: true })
        }
      },
    })),
  ]
}
