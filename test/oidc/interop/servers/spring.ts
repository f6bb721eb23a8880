// Spring Authorization Server, which Java teams embed: as Boot configures it, built by Maven.
import { fileURLToPath } from 'node:url'
import { findFreePort } from '../../../../scripts/browsers/freePort.ts'
import { startProgram } from '../../../../scripts/startProgram.ts'
import { formOf } from '../browser.ts'
import { fetched, lacks } from '../fetched.ts'
import { anotherUser, bothOver, keptRequest, logoutInOrder, withoutSilence } from '../furtherCases.ts'
import type { InteropServer } from '../interopServer.ts'
import { actByForms, restartable } from '../server.ts'

const VERSION = '7.1.2'
const SOURCES = fileURLToPath(new URL('../spring', import.meta.url))

const install = () => fetched(`spring-${VERSION}`, (run) => run('mvn', '-q', '-B', 'package'), SOURCES)

export const spring: InteropServer = {
  name: 'spring',
  isByNameOnly: true,
  version: () => VERSION,
  missing: () => lacks(['java', 'javac', 'mvn'], 'Java 17 or later (a JDK) and Maven'),
  async start(redirectUris) {
    const home = install()
    const port = await findFreePort()
    const settings = {
      'server.port': port,
      'server.address': '127.0.0.1',
      app: redirectUris.join(','),
      'app.origin': new URL(redirectUris[0]!).origin,
    }
    const words = Object.entries(settings).map(([name, value]) => `--${name}=${value}`)
    const begin = async () =>
      startProgram('java', ['-Xmx300m', '-jar', `${home}/target/server-1.jar`, ...words], {
        says: /Started Server/,
      })
    const issuer = `http://localhost:${port}`
    return {
      ...(await restartable(begin)),
      options: { issuer },
      clientId: 'admin',
      // It remembers the consent, and ignores prompt=consent.
      strangerClientId: 'stranger',
      scopes: ['openid', 'profile'],
      tokenPath: '/oauth2/token',
      isForgetful: true,
      act: actByForms({ yes: 'scope' }),
      endSession: async (browser) =>
        browser.open(formOf(await browser.open({ url: `${issuer}/logout` }), {})),
    }
  },
  further: [anotherUser, bothOver, keptRequest, logoutInOrder, withoutSilence],
  deviations: {
    'frame-answer': 'without a session prompt=none leads to its sign-in page: latchkey notices the silence',
    'a restart of the server': 'it issues no refresh token: the frame renews, and finds the sign-in page',
  },
}
