// Holds src/ to the rules of the staircase: who may import whom, where the host may be touched, how a file is made.
import { posix } from 'node:path'
import type { Facts, Import } from './facts.ts'

/** A rule turns the facts of all files into sentences, one a fault. */
export type Rule = (files: Facts[]) => string[]

const STAIRS = ['base', 'protocol', 'session', 'queries', 'provider', 'toaster', 'hooks', 'index']
const ENTRIES_ABOVE = ['testing', 'devtools', 'early', 'oidc']
const ISLAND = 'editor'

const HOST_ROOMS = ['early', ISLAND]
const HOST_FILE = /^src\/session\/platform\/browser\w*\.ts$/
const HOST_GLOBALS = new Set(
  `window document globalThis self top parent frames opener location history navigator screen origin
  fetch XMLHttpRequest EventSource WebSocket Worker Notification open close alert confirm prompt postMessage
  setTimeout clearTimeout setInterval clearInterval requestAnimationFrame cancelAnimationFrame requestIdleCallback
  queueMicrotask addEventListener removeEventListener dispatchEvent matchMedia getComputedStyle
  localStorage sessionStorage indexedDB caches cookieStore BroadcastChannel MessageChannel
  performance crypto MutationObserver IntersectionObserver ResizeObserver process
  Date.now Date.prototype new Date() AbortSignal.timeout`.split(/\s+(?!Date\(\))/),
)

const PACKAGE_ROOMS: { package: RegExp; rooms: string[]; inOneFile?: boolean }[] = [
  { package: /^jwt-decode$/, rooms: ['protocol'] },
  { package: /^ofetch$/, rooms: ['session'], inOneFile: true },
  { package: /^pubnub$/, rooms: ['session'], inOneFile: true },
  { package: /^react-hot-toast(\/|$)/, rooms: ['toaster'] },
  { package: /^@tanstack\//, rooms: ['queries', 'provider', 'toaster', 'hooks', 'index', ...ENTRIES_ABOVE] },
  {
    package: /^react(-dom)?(\/|$)/,
    rooms: ['provider', 'toaster', 'hooks', 'index', ISLAND, ...ENTRIES_ABOVE],
  },
  { package: /^(@monaco-editor\/react|monaco-editor)(\/|$)/, rooms: [ISLAND] },
  { package: /^jsonrepair$/, rooms: [ISLAND], inOneFile: true },
  { package: /^msw(\/|$)/, rooms: ['testing'] },
]

/** The room of a file: a folder of src/, `base` for errors and constants, `index` for the front door. */
function roomOf(path: string): string {
  const [, first = '', ...rest] = path.split('/')
  if (rest.length > 0) return first
  return first === 'index.ts' ? 'index' : 'base'
}

const isRelative = ({ specifier }: Import) => specifier.startsWith('.')
const target = (from: string, { specifier }: Import) => posix.join(posix.dirname(from), specifier)
const isEntry = (path: string) => /^src\/((editor|testing|devtools|early|oidc)\/)?index\.tsx?$/.test(path)

export const stairs: Rule = (files) =>
  eachRelativeImport(files, (path, imported) => {
    const [from, to] = [roomOf(path), roomOf(imported)]
    if (from === to) return undefined
    if (from === ISLAND || to === ISLAND) return `${path} imports ${imported}: editor/ is an island`
    if (ENTRIES_ABOVE.includes(to)) return `${path} imports ${imported}: nothing imports ${to}/`
    if (ENTRIES_ABOVE.includes(from)) return undefined
    if (!STAIRS.includes(from)) return `${path} stands in no known room`
    return STAIRS.indexOf(to) > STAIRS.indexOf(from)
      ? `${path} imports ${imported}: ${to} stands above ${from}`
      : undefined
  })

/** Rooms inside session/, from the bottom; those of one row do not know each other. Files beside them wire or are shared. */
const SESSION_ROOMS = [['platform'], ['http'], ['signIn'], ['tabs', 'realtime'], ['signedIn'], ['boot']]

export const sessionRooms: Rule = (files) => {
  const roomIn = (path: string) => /^src\/session\/(\w+)\//.exec(path)?.[1]
  const floor = (room: string) => SESSION_ROOMS.findIndex((row) => row.includes(room))
  return eachRelativeImport(files, (path, imported) => {
    const [from, to] = [roomIn(path), roomIn(imported)]
    if (from && imported === 'src/session/createAuth.ts')
      return `${path} imports ${imported}: it stands above all`
    if (!from || !to || from === to || floor(to) < floor(from)) return undefined
    return `${path} imports ${imported}: session/${to} does not stand below session/${from}`
  })
}

export const knownFiles: Rule = (files) => {
  const known = new Set(files.map(({ path }) => path))
  return eachRelativeImport(files, (path, imported) =>
    known.has(imported) ? undefined : `${path} imports ${imported}, which does not exist`,
  )
}

export const packagesByRoom: Rule = (files) => {
  const faults: string[] = []
  const owners = new Map<string, string>()
  for (const { path, imports } of files) {
    for (const { specifier, isTypeOnly } of imports.filter((found) => !isRelative(found))) {
      const rule = PACKAGE_ROOMS.find((known) => known.package.test(specifier))
      if (!rule) faults.push(`${path} imports ${specifier}: no room owns this package`)
      else if (!rule.rooms.includes(roomOf(path)))
        faults.push(`${path} imports ${specifier}: only ${rule.rooms.join(', ')} may`)
      else if (!rule.inOneFile || isTypeOnly) continue
      else if ((owners.get(specifier) ?? path) !== path)
        faults.push(`${path} imports ${specifier}: ${owners.get(specifier)} is the one file that may`)
      else owners.set(specifier, path)
    }
  }
  return faults
}

export const hostThroughPlatform: Rule = (files) =>
  files
    .filter(({ path }) => !HOST_FILE.test(path) && !HOST_ROOMS.includes(roomOf(path)))
    .flatMap(({ path, globals }) =>
      globals
        .filter((name) => HOST_GLOBALS.has(name))
        .map((name) => `${path} uses ${name}: take it as a port of Platform`),
    )

/** Jitter may be left to chance, what guards a sign-in may not. */
export const noWeakChance: Rule = (files) =>
  files
    .filter(({ path, globals }) => globals.includes('Math.random') && STAIRS.indexOf(roomOf(path)) <= 2)
    .map(({ path }) => `${path} uses Math.random: take random bytes from the platform`)

export const noCycles: Rule = (files) => {
  const edges = new Map(
    files.map(({ path, imports }) => [path, imports.filter(isRelative).map((how) => target(path, how))]),
  )
  const done = new Set<string>()
  const faults: string[] = []
  const visit = (path: string, trail: string[]) => {
    const start = trail.indexOf(path)
    if (start >= 0) faults.push(`import cycle: ${[...trail.slice(start), path].join(' > ')}`)
    if (start >= 0 || done.has(path)) return
    for (const next of edges.get(path) ?? []) visit(next, [...trail, path])
    done.add(path)
  }
  for (const path of edges.keys()) visit(path, [])
  return faults
}

export const noInnerBarrels: Rule = (files) =>
  files
    .filter(({ path }) => !isEntry(path))
    .flatMap(({ path, reExports }) => [
      ...(/\/index\.tsx?$/.test(path) ? [`${path} is an inner barrel`] : []),
      ...reExports.map((specifier) => `${path} re-exports ${specifier}: import it where it lives`),
    ])

export const noDefaultExports: Rule = (files) =>
  files.filter(({ hasDefaultExport }) => hasDefaultExport).map(({ path }) => `${path} has a default export`)

export const noModuleVariables: Rule = (files) =>
  files.flatMap(({ path, moduleVariables }) =>
    moduleVariables.map((name) => `${path} keeps state in the module variable ${name}`),
  )

/** What not every session needs: the app's own calls, real time and its SDK, environments. */
const LOADED_LATER = /(?:^|\/)(?:appFetch\.ts|channels\.ts|environment\.ts|pubnub)$/

export const oneCoreFile: Rule = (files) =>
  files
    .filter(({ path }) => STAIRS.includes(roomOf(path)))
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ isLazy, specifier }) => isLazy && !LOADED_LATER.test(specifier))
        .map(({ specifier }) => `${path} loads ${specifier} later: only what not every session needs may`),
    )

export const openingSentence: Rule = (files) =>
  files
    .filter(({ openingComment }) => !/^["'`\w].*[.?!]\)?$/s.test(openingComment))
    .map(({ path }) => `${path} does not open with a sentence that says what it is for`)

export const clientDirective: Rule = (files) => {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const importers = (path: string) =>
    files.filter(({ path: from, imports }) =>
      imports.some((how) => !how.isTypeOnly && isRelative(how) && target(from, how) === path),
    )
  /** A server renderer asks once, where the client's part begins: what only client files import needs no word of its own. */
  const isClient = (path: string, seen: string[] = []): boolean => {
    if (seen.includes(path)) return true
    if (byPath.get(path)?.directives.includes('use client')) return true
    const above = importers(path)
    return above.length > 0 && above.every((file) => isClient(file.path, [...seen, path]))
  }
  return files
    .filter(({ path, imports }) => {
      const packages = imports.filter(({ isTypeOnly }) => !isTypeOnly).map(({ specifier }) => specifier)
      const hasHooks =
        ['provider', 'toaster', 'hooks'].includes(roomOf(path)) && packages.includes('@tanstack/react-query')
      return (hasHooks || packages.includes('react')) && !isClient(path)
    })
    .map(({ path }) => `${path} uses React without 'use client'`)
}

export const sizeLimit: Rule = (files) =>
  files
    .filter(({ lineCount }) => lineCount > 300)
    .map(({ path, lineCount }) => `${path} has ${lineCount} lines: look for the second noun inside`)

function eachRelativeImport(
  files: Facts[],
  judge: (path: string, imported: string, how: Import) => string | undefined,
) {
  return files.flatMap(({ path, imports }) =>
    imports.filter(isRelative).flatMap((how) => judge(path, target(path, how), how) ?? []),
  )
}
