// latchkey doctor: reads an app's folder, runs none of its code, and reports wrong settings.
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { folderOf, versionAt } from '../setup/packages.ts'
import { hashOf, pagePolicies, policyFaults, type PolicyNeeds, readPolicy } from '../setup/policy.ts'
import { type Check, type Checks, createReport, fault, type Finding, note, unchecked } from './report.ts'

/** The early scripts of the running version. */
type Texts = Readonly<Record<'inline' | 'oidc', string>>

type App = ReturnType<typeof readApp>

/** Optional peers by the entry that needs them, with their least version. Package managers install and compare the others. */
const PEERS = {
  editor: { 'monaco-editor': '0.56.0', '@monaco-editor/react': '4.7.0' },
  pubnub: { pubnub: '9.0.0' },
}
/** A folder with more files is not that of one app. */
const MOST_FILES = 5000

export async function examine(
  root: string,
  { texts, ownFolder }: { texts: Texts; ownFolder: string },
): Promise<readonly Finding[]> {
  const report = createReport()
  await report.check(root, {
    folder: {
      promise: 'The folder is that of an app',
      fix: 'Run it in the folder of your app, or name that folder.',
      find: () => (existsSync(join(root, 'package.json')) ? undefined : `${root} has no package.json`),
    },
  })
  if (report.verdictOf('folder') === 'kept')
    await report.check(readApp(root, texts, versionAt(ownFolder)), APP_CHECKS)
  return report.findings()
}

const textOf = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '')

/** @param running the running version */
function readApp(root: string, texts: Texts, running: string) {
  const files = [
    ...readdirSync(root).filter((name) => name.startsWith('vite.config.')),
    ...['src', 'app'].flatMap((folder) => filesIn(root, folder)),
  ].filter((path) => /\.[cm]?[jt]sx?$/.test(path))
  const sources = files
    .slice(0, MOST_FILES)
    .map((path) => textOf(join(root, path)))
    .join('\n')
  const optionIn = (text: string, name: string) =>
    new RegExp(`\\b${name}:\\s*['"\`]([^'"\`$\\n]+)['"\`]`).exec(text)?.[1]
  const [authHost, issuer, redirectUri, base] = ['authHost', 'issuer', 'redirectUri', 'base'].map((name) =>
    optionIn(sources, name),
  )
  const [, preset = ''] = /\bkeycloak\(\s*\{([^}]*)\}/.exec(sources) ?? []
  return {
    root,
    texts,
    running,
    sources,
    /** Vite's page in the root; '' without one. */
    page: textOf(join(root, 'index.html')),
    /** Options whose values are string literals in the app's sources; `url` is that of Keycloak's preset. */
    read: { authHost, issuer, redirectUri, base, url: optionIn(preset, 'url') },
  }
}

/** Without `recursive` of Node 20, which follows links: two links upwards would never end. */
function filesIn(root: string, folder: string): string[] {
  const isFolder = statSync(join(root, folder), { throwIfNoEntry: false })?.isDirectory() === true
  if (!isFolder || folder.endsWith('node_modules')) return []
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesIn(root, path) : entry.isFile() ? [path] : []
  })
}

function peersOf(entry: keyof typeof PEERS): Check<App> {
  return {
    promise: `What latchkey/${entry} needs is installed`,
    find({ root, sources }) {
      if (!new RegExp(`['"]latchkey/${entry}['"]`).test(sources))
        return unchecked(`latchkey/${entry} is not used`)
      const versionOf = (name: string) => folderOf(name, root)?.version ?? 'none'
      const wrong = Object.entries(PEERS[entry]).filter(([name, least]) => !isAtLeast(versionOf(name), least))
      if (wrong.length === 0) return undefined
      const wanted = wrong.map(([name, least]) => `"${name}@>=${least}"`).join(' ')
      return fault(wrong.map(([name]) => `${name}: ${versionOf(name)}`).join(', '), `npm install ${wanted}`)
    },
  }
}

function oneCopyOf(name: string): Check<App> {
  return {
    promise: `There is one copy of ${name}`,
    fix: `npm ls ${name}; npm dedupe, or overrides in package.json`,
    find({ root }) {
      const copies = copiesOf(name, root)
      if (copies.length === 0) return unchecked('it is not installed')
      return copies.length === 1
        ? undefined
        : copies.map(({ path, version }) => `${version} in ${path}`).join(', ')
    },
  }
}

/** Compares versions by their three numbers; a suffix does not count. */
const isAtLeast = (version: string, least: string): boolean =>
  /^\d/.test(version) && (version.split(/[-+]/)[0] ?? '').localeCompare(least, 'en', { numeric: true }) >= 0

/** The copies that the app and each of its packages resolve. */
function copiesOf(name: string, root: string) {
  const modules = join(root, 'node_modules')
  const names = existsSync(modules) ? readdirSync(modules) : []
  const packages = names.flatMap((entry) =>
    entry.startsWith('@') ? readdirSync(join(modules, entry)).map((inner) => join(entry, inner)) : [entry],
  )
  const places = [root, ...packages.map((entry) => join(modules, entry)).filter((path) => existsSync(path))]
  const found = places.flatMap((from) => folderOf(name, realpathSync(from)) ?? [])
  return [...new Map(found.map((copy) => [copy.path, copy])).values()]
}

/** Policies in the app's folder; those of a server elsewhere cannot be read. */
function policiesOf({ root, page }: App): { where: string; text: string }[] {
  const headers = HEADER_FILES.flatMap((where) =>
    [...textOf(join(root, where)).matchAll(CONFIGURED)].map(([, text = '']) => ({ where, text })),
  )
  return [...pagePolicies(page).map((text) => ({ where: 'index.html', text })), ...headers]
}
const HEADER_FILES = [
  'public/_headers',
  '_headers',
  'netlify.toml',
  'vercel.json',
  'staticwebapp.config.json',
  'nginx.conf',
]
/** The header in any of these files: after its name come punctuation, spaces or `value`, then the policy. */
const CONFIGURED =
  /content-security-policy["']?\s*[:=,]?\s*(?:["']?value["']?\s*[:=]\s*)?["']?([\w-]+-(?:src|ancestors|uri|action)\s[^"\n\r]*)/gi

/** `undefined`: the server is no plain text in the sources. */
function needsOf({ read: { authHost, issuer, url } }: App): PolicyNeeds | undefined {
  const id = authHost ?? issuer ?? url
  if (id === undefined || !URL.canParse(id)) return undefined
  return { server: { id, authHost }, allowedEnvironmentHosts: [] }
}

const hasPlugin = ({ sources }: App) => /from ['"]latchkey\/(?:early\/)?vite['"]/.test(sources)

/** Not that of a bundler, which is a text, or one for each ending of a file. */
const ROUTE_LOADER = /\bloader\s*(?:\(|:(?!\s*(?:\{\s*)?['"]))|\bexport const loader\b/

const APP_CHECKS: Checks<App> = {
  latchkey: {
    promise: 'The app has this version of latchkey',
    fix: 'npx latchkey, in the app’s folder',
    find({ root, running }) {
      const own = folderOf('latchkey', root)
      if (!own) return fault('latchkey is not installed', 'install it as the quick start says')
      return own.version === running ? undefined : `the app has ${own.version}, and ${running} looks at it`
    },
  },
  editor: peersOf('editor'),
  pubnub: peersOf('pubnub'),
  'copies-latchkey': oneCopyOf('latchkey'),
  'copies-@tanstack/react-query': oneCopyOf('@tanstack/react-query'),
  'copies-react': oneCopyOf('react'),
  // `createAuth` reports its other mistakes.
  redirect: {
    promise: 'The redirect URI is an address of the app',
    fix: "Set redirectUri to the app's own address, which begins with the base.",
    find({ read: { redirectUri, base = '/' }, sources }) {
      if (base === '/') return unchecked('the app has no base: it takes every address of its origin')
      if (redirectUri === undefined)
        return /\bredirectUri\b/.test(sources)
          ? unchecked('redirectUri is no plain text in the sources')
          : `base is ${base}, and there is no redirectUri`
      const isBelow = URL.canParse(redirectUri) && new URL(redirectUri).pathname.startsWith(base)
      return base.startsWith('/') && !isBelow
        ? `redirectUri is ${redirectUri}, and base is ${base}`
        : undefined
    },
  },
  policy: {
    promise: 'The Content-Security-Policy allows sign-in',
    fix: 'Correct the policy in the file that is named.',
    find(app) {
      const policies = policiesOf(app)
      if (policies.length === 0) return unchecked('no policy in index.html or a file of headers')
      const needs = needsOf(app)
      if (!needs) return unchecked('authHost and issuer do not stand as plain texts in the sources')
      const { inline, oidc } = app.texts
      const scripts = needs.server.authHost === undefined ? [oidc, inline] : [inline]
      const faults = policies.flatMap(({ where, text }) => {
        // To a policy in the page the plugin adds its hashes itself.
        const hashes = hasPlugin(app) && where !== 'index.html' ? scripts.map(hashOf) : []
        const found = policyFaults(readPolicy(text), needs, { hashes, hasNonce: true })
        return found.map((one) => `${where}: ${one}`)
      })
      return faults.join(' ') || undefined
    },
  },
  early: {
    promise: 'The early script is that of the installed version',
    fix: 'Paste latchkey/early/inline.js anew with every update, or use the Vite plugin latchkey/vite.',
    find(app) {
      const pasted = [...app.page.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/gi)].filter(
        ([, attributes = '', text = '']) =>
          /\bdata-(?:auth-host|issuer|client-id)=/.test(attributes) || text.includes('latchkey/early'),
      )
      if (pasted.length === 0)
        return hasPlugin(app)
          ? unchecked('the Vite plugin puts it in')
          : note(
              'there is none, so sign-in begins later',
              'Use the Vite plugin latchkey/vite: docs/early.md.',
            )
      if (hasPlugin(app))
        return fault(
          'index.html has a script of its own, beside that of the plugin',
          'Take it out of index.html.',
        )
      const old = pasted.filter(([, , text = '']) => !Object.values(app.texts).includes(text.trim()))
      return old.length === 0 ? undefined : `${old.length} script in index.html is of another version`
    },
  },
  persister: {
    promise: 'A persisted query cache is bound to its user',
    fix: 'Pass persistOptions(auth, { queryClient, persister }) of latchkey to it.',
    find({ sources }) {
      if (!/\bPersistQueryClientProvider\b|\bpersistQueryClient\w*\(/.test(sources))
        return unchecked('no query cache is persisted')
      return /\bpersistOptions\(/.test(sources)
        ? undefined
        : 'A cache on the disk shows one user’s data to the next'
    },
  },
  router: {
    promise: 'What a router’s loaders return is bound to its user',
    fix: 'Call connectRouter(router, auth) of latchkey/react-router or latchkey/tanstack-router beside the router.',
    find({ sources }) {
      const isThere = /['"](?:@tanstack\/react-router|react-router(?:-dom)?)['"]/.test(sources)
      if (!isThere || !/\bcreate\w*Router\(/.test(sources) || !ROUTE_LOADER.test(sources))
        return unchecked('no router with loaders')
      return /\bconnectRouter\(/.test(sources)
        ? undefined
        : 'A router keeps what its loaders returned, and shows one user’s data to the next'
    },
  },
}
