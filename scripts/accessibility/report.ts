// Writes evidence/accessibility.md from the results that stand beside this file; the page is never written by hand.
import { tableOf } from '../writtenPage.ts'
import type { Finding } from './inspect.ts'

export interface Inspected {
  readonly browser: string
  readonly axe: string
  readonly findings: readonly Finding[]
}

/** What Lighthouse said of one page. */
export interface LighthouseScore {
  readonly page: string
  readonly form: string
  /** Category to score, 0 to 100. */
  readonly scores: Readonly<Record<string, number>>
  /** Audits that were not passed, in Lighthouse's words. */
  readonly notPassed: readonly string[]
}

export interface Lighthouse {
  readonly lighthouse: string
  readonly browser: string
  readonly pages: readonly LighthouseScore[]
}

const PARTS = ['demo', 'documentation'] as const

export function toMarkdown(
  { browser, axe, findings }: Inspected,
  lighthouse: Lighthouse | undefined,
): string {
  const looks = [...new Set(findings.map(({ look }) => look))]
  return `# Accessibility

Written by \`npm run accessibility\` from \`evidence/results/\`; change the pages, not this one. axe-core ${axe} in
Chromium ${browser}, each page in each of these looks: ${looks.join('; ')}. Every rule that axe has switched on by itself, best practices included.

${tableOf([
  [
    'part',
    'pages',
    'looks',
    'rules kept, in sum',
    'violations',
    'wider than the screen',
    'requests elsewhere',
  ],
  ...PARTS.map((part) =>
    toRow(
      part,
      findings.filter((finding) => finding.part === part),
    ),
  ),
])}
${toViolations(findings)}
## What was looked at

${PARTS.map((part) => `- **${part}**: ${pagesOf(findings, part).join(' · ')}`).join('\n')}

The panel of the query devtools in the demo is left out: it is another package's. The stories of the catalogue are looked at in every \`npm test\`,
light, and once more in the dark at 360 px; so are the demo's screens, by \`test/e2e/looks/looks.test.ts\` and \`test/e2e/looks/accountLooks.test.ts\`.

## By keyboard and with less motion

\`test/e2e/looks/looks.test.ts\` signs in, walks, renews and signs out by keyboard alone, and opens and closes the menu of a small screen. The editor, the toasts and
the popups have keyboard tests of their own in \`test/browser/\` and \`test/dom/\`. Nothing moves where \`prefers-reduced-motion\` says so.
${lighthouse ? toLighthouse(lighthouse) : ''}`
}

const pagesOf = (findings: readonly Finding[], part: string) => [
  ...new Set(findings.filter((finding) => finding.part === part).map(({ page }) => page)),
]

function toRow(part: string, findings: readonly Finding[]): string[] {
  const sum = (count: (finding: Finding) => number) =>
    findings.reduce((total, finding) => total + count(finding), 0)
  return [
    part,
    new Set(findings.map(({ page }) => page)).size,
    new Set(findings.map(({ look }) => look)).size,
    sum(({ passedRules }) => passedRules),
    sum(({ violations }) => violations.length),
    sum(({ widerBy }) => Number(widerBy > 0)),
    sum(({ requestsElsewhere }) => requestsElsewhere.length),
  ].map(String)
}

function toViolations(findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ page, look, violations }) =>
    violations.map((violation) => `- ${page} (${look}): \`${violation.replaceAll('`', "'")}\``),
  )
  return lines.length === 0 ? '' : `\n${lines.join('\n')}\n`
}

function toLighthouse({ lighthouse, browser, pages }: Lighthouse): string {
  const categories = [...new Set(pages.flatMap(({ scores }) => Object.keys(scores)))]
  const rows = pages.map(({ page, form, scores }) => [
    page,
    form,
    ...categories.map((category) => String(scores[category] ?? '')),
  ])
  const notPassed = pages.flatMap(({ page, form, notPassed: audits }) =>
    audits.map((audit) => `- ${page}, ${form}: ${audit}`),
  )
  return `
## Lighthouse

Written by \`npm run lighthouse\`: Lighthouse ${lighthouse} in Chromium ${browser}, out of 100.

${tableOf([['page', 'as', ...categories], ...rows])}
${notPassed.length === 0 ? '' : `\nNot passed:\n\n${notPassed.join('\n')}\n`}`
}
