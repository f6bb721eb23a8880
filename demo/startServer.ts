// npm run demo:server [-- --server oidc] [-- --port 4700]: only an authorization server, for an app of your own on this computer.
import { parseArgs } from 'node:util'
import { startAuthServer } from './authServer/start.ts'
import { startOidcServer } from './servers/oidc/startOidcServer.ts'

const CLIENT_ID = 'admin'

const { server, port } = parseArgs({
  options: {
    server: { type: 'string', default: 'latchkey' },
    port: { type: 'string', default: process.env['PORT'] ?? '4700' },
  },
}).values

const kinds = { latchkey: startLatchkeyServer, oidc: startProvider }
const start = Object.hasOwn(kinds, server) ? kinds[server as keyof typeof kinds] : undefined
if (start === undefined) stop(`--server must be one of ${Object.keys(kinds).join(', ')}`)
if (!/^\d{1,5}$/.test(port)) stop('--port must be a number')

const running = await start(Number(port)).catch((error: unknown) =>
  stop(
    (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
      ? `Port ${port} is in use: end what listens there, or name another one with --port`
      : String(error),
  ),
)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => void running.close().then(() => process.exit(0)))
}
console.log(running.welcome)

function stop(sentence: string): never {
  console.error(sentence)
  process.exit(1)
}

async function startLatchkeyServer(portNumber: number) {
  const authServer = await startAuthServer({
    host: 'localhost',
    port: portNumber,
    clientId: CLIENT_ID,
    redirectUris: ['http://localhost:5173/'],
    anyLoopbackApp: true,
    log: (line) => {
      if (!line.includes('demo and test tool')) console.error(line)
    },
  })
  const config = [
    `  authHost: '${authServer.origin}',`,
    `  clientId: '${CLIENT_ID}',`,
    `  scopes: ['openid', 'profile', 'offline_access'],`,
    '  autoRefreshToken: true,',
  ]
  return {
    close: authServer.close,
    welcome: welcome(authServer.origin, {
      imports: ["import type { AuthConfig } from 'latchkey'"],
      config,
      who: 'one click on an invented person, no password',
    }),
  }
}

async function startProvider(portNumber: number) {
  const provider = await startOidcServer({ port: portNumber, clientId: CLIENT_ID })
  const config = [
    `  server: openIdConnect({ issuer: '${provider.issuer}', parameters: { prompt: 'consent' } }),`,
    `  clientId: '${provider.clientId}',`,
    `  scopes: ['openid', 'profile', 'offline_access'],`,
    '  autoRefreshToken: true,',
  ]
  return {
    close: provider.close,
    welcome: welcome(provider.issuer, {
      imports: [
        "import type { AuthConfig } from 'latchkey'",
        "import { openIdConnect } from 'latchkey/oidc'",
      ],
      config,
      who: 'any name, any password',
    }),
  }
}

function welcome(
  origin: string,
  { imports, config, who }: { imports: readonly string[]; config: readonly string[]; who: string },
): string {
  return [
    '',
    `  Authorization server for apps on this computer: ${origin}`,
    '  Every redirect URI on localhost and 127.0.0.1 is registered.',
    `  Sign in with ${who}. Ctrl-C ends the server.`,
    '',
    '  Paste into src/authConfig.ts of your app:',
    '',
    ...imports,
    '',
    'export const authConfig = {',
    ...config,
    '} satisfies AuthConfig',
    '',
  ].join('\n')
}
