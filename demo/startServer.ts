// npm run demo:server [-- --server oidc] [-- --port 4700]: only an authorization server, for an app of your own on this computer.
import { startAuthServer } from './authServer/start.ts'
import { readWords, run, type Running } from './command.ts'
import { startOidcServer } from './servers/oidc/startOidcServer.ts'

const clientId = 'admin'

const { server, port } = readWords('4700')
await run(server === 'oidc' ? startProvider() : startLatchkeyServer(), port)

async function startLatchkeyServer(): Promise<Running> {
  const { origin, close } = await startAuthServer({
    host: 'localhost',
    port,
    clientId,
    redirectUris: ['http://localhost:5173/'],
    anyLoopbackApp: true,
    log: console.error,
  })
  const about = { who: 'one click on an invented person, no password', imports: [] }
  return { close, welcome: welcome(origin, `authHost: '${origin}'`, about) }
}

async function startProvider(): Promise<Running> {
  const { issuer, close } = await startOidcServer({ port, clientId })
  const config = `server: openIdConnect({ issuer: '${issuer}', parameters: { prompt: 'consent' } })`
  const about = {
    who: 'any name, any password',
    imports: ["import { openIdConnect } from 'latchkey/oidc'"],
  }
  return { close, welcome: welcome(issuer, config, about) }
}

function welcome(
  origin: string,
  config: string,
  { who, imports }: { who: string; imports: readonly string[] },
): string {
  return [
    '',
    `  Authorization server for apps on this computer: ${origin}`,
    '  Every redirect URI on localhost and 127.0.0.1 is registered.',
    `  Sign in with ${who}. Ctrl-C ends the server.`,
    '',
    '  Paste into src/authConfig.ts of your app:',
    '',
    "import type { AuthConfig } from 'latchkey'",
    ...imports,
    '',
    'export const authConfig = {',
    `  ${config},`,
    `  clientId: '${clientId}',`,
    `  scopes: ['openid', 'profile', 'offline_access'],`,
    '  autoRefreshToken: true,',
    '} satisfies AuthConfig',
    '',
  ].join('\n')
}
