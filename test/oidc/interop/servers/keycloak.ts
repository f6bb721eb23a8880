// Keycloak as its vendor publishes it, fetched by Maven: realm, client and user are made by its API.
import { rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { findFreePort } from '../../../../scripts/browsers/freePort.ts'
import { startProgram } from '../../../../scripts/startProgram.ts'
import { openIdConnect } from '../../../../src/protocol/servers/openIdConnect.ts'
import { formOf } from '../browser.ts'
import { fetched, lacks } from '../fetched.ts'
import { must, mustBe, type Rig } from '../rig.ts'
import type { InteropServer } from '../server.ts'

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
    await makeRealm(base, redirectUris, toldAt)
    return {
      options: { issuer: `${base}/realms/staff` },
      clientId: 'admin',
      scopes: ['openid', 'profile'],
      tokenPath: '/realms/staff/protocol/openid-connect/token',
      isForgetful: false,
      async act(page, browser, answer) {
        if (page.status >= 400) throw new Error(`status ${page.status}`)
        const form = formOf(page, {})
        if (page.text.includes('name="password"'))
          return browser.open(formOf(page, { username: 'ada', password: PASSWORD }))
        const { accept: _yes, ...no } = form.form ?? {}
        const { cancel: _no, ...yes } = form.form ?? {}
        return browser.open({ ...form, form: answer === 'yes' ? yes : no })
      },
      async pause(work) {
        await program.end()
        await work()
        program = await begin()
      },
      async stop() {
        await program.end()
        listener.close()
      },
    }
  },
  further: [
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

/** A realm with one client and one user. */
async function makeRealm(base: string, redirectUris: readonly string[], toldAt: string): Promise<void> {
  const form = { grant_type: 'password', client_id: 'admin-cli', username: 'root', password: PASSWORD }
  const asked = await fetch(`${base}/realms/master/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  })
  const { access_token } = (await asked.json()) as { access_token: string }
  const made = await fetch(`${base}/admin/realms`, {
    method: 'POST',
    headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      realm: 'staff',
      enabled: true,
      accessTokenLifespan: 60,
      revokeRefreshToken: true,
      clients: [
        {
          clientId: 'admin',
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
          },
        },
      ],
      users: [
        {
          username: 'ada',
          enabled: true,
          emailVerified: true,
          firstName: 'Ada',
          lastName: 'Lovelace',
          email: 'ada@example.com',
          realmRoles: ['default-roles-staff'],
          credentials: [{ type: 'password', value: PASSWORD }],
        },
      ],
    }),
  })
  if (!made.ok) throw new Error(`The realm was not made: ${made.status} ${await made.text()}`)
}
