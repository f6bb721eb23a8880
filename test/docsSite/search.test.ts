// Asks the search of the built site what readers of such a library type: the page that they need is among the first three hits.
import { globSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { miniSearch } from '../../site/.vitepress/search.ts'

interface Index {
  search(words: string): readonly { id: string }[]
}
const MiniSearch = createRequire(resolve('site/package.json'))('minisearch') as {
  loadJSON(json: string, options: object): Index
}

const [file = ''] = globSync('site/dist/assets/chunks/@localSearchIndexroot*.js')
const { default: json } = (await import(/* @vite-ignore */ pathToFileURL(resolve(file)).href)) as {
  default: string
}
const index = MiniSearch.loadJSON(json, { ...miniSearch.options, searchOptions: miniSearch.searchOptions })

it.each(
  Object.entries({
    install: 'quickStart',
    'getting started': 'quickStart',
    vite: 'quickStart',
    changelog: 'changelog',
    why: 'why',
    compare: 'why|migration',
    isLoading: 'hooks/session|howItWorks',
    isAuthenticated: 'hooks/session',
    useAuth: 'hooks/session',
    useUser: 'hooks/user',
    useLogin: 'hooks/signIn',
    login: 'hooks/signIn',
    logout: 'hooks/signIn',
    'sign up': 'hooks/signIn',
    'refresh token': 'hooks/signIn|servers/',
    'silent renew': 'hooks/signIn',
    'forgot password': 'hooks/signIn|hooks/password',
    'social login': 'hooks/signIn|servers/more',
    profile: 'hooks/user',
    avatar: 'hooks/user|recipes',
    tenant: 'hooks/organizations',
    impersonation: 'hooks/organizations|glossary|hooks/firm',
    events: 'hooks/lifecycle',
    callback: 'addresses|hooks/lifecycle',
    'callback url': 'addresses',
    'redirect uri': 'addresses|createAuth',
    'trailing slash': 'addresses|createAuth',
    'deep link': 'addresses',
    'protected route': 'authenticated',
    guard: 'authenticated',
    'error boundary': 'authenticated',
    rbac: 'claims',
    roles: 'claims',
    permissions: 'claims',
    mfa: 'stepUp',
    passkey: 'stepUp',
    popup: 'popupSignIn',
    'session expired': 'popupSignIn|authenticated',
    cache: 'clearingData|queries',
    idle: 'tabs|hooks/lifecycle',
    'multiple tabs': 'tabs',
    'access token': 'authFetch|hooks/session',
    bearer: 'authFetch',
    interceptor: 'apiClients|authFetch',
    graphql: 'apiClients',
    axios: 'apiClients',
    'react query': 'queries',
    401: 'apiErrors',
    express: 'server',
    jwks: 'server',
    toast: 'toasts',
    notifications: 'toasts',
    translation: 'texts',
    i18n: 'texts',
    styling: 'styling',
    theme: 'styling',
    'dark mode': 'styling',
    customize: 'styling|texts',
    remix: 'reactRouterFramework',
    'tanstack start': 'tanstackStart',
    nextjs: 'next',
    ssr: 'next|reactRouterFramework|server',
    mui: 'componentKits',
    'react-admin': 'adminKits',
    webpack: 'compatibility',
    accessibility: 'compatibility',
    scopes: 'createAuth|claims',
    performance: 'early',
    CORS: 'troubleshooting|servers/|errors',
    'redirect loop': 'troubleshooting|howItWorks|errors',
    mock: 'testing',
    playwright: 'testing',
    debug: 'devtools|createAuth',
    csrf: 'security',
    localStorage: 'security|clearingData',
    azure: 'servers/entra',
    websocket: 'realtime|recipes',
  }),
)('%s → %s', (words, pages) => {
  const hits = index.search(words).slice(0, 3)
  const found = hits.map(({ id }) => id.replace(/^\//, '').replace(/\.html/, ''))
  expect(found.filter((hit) => pages.split('|').some((page) => hit.split('#')[0] === page))).not.toEqual([])
})
