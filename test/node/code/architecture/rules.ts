// Holds src/ to what no linter has a rule for; who may import whom and who may touch the browser stands in oxlint.config.ts.
import { posix } from 'node:path'
import type { Facts, Import } from './facts.ts'

/** A rule turns the facts of all files into sentences, one a fault. */
export type Rule = (files: Facts[]) => string[]

const STAIRS = ['base', 'protocol', 'session', 'realtime', 'queries', 'provider', 'toaster', 'hooks', 'index']
/** Those who talk to the browser themselves; oxlint.config.ts has the same. */
const HOST_FILES = /^src\/(?:session\/.*\/browser\w*\.ts$|early\/|front-channel\/|editor\/)/

/** Where a package is spoken to. */
const IN_ONE_FILE = ['jsonrepair', 'ofetch', 'pubnub']

/** The room of a file: a folder of src/, or `index` for the front door. */
const roomOf = (path: string): string => path.split('/')[1]!.replace(/\.ts$/, '')

export const nothingLoose: Rule = (files) =>
  files
    .filter(({ path }) => /^src\/[^/]+$/.test(path) && path !== 'src/index.ts')
    .map(({ path }) => `${path} stands in no room: what every room may use belongs to src/base/`)

const isRelative = ({ specifier }: Import) => specifier.startsWith('.')
const target = (from: string, { specifier }: Import) => posix.join(posix.dirname(from), specifier)
const isEntry = (path: string) =>
  /^src\/((editor|testing|testing\/playwright|devtools|early|front-channel|oidc|pubnub|tanstack-query|tanstack-router|react-router|vite|server|cli)\/)?index\.tsx?$/.test(
    path,
  )

export const oneFilePackages: Rule = (files) =>
  IN_ONE_FILE.flatMap((name) => {
    const users = files.filter(({ imports }) =>
      imports.some(({ specifier, isTypeOnly }) => specifier === name && !isTypeOnly),
    )
    return users
      .slice(1)
      .map(({ path }) => `${path} imports ${name}: ${users[0]?.path} is the one file that may`)
  })

/** What the linter has no rule for; the other ways to the clock it knows. */
export const noClock: Rule = (files) =>
  files
    .filter(({ path, text }) => !HOST_FILES.test(path) && text.includes('new Date()'))
    .map(({ path }) => `${path} uses new Date(): take it as a port of Platform`)

/** The one file of what a page loads after sign-in. */
const LATER = 'src/session/later.ts'

export const noInnerBarrels: Rule = (files) =>
  files
    .filter(({ path }) => !isEntry(path) && path !== LATER)
    .flatMap(({ path, reExports }) => [
      ...(/\/index\.tsx?$/.test(path) ? [`${path} is an inner barrel`] : []),
      ...reExports.map((specifier) => `${path} re-exports ${specifier}: import it where it lives`),
    ])

export const noModuleVariables: Rule = (files) =>
  files.flatMap(({ path, moduleVariables }) =>
    moduleVariables.map((name) => `${path} keeps state in the module variable ${name}`),
  )

const REASONS = 'src/protocol/signedOutReasons.ts'
const REASON_BRANCH =
  /(?<!typeof )\b[\w.?]*\breason\s*[!=]==?\s*['"`][\w-]+['"`]|['"`][\w-]+['"`]\s*[!=]==?\s*[\w.?]*\breason\b|\((?:none|signed-out|idle|session-clash|expired|cancelled)\|[\w|-]+\)|switch \([\w.?]*\breason\)|includes\([\w.?]*\breason\)/

/** A new reason must not compile before it is decided what follows from it everywhere. */
export const reasonsInOneTable: Rule = (files) =>
  files.flatMap(({ path, text }) => {
    const [branch] = (path !== REASONS && REASON_BRANCH.exec(text)) || []
    return branch ? [`${path} decides by a reason (${branch}): give it a column in signedOutReasons.ts`] : []
  })

/** What not every session needs: the app's own calls, real time and its SDK, environments, tokens bound to a key or for one API, pushed requests, wishes for one sign-in, a window for it, a stronger one. */
const LOADED_LATER =
  /(?:^|\/)(?:(?:appFetch|channels|redirectToEnvironment|dpop|oidcLater|later|pubnubConnection)\.ts|pubnub)$/

export const oneCoreFile: Rule = (files) =>
  files
    .filter(({ path }) => STAIRS.includes(roomOf(path)))
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ isLazy, specifier }) => isLazy && !LOADED_LATER.test(specifier))
        .map(({ specifier }) => `${path} loads ${specifier} later: only what not every session needs may`),
    )

const FEATURES = 'src/session/features/'

/** `createAuth.ts` makes the features, `later.ts` names what loads with their first use. Everybody else in session/ asks the list of them. */
export const featuresKnown: Rule = (files) =>
  files
    .filter(({ path }) => path.startsWith('src/session/') && !path.startsWith(FEATURES))
    .filter(({ path }) => path !== 'src/session/createAuth.ts' && path !== LATER)
    .flatMap(({ path, imports }) =>
      imports
        .filter((how) => isRelative(how) && target(path, how).startsWith(FEATURES))
        .map((how) => `${path} imports ${target(path, how)}: createAuth.ts alone knows the features`),
    )

/** Types and `import()` count: who changes one file of a circle has to know them all. The linter does not follow `import()`. */
export const noCycles: Rule = (files) => {
  const next = new Map(
    files.map(({ path, imports }) => [path, imports.filter(isRelative).map((how) => target(path, how))]),
  )
  /** The files that a file leads to, each with the one that it was reached from. */
  const reachedFrom = (start: string) => {
    const from = new Map<string, string>()
    const waiting = [start]
    for (const path of waiting)
      for (const found of next.get(path) ?? [])
        if (!from.has(found)) {
          from.set(found, path)
          waiting.push(found)
        }
    return from
  }
  const told = new Set<string>()
  return files.flatMap(({ path }) => {
    const from = reachedFrom(path)
    if (told.has(path) || !from.has(path)) return []
    const circle = [path]
    do circle.unshift(from.get(circle[0]!)!)
    while (circle[0] !== path)
    for (const one of circle) told.add(one)
    return [`${circle.join(' imports ')}: a circle`]
  })
}

const OPENING = /^(?:'use client'\n)?\s*(?:\/\/ ?|\/\*+\s*)(["'`\w](?:.*\n\/\/)*.*)/

export const openingSentence = (files: readonly Pick<Facts, 'path' | 'text'>[]): string[] =>
  files
    .filter(({ text }) => !/[.?!]\)?(?: ?\*\/)?$/.test(OPENING.exec(text)?.[1] ?? ''))
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
