// npm run accessibility, after npm run docs:build: axe on every page of demo and documentation in every look, written down.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { chromium } from 'playwright'
import { chromiumLaunchOptions } from '../findChromium.ts'
import { writePage } from '../writtenPage.ts'
import { inspectDemo } from './demo.ts'
import type { Finding } from './inspect.ts'
import { type Inspected, type Lighthouse, toMarkdown } from './report.ts'
import { inspectDocumentation } from './staticPages.ts'

const RESULTS = 'evidence/results'
const INSPECTIONS = { demo: inspectDemo, documentation: inspectDocumentation }
type Part = keyof typeof INSPECTIONS
const isPart = (word: string): word is Part => word in INSPECTIONS

const wanted = process.argv.slice(2).filter(isPart)
const parts = wanted.length > 0 ? wanted : (Object.keys(INSPECTIONS) as Part[])
const browser = await chromium.launch(chromiumLaunchOptions())
const findings: Finding[] = []
try {
  for (const part of parts) findings.push(...(await INSPECTIONS[part](browser)))
} finally {
  await browser.close()
}

const kept =
  (read('axe') as Inspected | undefined)?.findings.filter(
    ({ part }) => !parts.some((done) => done === part),
  ) ?? []
const { version: axe } = JSON.parse(readFileSync('node_modules/axe-core/package.json', 'utf8')) as {
  version: string
}
const inspected: Inspected = { browser: browser.version(), axe, findings: [...kept, ...findings] }
mkdirSync(RESULTS, { recursive: true })
writeFileSync(`${RESULTS}/axe.json`, `${JSON.stringify(inspected, undefined, 1)}\n`)
writePage('evidence/accessibility.md', toMarkdown(inspected, read('lighthouse') as Lighthouse | undefined))

const faults = findings.flatMap(({ page, look, violations, widerBy, requestsElsewhere }) => [
  ...violations.map((violation) => `${page}, ${look}: ${violation}`),
  ...(widerBy > 0 ? [`${page}, ${look}: ${widerBy} px wider than the screen`] : []),
  ...requestsElsewhere.map((address) => `${page}, ${look}: asked ${address}`),
])
for (const fault of faults) console.error(fault)
console.log(`${findings.length} looks at pages, ${faults.length} faults`)
if (faults.length > 0) process.exitCode = 1

function read(name: string): unknown {
  try {
    return JSON.parse(readFileSync(`${RESULTS}/${name}.json`, 'utf8'))
  } catch {
    return undefined
  }
}
