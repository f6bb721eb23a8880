// Checks the built package as an app uses it: the packed files, that each entry loads on a server, and 'use client'.
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const LOOSE_FILES = [
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'package.json',
  'skills/latchkey/SKILL.md',
]
/** The targets of README's links, which must work in `node_modules` and on a registry's page. */
const PAGES = /^docs\/(?:.+\.md|images\/.+)$|^(?:evidence\/benchmarks|demo\/README|CONTRIBUTING)\.md$/
const LINK = /\]\(([^)#:]+)(?:#[^)]*)?\)|src(?:set)?="([^":]+)"/g
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall', 'prepare']

const { exports, scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  exports: Record<string, string | { types: string; default: string }>
  scripts: Record<string, string>
}

const faults = [...packingFaults(), ...directiveFaults(), ...(await loadingFaults())]
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1

function packingFaults(): string[] {
  const isWindows = process.platform === 'win32'
  const answer = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    encoding: 'utf8',
    shell: isWindows,
  })
  const [packed] = JSON.parse(answer) as [{ files: { path: string }[] }]
  const paths = packed.files.map(({ path }) => path)
  return [
    ...paths
      .filter((path) => !path.startsWith('dist/') && !LOOSE_FILES.includes(path) && !PAGES.test(path))
      .map((path) => `${path} is packed, but no app needs it`),
    ...LOOSE_FILES.filter((path) => !paths.includes(path)).map(
      (path) => `${path} is missing from the package`,
    ),
    ...readmeLinks()
      .filter((link) => !paths.includes(link))
      .map((link) => `README.md links to ${link}, which is not packed`),
    ...Object.values(exports)
      .map((target) =>
        (typeof target === 'string' ? target.replace(/\.js$/, '.d.ts') : target.types).slice(2),
      )
      .filter((types) => !paths.includes(types))
      .map((types) => `${types} is missing: TypeScript finds no types for this entry (TS7016)`),
    ...INSTALL_SCRIPTS.filter((name) => name in scripts).map(
      (name) => `an app's install would run our script ${name}`,
    ),
  ]
}

function readmeLinks(): string[] {
  return [...readFileSync('README.md', 'utf8').matchAll(LINK)].map(([, link, image]) => link ?? image ?? '')
}

/** 'use client' makes a file a client component for a server renderer: entries that are called on a server must not have it. */
function directiveFaults(): string[] {
  const isForReact = (source: string) => /^'use client'$/m.test(readFileSync(source, 'utf8'))
  return globSync('dist/**/*.js.map').flatMap((map) => {
    const path = map.replace(/\.map$/, '')
    const { sources } = JSON.parse(readFileSync(map, 'utf8')) as { sources: string[] }
    const own = sources.map((source) => join(dirname(map), source)).filter((source) => existsSync(source))
    const isMarked = /^['"]use client['"]/.test(readFileSync(path, 'utf8'))
    if (isMarked === own.some(isForReact)) return []
    return [
      `${path} ${isMarked ? "begins with 'use client', and nothing in it uses React" : "does not begin with 'use client'"}`,
    ]
  })
}

async function loadingFaults(): Promise<string[]> {
  const entries = Object.entries(exports).flatMap(([entry, target]) =>
    typeof target === 'string' ? [] : [{ entry, path: target.default }],
  )
  const answers = await Promise.all(
    entries.map(async ({ entry, path }) => {
      try {
        const names = Object.keys((await import(pathToFileURL(resolve(path)).href)) as object)
        // Loading is this entry's only effect.
        return names.length > 0 || entry === './early' ? [] : [`the entry ${entry} exports nothing`]
      } catch (error) {
        return [`the entry ${entry} does not load on a server: ${String(error)}`]
      }
    }),
  )
  return answers.flat()
}
