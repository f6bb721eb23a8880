// npm run demo [-- --port 8080] [-- --server oidc [--dpop] [--par]]: starts the app and its servers, says where to go, and leaves nothing behind on Ctrl-C.
import { logMistake, readWords, run, type Running } from './command.ts'
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
    log: logMistake,
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
      things: [
        'Save a link map: the server asks an administrator to confirm, in a window; what was typed stays.',
        'Sign in as the same person in another browser or a private window: the older session ends and says why.',
      ],
    }),
  }
}

async function startOnProvider(): Promise<Running> {
  const running = await startOidcDemo({ ...common, isBound, isPushed })
  return {
    close: running.close,
    welcome: welcome(running.origin, {
      about: 'on an OpenID Connect provider',
      other: ['the firm’s own server, with six more screens', 'npm run demo'],
      signIn: running.server.issuer,
      who: ['Who can sign in: any name, with any password.'],
      things: [
        ...(isBound
          ? ['Every token is bound to a key of this page: each request has a proof in its header DPoP.']
          : []),
        'Open /link-map: a screen whose calls only the firm’s own server has says so. The menu leaves such screens out.',
      ],
    }),
  }
}

interface Welcome {
  about: string
  /** The other server that the demo can run on, and how. */
  other: readonly [name: string, command: string]
  signIn: string
  who: readonly string[]
  things: readonly string[]
}

function welcome(origin: string, { about, other: [name, command], signIn, who, things }: Welcome): string {
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
    '  Try',
    `    Watch the countdown: a token lives ${ACCESS_TOKEN_LIFETIME_SECONDS} s here and is renewed 30 s before its end.`,
    '    Open a second tab: it is signed in already. Reload: still signed in.',
    '    Switch the network off in the browser, then on again. Sign out in one of two tabs.',
    ...things.map((line) => `    ${line}`),
    `    Leave it alone for ${IDLE_MINUTES} minutes: it signs out (IDLE_MINUTES=2 npm run demo is quicker).`,
    '',
    '  Everything stays on this computer and in memory. Ctrl-C ends it.',
    '',
  ].join('\n')
}
