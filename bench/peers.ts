// Compares alternative libraries with this one, against one server and with the same steps.
import { readFileSync } from 'node:fs'
import { installIn } from '../scripts/installIn.ts'
import { CONTESTANTS, REACT_ALONE } from './peers/contestants.ts'
import {
  found,
  measureContestant,
  type Outcome,
  PARTS,
  type PeerResult,
  type ReactAlone,
} from './peers/parts.ts'
import { openScene } from './peers/scene.ts'
import { toNotes, toTables } from './peers/tables.ts'
import { reloadWork } from './peers/measures/work.ts'
import { atMost, type Figure, type Findings, resultPath } from './report.ts'

interface Raw {
  reactAlone: ReactAlone
  results: Record<string, PeerResult & { measuredOn?: string }>
}

/** Why these parts cannot be measured alone: ratios to the row "React alone" need both figures from the same run. */
export function whyNotOnly(only: readonly string[]): string | undefined {
  const names = namesIn(only)
  const isRatio = names.length === only.length || only.includes('reloadWork')
  if (names.length === 0 || !isRatio) return undefined
  return `--only ${only.join(',')} would put "React alone" of this run beside rows of another. Name a part beside ${names.join(' and ')}, or measure reloadWork of all.`
}

const namesIn = (only: readonly string[]) =>
  only.filter((name) => CONTESTANTS.some((contestant) => contestant.name === name))

/** @param only Names of contestants or parts to measure now; everything else keeps its results. */
export async function measurePeers(only: readonly string[] = []): Promise<Findings> {
  installIn('bench/peers', '--ignore-scripts')
  const known =
    only.length === 0
      ? undefined
      : (JSON.parse(readFileSync(resultPath('peers'), 'utf8')) as { raw: Raw }).raw
  const names = namesIn(only)
  const parts = PARTS.filter((name) => only.length === names.length || only.includes(name))
  const results: Raw['results'] = { ...known?.results }
  for (const contestant of CONTESTANTS.filter(({ name }) => names.length === 0 || names.includes(name))) {
    process.stdout.write(`measuring ${contestant.name}\n`)
    results[contestant.name] = {
      ...results[contestant.name],
      ...(await measureContestant(contestant, parts)),
      measuredOn: new Date().toISOString().slice(0, 10),
    }
  }
  const raw: Raw = {
    reactAlone: known && !parts.includes('reloadWork') ? known.reactAlone : await measureReactAlone(),
    results,
  }
  const measured = CONTESTANTS.flatMap((contestant) => {
    const result = results[contestant.name]
    return result ? [{ contestant, result }] : []
  })
  return {
    figures: [...ownGoals(raw, 'openIdConnect'), ...ownGoals(raw, 'authHost')],
    tables: toTables(measured, raw.reactAlone),
    notes: toNotes(measured),
    raw,
  }
}

/** The cost of a page with React alone, for comparison. */
async function measureReactAlone(): Promise<ReactAlone> {
  const scene = await openScene(REACT_ALONE)
  try {
    return await reloadWork(scene, 'unauthenticated')
  } finally {
    await scene.close()
  }
}

/** The result and its limit. */
type Goals = Readonly<Record<string, readonly [value: number | undefined, most: number]>>

/** The results of this library with one kind of server. */
function ownGoals({ results, reactAlone }: Raw, server: 'openIdConnect' | 'authHost'): Figure[] {
  const goalsOf = (how: string, words: string, goals: (result: PeerResult) => Goals): Figure[] =>
    Object.entries(goals(results[`latchkey (${server})${how}`] ?? {})).flatMap(([what, [value, most]]) =>
      value === undefined
        ? []
        : [{ ...atMost(`${server}${words}: ${what}`, value, most), isMet: Math.round(value) <= most }],
    )
  const trips = (journey: Outcome<{ roundTrips: number }> | undefined) => found(journey)?.roundTrips
  const filesCounted = ({ coldAllFiles, firstCall, reload }: PeerResult): Goals => ({
    'cold sign-in, the app’s own files counted, round trips': [trips(coldAllFiles), 7],
    'first `auth.fetch` 100 ms after a cold sign-in, round trips more than later': [
      found(firstCall)?.moreRoundTrips,
      0,
    ],
    'reload, round trips': [trips(reload), 1],
  })
  const script = found(results[`latchkey (${server})`]?.reloadWork)?.scriptMs
  const counts = found(results[`latchkey (${server})`]?.reloadCounts)
  return [
    ...goalsOf('', '', (result) => ({
      ...filesCounted(result),
      'new visit of a known browser, round trips': [trips(result.knownBrowser), 4],
      'cold sign-in, files taking three, round trips more than the files': [trips(result.coldSlowFiles), 6],
      'reload, files taking three, round trips more than the page itself': [trips(result.slowFiles), 0],
      'script on the main thread at a reload, times React alone': [script && script / reactAlone.scriptMs, 2],
      'storage reads of a reload, until its first signed-in render': [counts?.storageReads, 8],
      '`JSON.parse` of a reload, until then': [counts?.jsonParses, 8],
      '`new URL` of a reload, until then': [counts?.urls, 6],
      'new tab, round trips': [trips(result.newTab), 1],
      'new tab, requests to the server': [found(result.newTab)?.requests, 0],
      '50 asks with an expired token, token requests': [found(result.fiftyAsks)?.tokenRequests, 1],
      '8 tabs with an expired token, token requests': [found(result.tabs)?.tokenRequests, 1],
      '8 tabs with an expired token, sessions lost': [found(result.tabs)?.lost, 0],
      '8 tabs, 7 of them duplicated, token requests': [found(result.duplicates)?.tokenRequests, 1],
      '8 tabs, 7 of them duplicated, sessions lost': [found(result.duplicates)?.lost, 0],
      'renders of a component, cold': [found(result.renders)?.cold, 1],
      'renders of a component, reload': [found(result.renders)?.reload, 1],
      'renders of a component, renewal': [found(result.renders)?.renewal, 0],
      'heap kept for each of 500 renewals, bytes': [found(result.leftovers)?.heapBytesPerRenewal, 100],
      '500 renewals, listeners more than before': [found(result.leftovers)?.listeners, 0],
      '500 renewals, timers more than before': [found(result.leftovers)?.timers, 0],
    })),
    ...goalsOf(' by esbuild', ' by esbuild with splitting', filesCounted),
  ]
}
