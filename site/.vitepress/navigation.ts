// The side bar: every page of docs/ once, in groups that fold. What only servers of the latchkey contract have comes last.
import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'

const PAGES = new URL('../pages/', import.meta.url)

const all = (folder: string) =>
  globSync(`${folder}/*.md`, { cwd: PAGES })
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted((one, other) => Number(other.endsWith('README.md')) - Number(one.endsWith('README.md')))
const hooks = (...names: string[]) => names.map((name) => `hooks/${name}.md`)
const pages = (...names: string[]) => names.map((name) => `${name}.md`)

const GROUPS: Readonly<Record<string, readonly string[]>> = {
  Start: pages('why', 'quickStart', 'howItWorks', 'recipes', 'README'),
  'Protect screens': pages('authenticated', 'claims', 'stepUp', 'popupSignIn', 'clearingData', 'tabs'),
  'Call your API': pages('authFetch', 'queries', 'apiErrors', 'apiClients', 'server'),
  'Messages and styling': pages('toasts', 'texts', 'styling'),
  'Frameworks and kits': pages('next', 'reactRouterFramework', 'componentKits', 'adminKits', 'compatibility'),
  Reference: pages('createAuth', 'AuthProvider', 'addresses', 'early', 'errors', 'editor'),
  Hooks: hooks(
    'README',
    'session',
    'user',
    'signIn',
    'organizations',
    'lifecycle',
    'yourApi',
    'textAndInput',
  ),
  Providers: all('servers'),
  Migration: all('migration'),
  Tools: pages('testing', 'devtools', 'cli'),
  Help: pages('troubleshooting', 'glossary', 'changelog'),
  Security: pages('security', 'licences'),
  'Latchkey contract': [
    ...pages('serverContract', 'realtime'),
    ...hooks('messages', 'cloudAccount', 'adminConsent', 'linkMap', 'firm', 'otherApps', 'password'),
  ],
}

/** Names that are shorter than the page's own, or say more among others. */
const NAMES: Readonly<Record<string, string>> = {
  'README.md': 'All pages',
  'hooks/README.md': 'All hooks',
  'servers/README.md': 'All providers',
  'migration/README.md': 'Overview',
  'quickStart.md': 'Quick start',
  'early.md': 'Faster starts',
  'errors.md': 'Errors',
  'queries.md': 'Your own queries',
  'server.md': 'Check tokens in your API',
  'tabs.md': 'Tabs and idle time',
  'testing.md': 'Testing',
  'texts.md': 'Translations',
  'licences.md': 'Licences',
  'troubleshooting.md': 'Troubleshooting',
}

const readPage = (path: string) => readFileSync(new URL(path, PAGES), 'utf8')
const titleOf = (path: string) =>
  NAMES[path] ?? /^# (.*)$/m.exec(readPage(path))?.[1]?.replaceAll('`', '') ?? path
export const addressOf = (path: string) =>
  path === 'README.md' ? 'allPages.html' : path.replace(/README\.md$/, '').replace(/\.md$/, '.html')

/** @throws where a page is in no group */
export function sidebar() {
  const listed = Object.values(GROUPS).flat()
  const lost = globSync('**/*.md', { cwd: PAGES })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path !== 'index.md' && !listed.includes(path))
  if (lost.length > 0) throw new Error(`site/.vitepress/navigation.ts has no group for ${lost.join(', ')}`)
  return Object.entries(GROUPS).map(([text, paths], index) => ({
    text,
    collapsed: index > 0,
    items: paths.map((path) => ({ text: titleOf(path), link: `/${addressOf(path)}` })),
  }))
}

/** Where pages were that are parts of others now, by the page and its heading today. */
export function formerAddresses(): Map<string, string> {
  const hookSections = globSync('hooks/*.md', { cwd: PAGES }).flatMap((path) =>
    [...readPage(path).matchAll(/^## (use\w+)$/gm)].map(
      ([, hook = '']) =>
        [`hooks/${hook}.html`, `${posix.basename(path, '.md')}.html#${hook.toLowerCase()}`] as const,
    ),
  )
  return new Map([
    ...hookSections,
    ['errorBoundary.html', 'authenticated.html#error-boundary'],
    ['browsers.html', 'compatibility.html#browsers'],
    ['consumers.html', 'compatibility.html#bundlers-and-frameworks'],
    ['accessibility.html', 'compatibility.html#accessibility'],
  ])
}
