// npm run interop: walks through checks and a whole session with servers that somebody else wrote; names of servers choose some, --all fails where one cannot run.
import { parseArgs } from 'node:util'
import { findFreePort } from './browsers/freePort.ts'
import type { InteropServer } from '../test/oidc/interop/server.ts'
import { betterAuth } from '../test/oidc/interop/servers/betterAuth.ts'
import { glewlwyd, strictGlewlwyd } from '../test/oidc/interop/servers/glewlwyd.ts'
import { oidcProvider } from '../test/oidc/interop/servers/oidcProvider.ts'
import { type Step, walkChecks, walkSession } from '../test/oidc/interop/walks.ts'

const SERVERS: readonly InteropServer[] = [oidcProvider, betterAuth, glewlwyd, strictGlewlwyd]

const { values, positionals: names } = parseArgs({
  allowPositionals: true,
  options: { all: { type: 'boolean' } },
})
const unknown = names.filter((name) => !SERVERS.some((server) => server.name === name))
if (unknown.length > 0) {
  console.error(`No server is called ${unknown.join(', ')}: ${SERVERS.map(({ name }) => name).join(', ')}`)
  process.exit(1)
}

const counts = { passed: 0, failed: 0 }
for (const server of SERVERS.filter(({ name }) => names.length === 0 || names.includes(name))) {
  console.log(`\n${server.name}`)
  const missing = server.missing()
  if (missing !== undefined) {
    console.log(`     left out: ${missing}`)
    if (values.all || names.includes(server.name)) counts.failed += 1
    continue
  }
  const app = `http://localhost:${await findFreePort()}/`
  const running = await server.start([app, `${app}silent.html`])
  try {
    for (const walk of [walkChecks, walkSession])
      for (const step of await walk(running, app, server)) tell(server, step)
  } finally {
    await running.stop()
  }
}
console.log(`\n${counts.passed} passed, ${counts.failed} failed`)
process.exitCode = counts.failed > 0 ? 1 : 0

function tell({ deviations }: InteropServer, { title, isRight, found }: Step): void {
  counts[isRight ? 'passed' : 'failed'] += 1
  console.log(`${isRight ? 'ok  ' : 'FAIL'} ${title.padEnd(30)} ${found}`)
  const deviation = deviations[title]
  if (deviation !== undefined) console.log(`     ${''.padEnd(30)} known: ${deviation}`)
}
