// Runs every stand-in with its traits and writes what was found into evidence/providers.md.
import { readFileSync } from 'node:fs'
import { APP, STAND_INS, type StandInCase, startServer, WHOLE_SESSION } from './interop/standIns.ts'
import { titleOf, TRAIT_CASES } from './interop/traitCases.ts'
import { walkSession } from './interop/walks.ts'
import { writePage } from './writtenPage.ts'

const PAGE = 'evidence/providers.md'

const today = new Date().toISOString().slice(0, 10)
const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;')
const failures: string[] = []
const walks: string[] = []
/** The rows of each provider. */
const rows = new Map<string, string[]>()
const note = (provider: string, ...cells: string[]) =>
  rows.set(provider, [...(rows.get(provider) ?? []), `| ${cells.map(cell).join(' | ')} |`])

for (const [key, which] of Object.entries(STAND_INS) as [string, StandInCase][]) {
  const { name, traits } = which.provider
  const server = await startServer(which)
  const steps = await walkSession(server, APP)
  await server.stop()
  const wrong = steps.filter(({ isRight }) => !isRight).map(({ title }) => title)
  failures.push(...wrong.map((title) => `${name}: ${title}`))
  const right = `${steps.length - wrong.length} of ${steps.length}`
  walks.push(`| ${name} | ${right} | ${wrong.join(', ') || 'nothing'} |`)
  for (const { name: trait, source, isOccasional } of traits)
    if (!isOccasional) note(name, trait, `a whole session: ${right}`, `${key} › ${WHOLE_SESSION}`, source)
  console.log(walks.at(-1))
}
for (const one of TRAIT_CASES) {
  const { provider, trait, run } = one
  const found = await run().catch((error: unknown) => {
    failures.push(titleOf(one))
    return `FAILED: ${String(error)}`
  })
  note(provider, trait.name, found, `once in a while › ${titleOf(one)}`, trait.source)
  console.log(`${titleOf(one)}: ${found}`)
}

// `npm run test:consumers -- providers --record` writes what the page begins its last part with.
const BY_THE_PAGE = '\n## By the page alone\n'
const [, byThePage = ''] = readFileSync(PAGE, 'utf8').split(BY_THE_PAGE)

writePage(
  PAGE,
  `# Providers, by what they are known to do

Written by \`node scripts/providerTraits.ts\` on ${today}. The products themselves were not run: npm oidc-provider stands in for each, at its addresses, and does what its
documentation or source says (\`demo/servers/oidc/traits\`). Each is used with its preset. \`test/oidc/providers/traits.test.ts\` has the tests that hold each trait, by the names in the tables.

## A whole session with each

Sign-in, reload, new tab, renewal on time and forced, eight tabs, logout, denied sign-in, wrong client, restart, no CORS.

| provider | cases that are right | what is not |
| -------- | -------------------- | ----------- |
${walks.join('\n')}

## Traits

${[...rows]
  .map(
    ([provider, all]) =>
      `### ${provider}\n\n| trait | what latchkey makes of it | test | source |\n| --- | --- | --- | --- |\n${all.join('\n')}\n`,
  )
  .join('\n')}${BY_THE_PAGE}${byThePage}`,
)
if (failures.length > 0) {
  console.error(`Not right: ${failures.join('; ')}`)
  process.exitCode = 1
}
