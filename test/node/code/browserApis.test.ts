// No name in src/ that the oldest browsers that are served (docs/compatibility.md), or Node 20, do not know; the types know them all.
import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

// Popovers are missing here: the two places that use them look first whether there are any.
/** What came after Chrome 110, Firefox 115 or Safari 16.4, each with the first browser that lacks it. */
const NEWER: Readonly<Record<string, RegExp>> = {
  'URL.canParse (Chrome 120)': /\bURL\.canParse\b/,
  'URL.parse (Chrome 126)': /\bURL\.parse\b/,
  'Promise.withResolvers (Chrome 119)': /\bPromise\.withResolvers\b/,
  'Promise.try (Chrome 128)': /\bPromise\.try\b/,
  'Array.fromAsync (Chrome 121)': /\bArray\.fromAsync\b/,
  'Object.groupBy, Map.groupBy (Chrome 117)': /\b(?:Object|Map)\.groupBy\b/,
  'AbortSignal.any (Chrome 116)': /\bAbortSignal\.any\b/,
  'RegExp.escape (Chrome 136)': /\bRegExp\.escape\b/,
  'Response.json (Safari 17)': /\bResponse\.json\b/,
  'isWellFormed, toWellFormed (Chrome 111)': /\.(?:is|to)WellFormed\b/,
  'the flag v of a regular expression (Chrome 112)':
    /\/[dgimsuy]*v[dgimsuy]*(?=[\s,;.)\]]|$)(?<=[^\w/\\]\/[^/\n]+\/\w+)/m,
  'operations of sets (Chrome 122)':
    /\.(?:union|intersection|difference|symmetricDifference|isSubsetOf|isSupersetOf|isDisjointFrom)\(/,
  'methods of iterators (Chrome 122)':
    /\.(?:values|keys|entries)\(\)\s*\.(?:map|filter|some|every|find|toArray|take|drop|flatMap|reduce|forEach)\b/,
  'toBase64, fromBase64 of bytes (Chrome 140)': /\bUint8Array\.from(?:Base64|Hex)\b/,
  'URLSearchParams.size (Chrome 113)': /\b(?:searchParams|parameters|query)\.size\b/,
  'checkVisibility (Safari 17.4)': /\.checkVisibility\b/,
  'Error.isError (Chrome 134)': /\bError\.isError\b/,
}

/** Written for tests, for a server or for a terminal: there Node 20 decides. */
const ELSEWHERE = /^src\/(?:testing|server|cli|vite|setup)\//
/** What Node 20 has, of those above. */
const IN_NODE_20 = /Chrome 11[126]|Chrome 120|Safari 1|URLSearchParams/
const NEWER_IN_NODE: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(Object.entries(NEWER).filter(([name]) => !IN_NODE_20.test(name))),
  'glob of node:fs, matchesGlob of node:path (Node 22)': /\b(?:glob|globSync|matchesGlob)\b/,
  'import.meta.dirname, import.meta.filename (Node 20.11)': /\bimport\.meta\.(?:dirname|filename)\b/,
  'styleText of node:util (Node 20.12)': /\bstyleText\b/,
  'loadEnvFile (Node 20.12), getBuiltinModule (Node 20.16)': /\b(?:loadEnvFile|getBuiltinModule)\b/,
  'stripTypeScriptTypes, findPackageJSON of node:module (Node 22)':
    /\b(?:stripTypeScriptTypes|findPackageJSON)\b/,
  'node:sqlite, node:sea (Node 22)': /['"]node:(?:sqlite|sea)['"]/,
}

const withoutComments = (text: string) => text.replace(/\/\*[^]*?\*\//g, '').replace(/(?<=^|\s)\/\/.*$/gm, '')

const all = globSync('src/**/*.{ts,tsx}')
  .map((path) => path.replaceAll('\\', '/'))
  .map((path) => [path, withoutComments(readFileSync(path, 'utf8'))] as const)
const sources = all.filter(([path]) => !ELSEWHERE.test(path))
const forNode = all.filter(([path]) => ELSEWHERE.test(path))

it.each(Object.entries(NEWER))('src/ does without %s', (_name, pattern) => {
  expect(sources.length).toBeGreaterThan(250)
  expect(sources.filter(([, text]) => pattern.test(text)).map(([path]) => path)).toEqual([])
})

it.each(Object.entries(NEWER_IN_NODE))('what runs in Node does without %s', (_name, pattern) => {
  expect(forNode.length).toBeGreaterThan(40)
  expect(forNode.filter(([, text]) => pattern.test(text)).map(([path]) => path)).toEqual([])
})
