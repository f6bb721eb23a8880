// The pages for people with an OpenID Connect provider: each provider's settings, and what the hooks say that need another server.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { ServerFeature } from '../../../src/protocol/servers/profile.ts'
import { CONTRACT_ONLY } from '../contractOnly.ts'

/** Those that most apps have. */
const FIRST = ['keycloak', 'auth0', 'entra', 'okta']
const PROVIDERS = [
  'cognito',
  'google',
  'zitadel',
  'authentik',
  'logto',
  'workos',
  'fusionauth',
  'hydra',
  'ping',
]
const read = (page: string) => readFileSync(`docs/${page}.md`, 'utf8')
/** The first piece of TypeScript on a page. */
const codeOf = (page: string) => /```tsx?\n([^]*?)```/.exec(page)?.[1] ?? ''

it.each(PROVIDERS)('%s: what to register, what to pass, what to know, and whether it was run', (name) => {
  const page = read(`servers/${name}`)
  expect(page).toMatch(/\b(?:not run|run here)\b/i)
  expect(page).toContain('\n## Register\n')
  // Google works through one of the others, and its page says so before anything else.
  if (name !== 'google') expect(page).toMatch(/\n## Good to know\n/)
  expect(codeOf(page)).toMatch(new RegExp(`= (?:openIdConnect|${name})\\(`))
  expect(codeOf(page)).toContain("from 'latchkey/oidc'")
  expect(read('servers/README')).toContain(`](${name}.md)`)
})

it.each(FIRST)('%s: eight steps, what goes wrong first, and what any provider has', (name) => {
  const page = read(`servers/${name}`)
  expect(page).toContain('The product was not run:')
  const headings = [...page.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)
  // Under a heading of its own, or where the first page says what is alike at every provider.
  const [, alike = ''] = /^At every provider alike: (.*)$/m.exec(read('servers/README')) ?? []
  const topics = ['Tokens for APIs', 'Roles', 'Logout', 'Step-up', 'DPoP', 'Blocked cookies']
  const isSaid = (topic: string) =>
    headings.includes(topic) || alike.toLowerCase().includes(`[${topic.toLowerCase()}](`)
  expect(topics.filter((topic) => !isSaid(topic))).toEqual([])
  expect(headings.slice(0, 2)).toEqual([
    'Eight steps to a signed-in user',
    'What goes wrong on the first day',
  ])
  const [, steps = ''] = page.split('## Eight steps to a signed-in user')
  expect(steps.split('\n## ')[0]!.match(/^\d+\. /gm)).toHaveLength(8)
  expect(codeOf(page)).toContain(`server: ${name}({`)
  expect(read('servers/README')).toContain(`](${name}.md)`)
})

describe('evidence/providerSources.md', () => {
  const plain = (text: string) => text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/\*\*|`/g, '')
  const sections = readFileSync('evidence/providerSources.md', 'utf8')
    .replaceAll('\r\n', '\n')
    .split('\n## ')
    .slice(1)
  const sourcesOf = new Map(
    sections.map((section) => [
      section.split('\n')[0]!.replace('.md', ''),
      [...section.matchAll(/^- “(.+)”: (.+)$/gm)].map(([, words = '']) => words),
    ]),
  )

  it.each([...sourcesOf])('quotes what docs/servers/%s.md says', (name, quotes) => {
    const page = plain(read(`servers/${name}`))
    expect(quotes.length).toBeGreaterThan(0)
    expect(quotes.filter((words) => page.split(words).length !== 2)).toEqual([])
  })

  it.each(FIRST)('has a source for each step and each first fault of %s', (name) => {
    const page = read(`servers/${name}`)
    const steps = page.match(/^[1-6]\. .*/gm)!
    const [, first = ''] = page.split('\n## What goes wrong on the first day\n')
    const faults = first.split('\n## ')[0]!.match(/^- .*/gm)!
    const quotes = sourcesOf.get(name)!
    expect(quotes.length).toBeGreaterThanOrEqual(15)
    const without = [...steps, ...faults].filter(
      (line) => !quotes.some((words) => plain(line).includes(words)),
    )
    expect(without).toEqual([])
  })
})

it('a configuration for Keycloak has six lines at most, from nothing to signed in', () => {
  const code = codeOf(/\n## Another server\n([^]*)/.exec(read('createAuth'))?.[1] ?? '')
  expect(code).toContain('openIdConnect(keycloak({')
  const config = code.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('import '))
  expect(config.length).toBeLessThanOrEqual(6)
})

const FEATURES = {
  cloudAccount: [
    'useCloudUserInfo',
    'useCloudAccessToken',
    'useLinkCloudAccount',
    'useUnlinkCloudAccount',
    'useReauthenticateCloudAccount',
  ],
  adminConsent: ['useAdminConsent', 'useGrantAdminConsent', 'useRevokeAdminConsent'],
  linkMap: ['useLinkMap', 'useSaveLinkMap'],
  firm: ['useUpdateFirm'],
  support: ['useAuthorizeSupport'],
  assertion: ['useExchangeAssertion'],
  passthrough: ['usePassthrough'],
  changePassword: ['useChangePassword'],
} satisfies Partial<Record<ServerFeature, string[]>>
const HOOKS = Object.entries(FEATURES).flatMap(([feature, hooks]) =>
  hooks.map((hook) => [hook, feature] as const),
)

describe('a hook of a call that only a server of the latchkey contract has', () => {
  it('is in the list', () => {
    const hookOf = (factory: string) =>
      `use${factory[0]!.toUpperCase()}${factory.slice(1).replace(/(Query|Mutation)$/, '')}`
    expect(HOOKS.map(([hook]) => hook).toSorted()).toEqual(
      CONTRACT_ONLY.map(([name]) => hookOf(name)).toSorted(),
    )
  })

  it.each(HOOKS)('%s says on its page what happens elsewhere, and has a story of it', (hook, feature) => {
    const page = read(`hooks/${hook}`)
    expect(page).toContain('`not-supported`')
    expect(page).toContain(`auth.supports('${feature}')`)
    const stories = readFileSync('stories/NotSupported.stories.tsx', 'utf8')
    expect(stories).toContain(`${hook}()`)
    expect(stories).toContain(`export const ${hook.slice('use'.length)} = meta.story(`)
  })
})
