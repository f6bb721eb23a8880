// Runs every stand-in with its traits and writes what was found into evidence/providers.md.
import { writeFileSync } from 'node:fs'
import { APP, STAND_INS, type StandInCase, startServer } from './interop/standIns.ts'
import { TRAIT_CASES } from './interop/traitCases.ts'
import { walkSession } from './interop/walkSession.ts'

const today = new Date().toISOString().slice(0, 10)
const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;')
const failures: string[] = []
const walks: string[] = []
const everyday: string[] = []
const occasional: string[] = []

for (const which of Object.values(STAND_INS) as StandInCase[]) {
  const { name, traits } = which.provider
  const server = await startServer(which)
  const steps: { title: string; isRight: boolean }[] = []
  await walkSession(server, APP, {}, (step) => steps.push(step))
  await server.stop()
  const wrong = steps.filter(({ isRight }) => !isRight).map(({ title }) => title)
  failures.push(...wrong.map((title) => `${name}: ${title}`))
  walks.push(
    `| ${name} | ${steps.length - wrong.length} of ${steps.length} | ${wrong.join(', ') || 'nothing'} |`,
  )
  for (const trait of traits)
    if (!trait.isOccasional) everyday.push(`| ${name} | ${cell(trait.name)} | ${cell(trait.source)} |`)
  console.log(walks.at(-1))
}
for (const { provider, trait, run } of TRAIT_CASES) {
  const found = await run().catch((error: unknown) => {
    failures.push(`${provider}: ${trait.name}`)
    return `FAILED: ${String(error)}`
  })
  occasional.push(`| ${provider} | ${cell(trait.name)} | ${cell(found)} | ${cell(trait.source)} |`)
  console.log(occasional.at(-1))
}

writeFileSync(
  'evidence/providers.md',
  `# Providers, by what they are known to do

Written by \`node scripts/providerTraits.ts\` on ${today}. The products themselves were not run: npm oidc-provider stands in for each, at its addresses, and does what its
documentation or source says (\`demo/servers/oidc/traits\`). Each is used with its preset. \`test/oidc/providers/traits.test.ts\` runs the same.

## A whole session with each

Sign-in, reload, new tab, renewal on time and forced, eight tabs, logout, denied sign-in, wrong client, restart, no CORS.

| provider | cases that are right | what is not |
| -------- | -------------------- | ----------- |
${walks.join('\n')}

## What each does every day

| provider | trait | source |
| -------- | ----- | ------ |
${everyday.join('\n')}

## What happens once in a while

| provider | trait | what latchkey makes of it | source |
| -------- | ----- | ------------------------- | ------ |
${occasional.join('\n')}
`,
)
if (failures.length > 0) {
  console.error(`Not right: ${failures.join('; ')}`)
  process.exitCode = 1
}
