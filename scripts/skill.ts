// npm run skill: writes skills/latchkey/SKILL.md, the guide for coding tools, from the pages of docs/. --check only compares, and fails if they differ.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { blocksOf, readDocsPage, sectionOf } from './docsParts.ts'
import { plainPage, writePage } from './writtenPage.ts'

const FILE = 'skills/latchkey/SKILL.md'

/** Words in a task or in code for which a tool should read it. */
const DESCRIPTION =
  'Sign-in for React admin apps in the browser: createAuth, AuthProvider, Authenticated, useAuth, useUser, useUserInfo, useAuthed, auth.fetch, OpenID Connect providers, typed claims, route guards, the Vite plugin, token checks on a server, and tests with latchkey/testing. Load it before you write, review or mend code that imports latchkey.'

interface Part {
  title: string
  page: string
  heading?: string
  /** The blocks to include. Default: all. */
  blocks?: readonly number[]
}

const PARTS: readonly Part[] = [
  {
    title: 'Call your own API',
    page: 'hooks/yourApi.md',
    heading: '## useAuthed',
    blocks: [0],
  },
  { title: 'The same outside components', page: 'queries.md', heading: '## authed', blocks: [0] },
  { title: 'Typed claims, and screens for some only', page: 'claims.md', heading: '', blocks: [0] },
  { title: 'Guard routes of TanStack Router', page: 'recipes.md', heading: '## Guards in TanStack Router' },
  { title: 'Check the token in your API', page: 'server.md', heading: '', blocks: [1] },
  { title: 'Test a screen', page: 'testing.md', heading: '## A screen in any state', blocks: [0] },
  {
    title: 'Test the app in a browser',
    page: 'testing.md',
    heading: '## In a real browser, with Playwright',
    blocks: [0],
  },
]

export function skillText(): string {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  const start = readDocsPage('quickStart.md')
  const files = ['src/authConfig.ts', 'src/auth.ts', 'src/main.tsx', 'vite.config.ts'].map(
    (name) => `\`${name}\`\n\n${fileOf(start, name)}`,
  )
  const oidc = blocksOf(sectionOf(start, '## With an OpenID Connect provider')).find((block) =>
    block.includes('openIdConnect'),
  )
  const parts = PARTS.map(({ title, page, heading = '', blocks }) => {
    const found = blocksOf(sectionOf(readDocsPage(page), heading))
    const chosen = blocks ? blocks.map((index) => found[index]) : found
    if (chosen.length === 0 || chosen.includes(undefined)) throw new Error(`${page} ${heading} lacks a block`)
    return `### ${title}\n\n${chosen.join('\n\n')}`
  })
  return `---
name: latchkey
description: >-
  ${DESCRIPTION}
metadata:
  type: core
  library: latchkey
  library_version: '${version}'
sources:
  - 'docs/quickStart.md'
${[...new Set(PARTS.map(({ page }) => page))].map((page) => `  - 'docs/${page}'`).join('\n')}
  - 'docs/troubleshooting.md'
---

# latchkey ${version}

The package installed here is the truth: names, options, units and defaults stand in \`node_modules/latchkey/dist/*.d.ts\`, with TSDoc. Do not guess an option: an unknown one is an error.

## Setup

\`npx latchkey init\` writes these files into a Vite app (in a Vite config of its own, add the lines of the plugin), \`npx latchkey doctor\` says what is set up wrongly, and \`npx latchkey check\` looks at the server.

${files.join('\n\n')}

With an OpenID Connect provider, \`src/authConfig.ts\` is:

${oidc}

## Core patterns

${parts.join('\n\n')}

## Common mistakes

${mistakes()}

\`console.table(auth.explain())\` lists every step of a session, without secrets. \`AuthError\` has a stable \`code\`, a \`message\` and a \`remedy\`: switch on \`code\`, show \`userText(error)\`.
`
}

/** The setup problems of docs/troubleshooting.md, without links. */
const mistakes = (): string =>
  (
    sectionOf(readDocsPage('troubleshooting.md'), '## Setting up')
      .match(/^\|.*\|$/gm)
      ?.join('\n') ?? ''
  ).replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')

function fileOf(page: string, name: string): string {
  const [, block] = page.split(new RegExp(`^\`${name.replaceAll('.', '\\.')}\`.*\\n\\n(?=\`\`\`)`, 'm'))
  if (block === undefined) throw new Error(`no file ${name}`)
  return blocksOf(block)[0] ?? ''
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (!process.argv.includes('--check')) writePage(FILE, skillText())
  else if (plainPage(readFileSync(FILE, 'utf8')) !== plainPage(skillText())) {
    console.error(`${FILE} is not what docs/ say: npm run skill`)
    process.exitCode = 1
  }
}
