// Keycloak as its vendor publishes it, fetched by Maven: realm, client and user are made by its API.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listenOnLoopback } from '../../../../demo/authServer/listen.ts'
import { findFreePort } from '../../../../scripts/browsers/freePort.ts'
import { startProgram } from '../../../../scripts/startProgram.ts'
import { fetched, lacks } from '../fetched.ts'
import { adaOf, adminAt } from '../keycloak/admin.ts'
import { KEYCLOAK_CASES, toldAtMs } from '../keycloak/cases.ts'
import { KEYCLOAK_PAGES } from '../keycloak/pages.ts'
import { makeRealms, realmOf } from '../keycloak/realms.ts'
import type { InteropServer } from '../interopServer.ts'
import { actByForms, PASSWORD, restartable } from '../server.ts'

const VERSION = '26.7.3'

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
    const listener = await listenOnLoopback({ host: '127.0.0.1', port: 0 }, (_request, response) => {
      toldAtMs.push(Date.now())
      response.end()
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
    const { pause, stop } = await restartable(begin, folder)
    const admin = adminAt(base)
    await makeRealms(admin, { base, redirectUris, toldAt: `${listener.origin}/logout` })
    return {
      options: { issuer: `${base}/realms/staff` },
      clientId: 'admin',
      scopes: ['openid', 'profile'],
      tokenPath: '/realms/staff/protocol/openid-connect/token',
      isForgetful: false,
      act: actByForms({ yes: 'accept', no: 'cancel' }),
      endSession: async () => admin('POST', `/staff/users/${await adaOf(admin, 'staff')}/logout`),
      async onOwnSite(app) {
        const address = `https://login.idp.example:${tlsPort}`
        await admin('POST', '', realmOf('sites', [app], { attributes: { frontendUrl: address } }))
        const options = { issuer: `${address}/realms/sites` }
        return { options, pfx: readFileSync(keyStore), passphrase: PASSWORD }
      },
      async signOutOfAll(page) {
        const [client] = await admin<{ id: string }[]>('GET', '/staff/clients?clientId=admin')
        const attributes = {
          'frontchannel.logout.url': page,
          'frontchannel.logout.session.required': 'true',
        }
        await admin('PUT', `/staff/clients/${client!.id}`, { frontchannelLogout: true, attributes })
        return `${base}/realms/staff/protocol/openid-connect/logout`
      },
      pause,
      async stop() {
        await stop()
        await listener.close()
      },
    }
  },
  further: KEYCLOAK_CASES,
  inChromium: KEYCLOAK_PAGES,
  deviations: {
    'a reload': 'it issues a refresh token without offline_access, which ends with the session',
  },
}

/** Key and certificate for TLS, in the form that Java and Node read. */
function makeKeyStore(folder: string): string {
  const file = join(folder, 'server.p12')
  const names = 'san=dns:login.idp.example,dns:admin.app.example'
  const words = `-genkeypair -alias server -keyalg RSA -dname CN=login.idp.example -ext ${names} -storetype PKCS12`
  execFileSync('keytool', [...words.split(' '), '-keystore', file, '-storepass', PASSWORD], { stdio: 'pipe' })
  return file
}
