// Writes the figures down: as a table for the terminal and as the page evidence/benchmarks.md.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Figure, Table } from './figures.ts'

/** The measurements, in the order of the page. */
export const NAMES = [
  'size',
  'reload',
  'early',
  'renders',
  'tabs',
  'toasts',
  'lasting',
  'editor',
  'peers',
] as const

export type Name = (typeof NAMES)[number]

export interface Measured {
  title: string
  figures: Figure[]
  tables?: Table[]
  notes?: string[]
  machine: string
  /** The day, as an ISO date. */
  measuredOn?: string
  raw: unknown
}

export const resultPath = (name: Name): string =>
  fileURLToPath(new URL(`results/${name}.json`, import.meta.url))

/** Measurements that were not run now keep what they found the last time. */
export function readResults(): Measured[] {
  return NAMES.flatMap((name) => {
    try {
      return [JSON.parse(readFileSync(resultPath(name), 'utf8')) as Measured]
    } catch {
      return []
    }
  })
}

/** For the terminal. */
export function toTable(figures: readonly Figure[]): string {
  const width = Math.max(...figures.map(({ what }) => what.length))
  return figures
    .map(({ what, value, goal, isMet }) => {
      const verdict = isMet === undefined ? '' : isMet ? `  ok (${goal})` : `  MISSED (${goal})`
      return `  ${what.padEnd(width)}  ${value}${verdict}`
    })
    .join('\n')
}

/** The whole page; made from results, never written by hand. */
export function toMarkdown(results: readonly Measured[]): string {
  const machines = [...new Set(results.map(({ machine }) => machine))]
  return `# Benchmarks

Written by \`npm run bench\` from \`bench/results/\`; change the bench, not this page. Counts and ratios are what to look at:
they are the same on every machine. Milliseconds belong to the machine they were measured on (${machines.join('; ')}),
which may have been busy.

${results.map(toSection).join('\n')}
## How it is measured

- **Size**: an app entry that uses \`createAuth\`, \`AuthProvider\`, \`useAuth\`, \`useLogin\` and \`useLogout\`, bundled and minified from
  the built package, dependencies included, React, TanStack Query and PubNub left out. The files of the first load are compressed together.
- **Everything else**: production builds in Chromium against the demo's authorization server, which rotates refresh tokens and revokes
  the grant when one is used twice. Requests are counted at the server, preflights left out.
- **Round trips**: the server answers every request 0, 50 and 400 ms later; how much the time to being signed in grows with that is how
  many requests have to wait for each other.
- **Expired tokens**: the clock of every tab jumps by an hour, as after a sleep, and then all tabs ask at once.
- **Side by side**: each library as a small page in the set-up that its own documentation recommends, built for production, against one
  oidc-provider that rotates refresh tokens, revokes the grant when one is used twice, and signs in whoever comes. Whatever a page loads
  is delayed, except for the app's own files that it names, which every app has; one column counts those too, each at its first load. Vite
  builds each page and names the files that its first one imports; esbuild, with splitting, names the first one alone. The button is
  pressed as soon as it is there. Where
  those files take three latencies, as on a slow line or a slow machine, they take them at every load: a sign-in loads the page twice. The
  clocks of pages and server jump together; a session is lost when its tab gets no token any more after another jump. Duplicated tabs are
  opened by the first one, with a copy of its session storage. Some servers bear with a used refresh token for some seconds, and fewer
  sessions are lost there; this one does not. The main thread is measured in its own
  time, which stands still while the processor does something else; the median of seven visits. The heap is
  compared after 1,000 and after 1,500 renewals, when compiled code and the browser's own record of requests have stopped growing.
- **Toasts**: the browser's own report of long tasks (50 ms or more); the task that calls \`notify\` a thousand times is not counted among them.
- **Listeners, timers, channels, frames**: counted in the page from its first moment on; the heap after a garbage collection.

\`npm run bench -- tabs reload\` runs single measurements, \`--skip-build\` measures what the last run has built.
`
}

function toSection({ title, figures, tables = [], notes = [], measuredOn }: Measured): string {
  const parts = [
    ...tables.map(({ title: of, columns, rows }) => `### ${of}\n\n${toGrid([columns, ...rows])}`),
    ...(notes.length > 0 ? [notes.map((note) => `- ${note}`).join('\n')] : []),
  ]
  return (
    [
      `## ${title}`,
      `Measured on ${measuredOn ?? 'a day that was not written down'}.`,
      toRows(figures),
      ...parts,
      '',
    ]
      .join('\n\n')
      .trimEnd() + '\n'
  )
}

function toRows(figures: readonly Figure[]): string {
  const rows = figures.map(({ what, value, goal, isMet }) => {
    const verdict = isMet === undefined ? '' : isMet ? goal : `**missed**: ${goal}`
    return [what, value, verdict ?? '']
  })
  return toGrid([['Figure', 'Found', 'Goal'], ...rows])
}

function toGrid(table: readonly (readonly string[])[]): string {
  const widths = (table[0] ?? []).map((_, column) =>
    Math.max(3, ...table.map((row) => row[column]?.length ?? 0)),
  )
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const [head = [], ...body] = table
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n')
}
