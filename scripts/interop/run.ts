// npm run interop: walks through a sign-in with servers that somebody else wrote; names of servers choose some, --all fails where one cannot run.
import type { InteropServer } from './server.ts'
import { betterAuth } from './servers/betterAuth.ts'
import { glewlwyd } from './servers/glewlwyd.ts'
import { oidcProvider } from './servers/oidcProvider.ts'
import { type Step, walk } from './walk.ts'
import { walkSession } from './walkSession.ts'

/** Nobody listens there: a way that ends there is not followed. */
const APP = 'http://localhost:5173/'
const SERVERS: readonly InteropServer[] = [oidcProvider, betterAuth, glewlwyd]

const words = process.argv.slice(2)
const names = words.filter((word) => !word.startsWith('--'))
const unknown = names.filter((name) => !SERVERS.some((server) => server.name === name))
if (unknown.length > 0) {
  console.error(`No server is called ${unknown.join(', ')}: ${SERVERS.map(({ name }) => name).join(', ')}`)
  process.exit(1)
}

let passed = 0
let failed = 0
for (const server of SERVERS.filter(({ name }) => names.length === 0 || names.includes(name))) {
  console.log(`\n${server.name}`)
  const missing = server.missing()
  if (missing !== undefined) {
    console.log(`     left out: ${missing}`)
    if (words.includes('--all') || names.includes(server.name)) failed += 1
    continue
  }
  const running = await server.start([APP, `${APP}silent.html`])
  try {
    await walk(running, APP, (step) => tell(server, step)).catch(() => {
      // The step has told it.
    })
    await walkSession(running, APP, server, (step) => tell(server, step))
  } finally {
    await running.stop()
  }
}
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0

function tell({ deviations }: InteropServer, { title, isRight, found }: Step): void {
  if (isRight) passed += 1
  else failed += 1
  console.log(`${isRight ? 'ok  ' : 'FAIL'} ${title.padEnd(30)} ${found}`)
  const deviation = deviations[title]
  if (deviation !== undefined) console.log(`     ${''.padEnd(30)} differs from the standard: ${deviation}`)
}
