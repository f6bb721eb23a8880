// Holds evidence/accessibility.md to the results that it is written from, and the results to having no fault.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { plainPage } from '../../../scripts/writtenPage.ts'
import { type Inspected, type Lighthouse, toMarkdown } from '../../../scripts/accessibility/report.ts'

const read = (name: string) => JSON.parse(readFileSync(`evidence/results/${name}.json`, 'utf8')) as unknown
const inspected = read('axe') as Inspected
const findings = (part: string) => inspected.findings.filter((finding) => finding.part === part)

it('the page says what the results say, and nothing else', () => {
  const page = readFileSync('evidence/accessibility.md', 'utf8').replaceAll('\r\n', '\n')
  expect(plainPage(page)).toBe(plainPage(toMarkdown(inspected, read('lighthouse') as Lighthouse)))
})

describe.each([
  ['demo', 20],
  ['documentation', 50],
])('the %s', (part, least) => {
  it('was looked at in light and dark, on a desk and on a phone of 360 px', () => {
    const looks = Map.groupBy(findings(part), ({ look }) => look)
    expect([...looks.keys()]).toEqual(['light, 1440 px', 'dark, 1440 px', 'light, 360 px', 'dark, 360 px'])
    for (const pages of looks.values()) expect(pages.length).toBeGreaterThanOrEqual(least)
  })

  it('has no barrier that axe finds, fits the screen and asks nothing of others', () => {
    const faults = findings(part).flatMap(({ violations, widerBy, requestsElsewhere }) => [
      ...violations,
      ...requestsElsewhere,
      ...(widerBy > 0 ? [`${widerBy} px`] : []),
    ])
    expect(faults).toEqual([])
  })
})
