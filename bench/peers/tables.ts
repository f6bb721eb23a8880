// The comparison tables: a row per contestant, in the order of their list.
import { readFileSync } from 'node:fs'
import type { Table } from '../report.ts'
import type { Contestant } from './contestants.ts'
import { type Found, found, type Outcome, type PeerResult, type ReactAlone } from './parts.ts'

export interface MeasuredContestant {
  contestant: Contestant
  /** The day of the measurement, as an ISO date. */
  result: PeerResult & { measuredOn?: string }
}

export function toTables(measured: readonly MeasuredContestant[], reactAlone: ReactAlone): Table[] {
  const table = (
    title: string,
    columns: Readonly<Record<string, (result: PeerResult) => string>>,
  ): Table => ({
    title,
    columns: ['Library', ...Object.keys(columns)],
    rows: measured.map(({ contestant, result }) => [
      contestant.name,
      ...Object.values(columns).map((cell) => cell(result)),
    ]),
  })
  return [
    table('Getting in', {
      'Bundle, kB gzip': ({ size }) => said(size, ({ gzipBytes }) => kilobytes(gzipBytes)),
      'With what loads later': ({ size }) => said(size, ({ allGzipBytes }) => kilobytes(allGzipBytes)),
      'Files, and later ones': ({ size }) => said(size, ({ files, laterFiles }) => `${files}, ${laterFiles}`),
      'Script on the main thread at a reload, times React alone': ({ reloadWork }) =>
        said(reloadWork, ({ scriptMs }) => (scriptMs / reactAlone.scriptMs).toFixed(2)),
      'Reload until the first signed-in render: storage reads / JSON.parse / new URL': ({ reloadCounts }) =>
        said(
          reloadCounts,
          ({ storageReads, jsonParses, urls }) => `${storageReads} / ${jsonParses} / ${urls}`,
        ),
      'JavaScript until signed in, kB gzip, React included': ({ scripts }) =>
        said(scripts, ({ bytes }) => kilobytes(bytes)),
      'The same, files': ({ scripts }) =>
        said(scripts, ({ files }: { files?: number }) => String(files ?? 'not measured')),
      'Cold sign-in, round trips': ({ cold }) => said(cold, ({ roundTrips }) => rounded(roundTrips)),
      'The same, the app’s own files counted': ({ coldAllFiles }) => said(coldAllFiles, trips),
      'Cold sign-in, caches full': ({ coldAgain }) =>
        said(coldAgain, ({ roundTrips }) => rounded(roundTrips)),
      'Cold while the app’s files take three: more than those': ({ coldSlowFiles }) =>
        said(coldSlowFiles, trips),
      'Reload, round trips': ({ reload }) => said(reload, trips),
      'Reload, requests to the server': ({ reload }) => said(reload, ({ requests }) => String(requests)),
      'Reload with frame cookies blocked, round trips': ({ reloadBlocked }) => said(reloadBlocked, trips),
      'Reload while the app’s files take three: more than the page itself': ({ slowFiles }) =>
        said(slowFiles, trips),
      'New visit of a known browser, no tab open: round trips': ({ knownBrowser }) =>
        said(knownBrowser, trips),
      'New tab, round trips': ({ newTab }) => said(newTab, trips),
      'New tab, requests to the server': ({ newTab }) => said(newTab, ({ requests }) => String(requests)),
    }),
    table('Tokens', {
      '50 asks with an expired token: token requests': ({ fiftyAsks }) =>
        said(fiftyAsks, ({ tokenRequests, refused }) =>
          refused > 0 ? `${tokenRequests}, ${refused} asks refused` : String(tokenRequests),
        ),
      '8 tabs, opened one by one: token requests': ({ tabs }) => said(tabs, requested),
      'sessions lost': ({ tabs }) => said(tabs, lost),
      '8 tabs, 7 of them duplicated: token requests': ({ duplicates }) => said(duplicates, requested),
      'lost of these': ({ duplicates }) => said(duplicates, lost),
    }),
    table('Lasting', {
      'Renders: cold / reload / renewal': ({ renders }) =>
        said(renders, ({ cold, reload, renewal }) => `${cold} / ${reload} / ${rounded(renewal)}`),
      'Heap kept for each of 500 renewals, bytes': ({ leftovers }) =>
        said(leftovers, ({ heapBytesPerRenewal }) => heapBytesPerRenewal.toFixed(0)),
      'Listeners added': ({ leftovers }) => said(leftovers, ({ listeners }) => String(listeners)),
      'Timers added': ({ leftovers }) => said(leftovers, ({ timers }) => String(timers)),
      'Frames added': ({ leftovers }) => said(leftovers, ({ frames }) => String(frames)),
    }),
  ]
}

/** Each contestant's setup with its versions, and what was not measured and why. */
export function toNotes(measured: readonly MeasuredContestant[]): string[] {
  const manifest = readFileSync(new URL('package.json', import.meta.url), 'utf8')
  const { dependencies: versions } = JSON.parse(manifest) as { dependencies: Record<string, string> }
  return measured.map(({ contestant: { name, packages, note }, result }) => {
    const of = packages.map((each) => `${each} ${versions[each]}`).join(', ')
    const { measuredOn, ...outcomes } = result
    const missing = Object.entries(outcomes).flatMap(([what, outcome]: [string, Outcome<unknown>]) =>
      'reason' in outcome ? [`Not measured: ${what} (${outcome.reason}).`] : [],
    )
    const day = measuredOn === undefined ? [] : [`Measured on ${measuredOn}.`]
    return [`**${name}**${of ? ` (${of})` : ''}: ${note}`, ...day, ...missing].join(' ')
  })
}

/** A result of an earlier run may lack newer measurements. */
function said<Value>(outcome: Outcome<Value> | undefined, say: (value: Value) => string): string {
  const value = found(outcome)
  return value === undefined ? 'not measured' : say(value)
}

const trips = ({ roundTrips }: Found<'reload'>) => rounded(roundTrips)
const requested = ({ tokenRequests }: Found<'tabs'>) => String(tokenRequests)
const lost = (asked: Found<'tabs'>) => String(asked.lost)
const kilobytes = (bytes: number) => (bytes / 1000).toFixed(1)
const rounded = (value: number) => String(Math.round(value * 10) / 10)
