// npm run demo [-- --port 8080] [-- --server oidc [--dpop] [--par]]: starts the app and its servers, says where to go, and leaves nothing behind on Ctrl-C.
import { readWords, run, type Running } from './command.ts'
import { STAFF, firmById } from './seed.ts'
import { startDemo } from './startDemo.ts'
import { startOidcDemo } from './startOidcDemo.ts'

const IDLE_MINUTES = Number(process.env['IDLE_MINUTES'] ?? 30)
const ACCESS_TOKEN_LIFETIME_SECONDS = 90

const { server, port, isBound, isPushed } = readWords('5173')
const common = {
  app: { from: 'sources', port },
  auth: { idleTimeoutInMinutes: IDLE_MINUTES },
  accessTokenLifetimeSeconds: ACCESS_TOKEN_LIFETIME_SECONDS,
} as const
await run(server === 'oidc' ? startOnProvider() : startOnOwnServer(), port)

async function startOnOwnServer(): Promise<Running> {
  const running = await startDemo({
    ...common,
    realtime: true,
    environments: true,
    asksToConfirm: true,
    log: console.error,
  })
  const people = STAFF.filter(({ knownIn }) => knownIn.includes('eu')).map(
    ({ name, role, firmId }) =>
      `    ${name.padEnd(15)} ${(role === 'administrator' ? 'administrator' : 'staff').padEnd(14)} ${firmById(firmId)?.name ?? ''}`,
  )
  return {
    close: running.close,
    welcome: welcome(running.origin, {
      about: 'on the firm’s own authorization server, with every screen',
      other: ['an OpenID Connect provider', 'npm run demo -- --server oidc'],
      signIn: running.authServer.origin,
      who: ['Who can sign in, with one click and no password:', ...people],
    }),
  }
}

async function startOnProvider(): Promise<Running> {
  const running = await startOidcDemo({ ...common, isBound, isPushed })
  return {
    close: running.close,
    welcome: welcome(running.origin, {
      about: `on an OpenID Connect provider${isBound ? ', every token bound to a key of the page' : ''}`,
      other: ['the firm’s own server, with seven more screens', 'npm run demo'],
      signIn: running.server.issuer,
      who: ['Who can sign in: any name, with any password.'],
    }),
  }
}

interface Welcome {
  about: string
  /** The other server that the demo can run on, and how. */
  other: readonly [name: string, command: string]
  signIn: string
  who: readonly string[]
}

function welcome(origin: string, { about, other: [name, command], signIn, who }: Welcome): string {
  const bold = (text: string) => (process.stdout.isTTY ? `\u001B[1m${text}\u001B[0m` : text)
  return [
    '',
    `  latchkey demo: the admin app of a firm, ${about}`,
    `  Or on ${name}: ${bold(command)}`,
    '',
    `  Open      ${bold(origin)}`,
    `  Sign-in   ${signIn}  (another origin, as in real life)`,
    '',
    ...who.map((line) => `  ${line}`),
    '',
    '  The home screen says what to try. Everything stays on this computer and in memory. Ctrl-C ends it.',
    '',
  ].join('\n')
}
