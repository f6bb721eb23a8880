// Writes evidence/conformance.md: the applicable cases of the OpenID conformance suite, latchkey's behaviour, and the test.
import { DO_NOT_FIT, OFFICIAL_CASES, UNTESTED } from '../test/oidc/conformance/officialCases.ts'
import { tableOf, writePage } from './writtenPage.ts'

const TEST = 'test/oidc/conformance/official.test.ts'

export function conformancePage(): string {
  const isAsWanted = OFFICIAL_CASES.filter(
    ({ expected, result }) => expected === 'either' || (expected === 'accept') === (result === 'accepted'),
  ).length
  const untested = Object.entries(UNTESTED)
  const rows = OFFICIAL_CASES.map(({ id, expected, result, note = '' }) => [
    `\`${id}\``,
    expected,
    result,
    note,
  ])
  return `# Conformance

The OpenID conformance suite has plans for relying parties. The suite itself was not run: the cases below are written by what it describes, each with a whole
session in memory at a provider that misbehaves exactly so. Written by \`node scripts/conformance.ts\`; each id is the title of a test in
[${TEST}](../${TEST}), which fails when a result is another: \`npx vitest run --project node ${TEST}\`.

${OFFICIAL_CASES.length + untested.length} cases fit a code client without a secret. ${OFFICIAL_CASES.length} have a test; ${isAsWanted} of them end as the suite wants.

${tableOf([['id', 'expected', 'result', 'note'], ...rows])}
${untested.length === 0 ? '' : `\n## Without a test\n\n${untested.map(([id, why]) => `- \`${id}\`: ${why}.`).join('\n')}\n`}
## What does not fit

Left out, as it is not for a code client without a secret in a browser: ${DO_NOT_FIT}.
`
}

if (import.meta.main) writePage('evidence/conformance.md', conformancePage())
