// evidence/providers.md, of what the tests of the stand-ins have found.
import { tableOf } from '../../../scripts/writtenPage.ts'
import { STAND_INS, type StandInCase, WHOLE_SESSION } from '../interop/standIns.ts'
import { titleOf, type TraitCase } from '../interop/traitCases.ts'
import type { Step } from '../interop/walks.ts'

/** `npm run test:consumers -- providers` writes what the page begins its last part with. */
const BY_THE_PAGE = '\n## By the page alone\n'

/** The page with these results; its last part stays. */
export function providersPage(
  before: string,
  sessions: ReadonlyMap<string, readonly Step[]>,
  found: ReadonlyMap<TraitCase, string>,
): string {
  const walks: string[][] = []
  /** The rows of each provider. */
  const rows = new Map<string, string[][]>()
  const note = (provider: string, ...cells: string[]) => {
    const row = cells.map((text) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;'))
    rows.set(provider, [...(rows.get(provider) ?? []), row])
  }
  for (const [key, { provider }] of Object.entries(STAND_INS) as [string, StandInCase][]) {
    const steps = sessions.get(key) ?? []
    const wrong = steps.filter(({ isRight }) => !isRight).map(({ title }) => title)
    const right = `${steps.length - wrong.length} of ${steps.length}`
    walks.push([provider.name, right, wrong.join(', ') || 'nothing'])
    for (const { name, source } of provider.everyday)
      note(provider.name, name, `a whole session: ${right}`, `${key} › ${WHOLE_SESSION}`, source)
  }
  for (const [one, what] of found)
    note(one.provider, one.trait.name, what, `a token for an API › ${titleOf(one)}`, one.trait.source)

  const [, byThePage = ''] = before.split(BY_THE_PAGE)
  const traits = [...rows].map(
    ([provider, all]) =>
      `### ${provider}\n\n${tableOf([['trait', 'what latchkey makes of it', 'test', 'source'], ...all])}\n`,
  )
  return `# Providers, by what they are known to do

Written by \`LATCHKEY_RECORD=1 npx vitest run --project node test/oidc/providers/traits.test.ts\`, and the same in every \`npm test\`. The products themselves were not run: npm oidc-provider stands in for each, at its addresses, and does
what its documentation or source says (\`demo/servers/oidc/traits\`). Each is used with its preset. \`test/oidc/providers/traits.test.ts\` has the tests that hold each trait, by the names in the tables.

What a provider does once in a while is a trait of \`latchkey/testing\` (\`src/testing/providerTraits.ts\`), or a response in the tests of \`test/oidc\`.

## A whole session with each

Sign-in, reload, new tab, renewal on time and forced, eight tabs, logout, denied sign-in, wrong client, restart, no CORS.

${tableOf([['provider', 'cases that are right', 'what is not'], ...walks])}

## Traits

${traits.join('\n')}${BY_THE_PAGE}${byThePage}`
}
