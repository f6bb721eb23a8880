// Counts the bad inputs and faults that the suite names, and writes evidence/faults.md from the tables and the last results of the long runs.
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { DEFECTS } from '../test/defects.ts'
import { FAULTS, type NamedTest } from '../test/faults.ts'
import { GENERATED } from '../test/generated.ts'
import { bypasses } from '../test/node/signIn/bypasses.ts'
import { hostileFiles } from '../test/node/environments/hostileFiles.ts'
import { type Listed, type Named, problemsOf, sumOf } from './faultCheck.ts'
import { goalRows, type Reached } from './faultGoals.ts'
import { readResults } from './mutation/report.ts'
import { explanationOf } from '../test/unnoticed.ts'
import { plainPage } from './writtenPage.ts'

const PAGE = 'evidence/faults.md'

/** So many have to run at least, some tables for themselves; exact counts would be old with every test that comes. */
const LEAST_NAMED: Named = {
  all: 2300,
  'dom/calls/badAnswers': 308,
  'dom/secrets/secrets.canary': 60,
  'node/storage/storageFaults': 192,
  'node/renewal/clocks': 135,
  'node/startUp/loops': 15,
}

/** Rows of tables: tests whose names are bad inputs or faults, by their file under test/. */
const NAMED: readonly (readonly [file: string, name: RegExp])[] = [
  ['dom/calls/badAnswers', /met by (?!the right)|without a network/],
  ['dom/secrets/secrets.canary', / meets (?!the right)/],
  ['dom/renewal/wakeBurst', /./],
  ['editor/scan', /says what is wrong/],
  ['node/demo/authServerFaults', /a rule for one address|a switch of the whole/],
  ['node/calls/call', /./],
  ['node/tokens/claims', /cannot be decoded/],
  ['node/config/config', /is refused with its own text/],
  ['node/signIn/conformance', /with |for another|that answers for/],
  ['node/calls/endpoints', /is refused|refuses/],
  ['node/session/eventHooks', /a hook that|that fails|is unsupported|is refused|throws|rejects/],
  ['node/idle/idle', /./],
  ['node/calls/linkMap', /refuses|is no/],
  ['node/startUp/loops', /is left alone/],
  ['node/signIn/origin', /never|is refused|is undefined|is no/],
  ['node/passthrough/passthrough', /./],
  ['node/uniqueSession/presenceProtocol', /is nobody|is no|are no/],
  ['node/realtime/realtimePubnub', /./],
  ['node/storage/tabRecords', /denied|throws|full|cleared|poisoned|storage/],
  ['node/environments/redirection', /./],
  ['node/renewal/renewal', /fail|clock|429|lifetime|refuse|somebody else|offline/],
  ['node/signIn/signIn', /is no answer|is not taken|becomes|any other error/],
  ['node/signOut/signOut', /./],
  ['node/startUp/silentCheck', /not heard|fail|of another|does not answer|answer .*: /],
  ['node/startUp/startUp', /error|refuse|without network|loop|denied|throws|full|used up/],
  ['node/storage/storageFaults', /./],
  ['node/tabs/tabsCrashes', /./],
  ['node/tabs/tabsRateLimit', /./],
  ['node/tabs/tabsWaits', /./],
  ['node/renewal/clocks', /and a lifetime of/],
  ['node/tokens/tokens', /is an unexpected answer|as its lifetime/],
]

const { values } = parseArgs({ options: { check: { type: 'string' }, page: { type: 'boolean' } } })
if (values.check !== undefined) process.exitCode = check(values.check)
else if (values.page) process.exitCode = checkPage()
else writeFileSync(PAGE, page())

/** After a run of the suite: what the page says ran and passed. */
function check(folder: string): number {
  const tests = readReports(folder)
  const counted = countNamed(tests)
  const problems = problemsOf(tests, counted, {
    faults: FAULTS,
    defects: DEFECTS,
    leastNamed: LEAST_NAMED,
    folders: [...new Set(tests.map(({ file }) => file.split('/')[0] ?? ''))],
  })
  console.log(`${sumOf(counted)} named bad inputs and faults`)
  for (const problem of problems) console.error(problem)
  return problems.length > 0 ? 1 : 0
}

/** Before a run: the page is that of its sources. */
function checkPage(): number {
  if (plainPage(readFileSync(PAGE, 'utf8')) === plainPage(page())) return 0
  console.error(`${PAGE} is not what its sources say: node scripts/faults.ts`)
  return 1
}

/** By the table that they stand in. */
function countNamed(tests: readonly Listed[]): Named {
  const rows = NAMED.map(([file, pattern]) => [
    file,
    tests.filter((test) => test.file === file && pattern.test(test.name)).length,
  ])
  return {
    'return addresses that lead elsewhere': bypasses.length,
    'redirections files that nobody wrote for us': hostileFiles.length,
    ...(Object.fromEntries(rows) as Named),
  }
}

function fileOf(path: string): string {
  return relative('test', relative(process.cwd(), path))
    .replaceAll('\\', '/')
    .replace(/\.test\.tsx?$/, '')
}

interface VitestReport {
  testResults: {
    name: string
    assertionResults: { ancestorTitles: string[]; title: string; status: string }[]
  }[]
}

/** The tests of every run whose report is there; one that a run left to another counts as it ended there. */
function readReports(folder: string): Listed[] {
  const ends = new Map<string, { file: string; name: string; statuses: string[] }>()
  for (const path of globSync('*.json', { cwd: folder })) {
    const { testResults } = JSON.parse(readFileSync(join(folder, path), 'utf8')) as VitestReport
    for (const { name: at, assertionResults } of testResults)
      for (const { ancestorTitles, title, status } of assertionResults) {
        const [file, name] = [fileOf(at), [...ancestorTitles, title].join(' > ')]
        const key = `${file} ${name}`
        ends.set(key, { file, name, statuses: [...(ends.get(key)?.statuses ?? []), status] })
      }
  }
  return [...ends.values()].map(({ file, name, statuses }) => ({
    file,
    name,
    isPassed: statuses.includes('passed') && !statuses.includes('failed'),
  }))
}

function read(path: string): unknown {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}

/** Counts with a goal of one measurement in Chromium; times belong to a machine, and stand in evidence/benchmarks.md. */
function figuresOf(measurement: string): Reached['measured'] {
  const { figures } = read(`bench/results/${measurement}.json`) as { figures: Reached['measured'] }
  return figures
    .filter(({ goal }) => /^[\d,]+$/.test(goal ?? ''))
    .map((figure) => ({ ...figure, measurement }))
}

function page(): string {
  const reached: Reached = {
    leastNamed: LEAST_NAMED,
    generated: GENERATED,
    mutation: readResults(),
    addresses: read('test/results/addresses.json') as Reached['addresses'],
    browsers: (read('test/results/browsers.json') ?? []) as Reached['browsers'],
    measured: ['tabs', 'lasting'].flatMap((name) => figuresOf(name)),
  }
  const shown = ([file, name]: NamedTest) => {
    return `[${file}](../${pathOf(file)}): ${filled(name).replaceAll('<', '&lt;')}`
  }
  const list = (tests: readonly NamedTest[]) => tests.map((test) => `  - ${shown(test)}`).join('\n')
  const faults = FAULTS.map(({ id, what, tests }) => `- **${id}** ${what}\n${list(tests)}`)
  const defects = DEFECTS.map(
    ({ what, mended, tests }) => `- **Before:** ${what}. **Now:** ${mended}.\n${list(tests)}`,
  )
  const generated = Object.entries(GENERATED).map(
    ([kind, { count }]) => `| ${kind} | ${count.toLocaleString('en')} |`,
  )
  return `# Faults

What breaks around a session, and which test shows what the user sees then. This page is written by
\`node scripts/faults.ts\` from [test/faults.ts](../test/faults.ts), [test/generated.ts](../test/generated.ts) and the last results of
the long runs in \`test/results/\`; \`npm run test:all\` fails when a test that is named here did not run
and pass, when too few ran, and when this page is not what its sources say.

## Numbers

| what | wanted | reached | again |
| --- | --- | --- | --- |
${goalRows(reached).join('\n')}

## Every fault and its tests

At least one test of each fault runs in a real browser (\`e2e/\`, \`browser/\`).

${faults.join('\n')}

## Defects that this work found

${defects.join('\n')}

## What a relying party must do

What the OpenID conformance suite asks of relying parties, as far as it fits a client without an ID token; each against oidc-provider and against the server in memory
([node/signIn/conformance](../test/node/signIn/conformance.test.ts)).

${conformance()}

## Generated inputs of one run

Half of them are the same every time, half new every time, of whole sessions all the same, and new ones in longer runs; an input that fails is made as small as it can be, a text of the editor is shown as it is.

| kind | inputs |
| --- | --- |
${generated.join('\n')}

## Named bad inputs and faults

Rows of tables, each a test of its own or an entry of a list: \`npm run test:all\` counts those that ran, and fails below what is wanted.
They stand in two lists (addresses that lead elsewhere, redirections files that nobody wrote for us) and in ${NAMED.length} files of tests:
${NAMED.map(([file]) => `[${file}](../${pathOf(file)})`).join(', ')}.

## Mutation testing

${mutationText(reached)}
`
}

function pathOf(file: string): string | undefined {
  return ['.test.ts', '.test.tsx'].map((end) => `test/${file}${end}`).find((one) => existsSync(one))
}

/** The name of a test with its places left open. */
function filled(name: string): string {
  return name.replaceAll(/%[a-z]/g, '…')
}

/** The names of the relying-party list, as they stand in its source. */
function conformance(): string {
  const source = readFileSync('test/node/signIn/conformance.test.ts', 'utf8')
  const [, list = ''] = source.split('describe.each(')
  return [...list.matchAll(/\b(describe)\(\s*'([^']+)'|(?:\bit\(|\]\)\()\s*'([^']+)'/g)]
    .filter(([, , heading, name]) => heading !== undefined || name !== 'against %s')
    .map(([, , heading, name]) => (heading === undefined ? `  - ${filled(name ?? '')}` : `- **${heading}**`))
    .join('\n')
}

function mutationText({ mutation }: Reached): string {
  const rows = mutation.rows.map(
    ({ file, mistakes, noticed }) =>
      `| ${file.replace('src/', '')} | ${mistakes} | ${noticed} | ${mistakes - noticed} |`,
  )
  const left = mutation.unnoticed.map((survivor) => {
    const { file, line, operator, original } = survivor
    const why = explanationOf(survivor) ?? '**no reason is known**'
    return `| ${file.replace('src/', '')}:${line} | ${code(original)} | ${operator} | ${why} |`
  })
  return `\`npm run test:mutation\` makes small mistakes in a copy of the source, one at a time: a condition always or never true, a
comparison off by one, a call left out, another text or number. A mistake counts as noticed when a test fails.

| file | mistakes | noticed | not noticed |
| --- | --- | --- | --- |
${rows.join('\n')}

What is not noticed, and why. Lines are those of the day of the run.

| where | what | mistake | why |
| --- | --- | --- | --- |
${left.join('\n')}
`
}

function code(text: string): string {
  return `\`${text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').slice(0, 80)}\``
}
