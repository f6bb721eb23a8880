// The side bar: every page of docs/ once, in groups that fold. What only servers of the latchkey contract have comes last.
import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'

const PAGES = new URL('../pages/', import.meta.url)

const servers = (...names: string[]) => names.map((name) => `servers/${name}.md`)
const hooks = (...names: string[]) => names.map((name) => `hooks/${name}.md`)
const pages = (...names: string[]) => names.map((name) => `${name}.md`)

const GROUPS: Readonly<Record<string, readonly string[]>> = {
  Start: pages('why', 'quickStart', 'howItWorks', 'recipes', 'migration', 'README'),
  'Protect screens': pages('authenticated', 'claims', 'stepUp', 'popupSignIn', 'clearingData', 'tabs'),
  'Call your API': pages('authFetch', 'queries', 'apiErrors', 'apiClients', 'server'),
  'Messages and styling': pages('toasts', 'texts', 'styling'),
  'Frameworks and kits': pages(
    'next',
    'reactRouterFramework',
    'tanstackStart',
    'componentKits',
    'adminKits',
    'compatibility',
  ),
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
  Providers: servers(
    'README',
    'keycloak',
    'entra',
    'auth0',
    'okta',
    'zitadel',
    'hydra',
    'spring',
    'more',
    'run',
    'dpop',
  ),
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
  'migration.md': 'Migration',
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
  // By the sections of the page that took them in.
  const sectionsOf = (folder: string, page: string, names: Readonly<Record<string, string>>) =>
    Object.entries(names).map(([name, id]) => [`${folder}/${name}.html`, `${page}.html#${id}`] as const)
  const alike = (...names: string[]) => Object.fromEntries(names.map((name) => [name, name]))
  return new Map([
    ...hookSections,
    ...sectionsOf('servers', 'more', {
      cognito: 'amazon-cognito',
      ...alike('authentik', 'fusionauth', 'google', 'logto', 'ping', 'workos'),
    }),
    ['migration/index.html', '../migration.html'],
    ...sectionsOf(
      'migration',
      '../migration',
      alike('auth0-react', 'keycloak-js', 'msal-react', 'oidc-spa', 'react-oidc-context'),
    ),
    ['errorBoundary.html', 'authenticated.html#error-boundary'],
    ['browsers.html', 'compatibility.html#browsers'],
    ['consumers.html', 'compatibility.html#bundlers-and-frameworks'],
    ['accessibility.html', 'compatibility.html#accessibility'],
  ])
}
