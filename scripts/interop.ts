// npm run interop: walks through checks and a whole session with servers that somebody else wrote; names of servers choose some, --all fails where one cannot run, --record writes evidence/interop.md. Keycloak runs by its name only, and has a page of its own.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { findFreePort } from './browsers/freePort.ts'
import { madeNow, tableOf, today, writePage } from './writtenPage.ts'
import { walkInChromium, walkOnTwoSites } from '../test/oidc/interop/chromium.ts'
import type { InteropServer } from '../test/oidc/interop/interopServer.ts'
import { SERVERS } from '../test/oidc/interop/servers.ts'
import { type Step, walkChecks, walkSession } from '../test/oidc/interop/walks.ts'

/** The outcome of one server. */
interface Run {
  readonly server: InteropServer
  /** The reason, if it did not run. */
  readonly missing: string | undefined
  readonly steps: readonly Step[]
}

if (import.meta.main) {
  // Everything it has started ends with it, even if it is killed.
  process.once('SIGTERM', () => process.exit(143))
  // An abandoned case may hold a timer forever.
  process.exit(await main())
}

async function main(): Promise<number> {
  const { values, positionals: names } = parseArgs({
    allowPositionals: true,
    options: { all: { type: 'boolean' }, record: { type: 'boolean' } },
  })
  const unknown = names.filter((name) => !SERVERS.some((server) => server.name === name))
  if (unknown.length > 0) {
    console.error(`No server is called ${unknown.join(', ')}: ${SERVERS.map(({ name }) => name).join(', ')}`)
    return 1
  }
  const runs: Run[] = []
  for (const server of SERVERS) {
    const isAsked = names.length === 0 ? !server.isByNameOnly : names.includes(server.name)
    runs.push(isAsked ? await walk(server) : { server, missing: 'not asked for', steps: [] })
  }
  const steps = runs.flatMap((run) => run.steps)
  const passed = steps.filter(({ isRight }) => isRight).length
  // A server with a large download may be absent.
  const missing = runs.filter(
    ({ server, missing: why }) =>
      why !== undefined && !server.isByNameOnly && (values.all || names.includes(server.name)),
  )
  const failed = steps.length - passed + missing.length
  console.log(`\n${passed} passed, ${failed} failed`)
  if (values.record) record(runs)
  return failed > 0 ? 1 : 0
}

/** A server that runs only by name has its own page: the others need not run for it. */
function record(runs: readonly Run[]): void {
  const [alone, together] = [true, false].map((is) =>
    runs.filter(({ server }) => (server.isByNameOnly ?? false) === is),
  )
  if (together!.some(({ missing }) => missing === undefined))
    writePage('evidence/interop.md', interopPage(together!, 'npm run interop -- --record'))
  for (const run of alone!) {
    const { name } = run.server
    if (run.missing !== undefined) continue
    writePage(`evidence/interop-${name}.md`, interopPage([run], `npm run interop -- ${name} --record`))
    const path = `docs/servers/${name}.md`
    writePage(path, testedWith(readFileSync(path, 'utf8'), run.server.version(), today()))
  }
}

/** A provider's page with the last tested version and date in its first line. */
function testedWith(page: string, version: string, day: string): string {
  return page.replace(/^(Tested with .*?)[\w.-]+ on \d{4}-\d\d-\d\d/m, `$1${version} on ${day}`)
}

async function walk(server: InteropServer): Promise<Run> {
  console.log(`\n${server.name}`)
  const missing = server.missing()
  if (missing !== undefined) {
    console.log(`     not run: ${missing}`)
    return { server, missing, steps: [] }
  }
  const steps: Step[] = []
  const app = `http://localhost:${await findFreePort()}/`
  const running = await server.start([app, `${app}silent.html`])
  const parts = [walkChecks, walkSession, ...(server.isByNameOnly ? [walkInChromium, walkOnTwoSites] : [])]
  try {
    for (const part of parts) {
      steps.push(...(await part(running, app, server, (step) => show(server, step))))
    }
  } finally {
    await running.stop()
  }
  return { server, missing, steps }
}

function show({ deviations }: InteropServer, { title, isRight, found }: Step): void {
  console.log(`${isRight ? 'ok  ' : 'FAIL'} ${title.padEnd(30)} ${found}`)
  if (deviations[title] !== undefined) console.log(`     ${''.padEnd(30)} known: ${deviations[title]}`)
}

function interopPage(runs: readonly Run[], command: string): string {
  const results = runs.map(({ server, missing, steps }) => [
    missing === undefined
      ? `[${server.name}](#${server.name.toLowerCase().replaceAll(' ', '-')})`
      : server.name,
    missing === undefined ? server.version() : '',
    missing === undefined ? `${steps.filter(({ isRight }) => isRight).length} of ${steps.length}` : 'not run',
    missing ??
      steps
        .filter(({ isRight }) => !isRight)
        .map(({ title }) => title)
        .join(', '),
  ])
  const parts = runs
    .filter((run) => run.missing === undefined)
    .map(({ server, steps }) => {
      const rows = steps.map(({ title, isRight, found }) => [
        title,
        isRight ? 'right' : 'wrong',
        shortened(found),
        server.deviations[title] ?? '',
      ])
      return `## ${server.name}\n\n${tableOf([['step', 'result', 'found', 'known to differ'], ...rows])}`
    })
  return `# Servers of others, run here

Servers that somebody else wrote, started on this machine ${madeNow()} with Node ${process.versions.node} (\`${process.platform}\`), by \`${command}\`. First the checks
of \`npx latchkey check\`, then each case of a whole session with \`openIdConnect\`. A step is right where latchkey does what it should, also where the server
differs from a standard. A server that is not installed is not run: \`npm run interop\` says how to install it.

${tableOf([['server', 'version', 'steps that are right', 'what is not'], ...results])}

${parts.join('\n\n')}
`
}

/** Ports differ in each run. */
function shortened(text: string): string {
  return text.replaceAll(/(localhost|127\.0\.0\.1):\d+/g, '$1').replace(/^(.{160}[^ ]*) .*$/s, '$1 …')
}
