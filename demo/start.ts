// npm run demo: starts the app and its servers, says where to go, and leaves nothing behind on Ctrl-C.
import { STAFF, firmById } from './seed.ts'
import { type Demo, startDemo } from './startDemo.ts'

const PORT = Number(process.env['PORT'] ?? 5173)
const IDLE_MINUTES = Number(process.env['IDLE_MINUTES'] ?? 30)
const ACCESS_TOKEN_LIFETIME_SECONDS = 90

const demo = await startDemo({
  app: { from: 'sources', port: PORT },
  accessTokenLifetimeSeconds: ACCESS_TOKEN_LIFETIME_SECONDS,
  realtime: true,
  environments: true,
  auth: { idleTimeoutInMinutes: IDLE_MINUTES },
  log: (line) => {
    if (!line.includes('demo and test tool')) console.error(line)
  },
})
console.log(welcome(demo))

let isEnding = false
const end = async () => {
  if (isEnding) return
  isEnding = true
  await demo.close()
  console.log('\nThe demo has ended.')
  process.exit(0)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end())

function welcome({ origin, authServer }: Demo): string {
  const bold = (text: string) => (process.stdout.isTTY ? `\u001B[1m${text}\u001B[0m` : text)
  const people = STAFF.filter(({ knownIn }) => knownIn.includes('eu')).map(
    ({ name, role, firmId }) =>
      `    ${name.padEnd(15)} ${(role === 'administrator' ? 'administrator' : 'staff').padEnd(14)} ${firmById(firmId)?.name ?? ''}`,
  )
  return [
    '',
    `  latchkey demo: the admin app of a firm, with its own authorization server`,
    '',
    `  Open      ${bold(origin)}`,
    `  Sign-in   ${authServer.origin}  (another origin, as in real life)`,
    '',
    '  Who can sign in, with one click and no password:',
    ...people,
    '',
    '  Try',
    `    Watch the countdown: a token lives ${ACCESS_TOKEN_LIFETIME_SECONDS} s here and is renewed 30 s before its end.`,
    '    Open a second tab: it is signed in already. Reload: still signed in.',
    '    Switch the network off in the browser, then on again. Sign out in one of two tabs.',
    '    Sign in as the same person in another browser or a private window: the older session ends and says why.',
    `    Leave it alone for ${IDLE_MINUTES} minutes: it signs out (IDLE_MINUTES=2 npm run demo is quicker).`,
    '',
    '  Everything stays on this computer and in memory. Ctrl-C ends it.',
    '',
  ].join('\n')
}
