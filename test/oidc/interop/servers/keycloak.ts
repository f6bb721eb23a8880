// Keycloak as its vendor publishes it, fetched by Maven: realm, client and user are made by its API.
import { rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { findFreePort } from '../../../../scripts/browsers/freePort.ts'
import { startProgram } from '../../../../scripts/startProgram.ts'
import { AuthError } from '../../../../src/errors.ts'
import { openIdConnect } from '../../../../src/protocol/servers/openIdConnect.ts'
import { formOf } from '../browser.ts'
import { fetched, lacks } from '../fetched.ts'
import { logoutInOrder, owedLogout, stepUp } from '../furtherCases.ts'
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
    const begin = async () =>
      startProgram(
        'sh',
        ['bin/kc.sh', 'start-dev', '--http-host=127.0.0.1', `--http-port=${port}`, `--hostname=${base}`],
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
    await makeRealms(redirectUris, toldAt)
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
          return browser.open(formOf(page, { username: 'ada', password: PASSWORD }))
        const { accept: _yes, ...no } = form.form ?? {}
        const { cancel: _no, ...yes } = form.form ?? {}
        return browser.open({ ...form, form: answer === 'yes' ? yes : no })
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

const idOfAda = async (realm: string): Promise<string> => {
  const [ada] = (await (await admin('GET', `/${realm}/users?username=ada`)).json()) as { id: string }[]
  return ada!.id
}

const ADA = {
  username: 'ada',
  enabled: true,
  emailVerified: true,
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  credentials: [{ type: 'password', value: PASSWORD }],
}

/** `staff` is the realm of every case; `firms` has organizations. */
async function makeRealms(redirectUris: readonly string[], toldAt: string): Promise<void> {
  const client = (clientId: string, attributes: Readonly<Record<string, string>> = {}) => ({
    clientId,
    publicClient: true,
    standardFlowEnabled: true,
    consentRequired: true,
    redirectUris,
    webOrigins: [new URL(redirectUris[0]!).origin],
    attributes: {
      'pkce.code.challenge.method': 'S256',
      'post.logout.redirect.uris': '+',
      'backchannel.logout.url': toldAt,
      'backchannel.logout.session.required': 'true',
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
  const users = (name: string) => [{ ...ADA, realmRoles: [`default-roles-${name}`] }]
  const pushed = client('pushed', { 'require.pushed.authorization.requests': 'true' })
  await admin('POST', '', realm('staff', { clients: [client('admin'), pushed], users: users('staff') }))
  await admin(
    'POST',
    '',
    realm('firms', {
      organizationsEnabled: true,
      // A consent to a further organization is a page: a switch would not be silent.
      clients: [{ ...client('admin'), consentRequired: false }],
      users: users('firms'),
    }),
  )
  const ada = await idOfAda('firms')
  for (const alias of ['acme', 'globex', 'initech']) {
    const made = await admin('POST', '/firms/organizations', {
      name: alias,
      alias,
      domains: [{ name: `${alias}.example` }],
    })
    const id = made.headers.get('location')?.split('/').at(-1)
    if (alias !== 'initech') await admin('POST', `/firms/organizations/${id}/members`, ada)
  }
}

const at = (rig: Rig, realm: string): string => rig.server.options.issuer.replace(/staff$/, realm)

function keycloakCases(): readonly SessionCase[] {
  return [
    stepUp,
    logoutInOrder,
    owedLogout,
    {
      title: 'a session that an administrator ended',
      async run(rig) {
        const tab = await rig.signedIn()
        const state = tab.auth.getState()
        await admin('POST', `/staff/users/${await idOfAda('staff')}/logout`)
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
  ]
}
