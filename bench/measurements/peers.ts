// The libraries that an app would use instead, side by side with this one, against one server and through the same steps.
import { readFileSync } from 'node:fs'
import { CONTESTANTS, type Part } from '../peers/contestants.ts'
import { installPeers } from '../peers/install.ts'
import {
  measureContestant,
  measureReactAlone,
  type Outcome,
  type PeerResult,
  type ReactAlone,
} from '../peers/measureContestant.ts'
import { toNotes, toTables } from '../peers/tables.ts'
import { atMost, exactly, type Figure, type Findings } from '../figures.ts'

interface Raw {
  reactAlone: ReactAlone
  results: Record<string, PeerResult & { measuredOn?: string }>
}

/** @param only Names of contestants, or of parts, to measure now; everything else keeps what was found before. */
export async function measurePeers(only: readonly string[] = []): Promise<Findings> {
  installPeers()
  const known = only.length > 0 ? readKnown() : undefined
  const names = only.filter((name) => CONTESTANTS.some((contestant) => contestant.name === name))
  const parts = only.filter((name) => !names.includes(name))
  const chosen = CONTESTANTS.filter(({ name }) => names.length === 0 || names.includes(name))
  const isMeasured = (part: Part) =>
    (parts.length === 0 || parts.includes(part)) &&
    chosen.some((contestant) => contestant.parts?.includes(part) !== false)
  // Where nothing is compared with it now, it stays with what was compared with it before.
  const reactAlone =
    known && !isMeasured('startUp') && !isMeasured('reloadWork')
      ? known.reactAlone
      : await measureReactAlone()
  const results: Raw['results'] = { ...known?.results }
  for (const contestant of chosen) {
    process.stdout.write(`measuring ${contestant.name}\n`)
    results[contestant.name] = {
      ...(await measureContestant(contestant, parts, results[contestant.name])),
      measuredOn: new Date().toISOString().slice(0, 10),
    }
  }
  const measured = CONTESTANTS.flatMap((contestant) => {
    const result = results[contestant.name]
    return result ? [{ contestant, result }] : []
  })
  const raw: Raw = {
    reactAlone,
    results: Object.fromEntries(measured.map(({ contestant, result }) => [contestant.name, result])),
  }
  return {
    figures: [...ownGoals(raw, 'openIdConnect'), ...ownGoals(raw, 'authHost')],
    tables: toTables(measured, reactAlone),
    notes: toNotes(measured),
    raw,
  }
}

/** Of this library with one kind of server. */
function ownGoals({ results, reactAlone }: Raw, server: 'openIdConnect' | 'authHost'): Figure[] {
  const of = (how: string) => results[`latchkey (${server})${how}`]
  const result = of('')
  if (!result) return []
  const early = of(' with early')
  const atOnce = of(' with verifyFirstVisit: false')
  const earlyAtOnce = of(' with early and verifyFirstVisit: false')
  const worker = of(' with the session worker')
  const byEsbuild = of(' by esbuild')
  const goal = <Found>(
    outcome: Outcome<Found> | undefined,
    toFigures: (found: Found) => Figure[],
  ): Figure[] => (outcome && 'found' in outcome ? toFigures(outcome.found) : [])
  const trips = (what: string, found: number, most: number): Figure => ({
    ...atMost(what, found, most),
    isMet: Math.round(found) <= most,
  })
  const coldGoals = (how: string, { cold, coldAgain }: PeerResult, most: number) => [
    ...goal(cold, ({ roundTrips }) => [trips(`Cold sign-in${how}: round trips`, roundTrips, most)]),
    ...goal(coldAgain, ({ roundTrips }) => [
      trips(`Cold sign-in${how}, preflight in the cache: round trips`, roundTrips, most - 1),
    ]),
  ]
  const figures = [
    // The look for a session that exists is one of them.
    ...coldGoals('', result, 8),
    ...(atOnce ? coldGoals(', verifyFirstVisit: false', atOnce, 7) : []),
    ...(earlyAtOnce ? coldGoals(' with latchkey/early, verifyFirstVisit: false', earlyAtOnce, 6) : []),
    ...goal(result.reloadWork, ({ scriptMs }) => [
      atMost(
        'Reload: script on the main thread, times React alone',
        scriptMs / (reactAlone.reload?.scriptMs ?? Number.NaN),
        2,
      ),
    ]),
    ...goal(early?.coldSlowFiles, ({ roundTrips }) => [
      trips('Cold sign-in with latchkey/early, files taking three: more than the files', roundTrips, 6),
    ]),
    ...[worker?.reload, worker?.reloadBlocked].flatMap((outcome, at) => {
      const what = `Reload with the session worker${at === 0 ? '' : ', frame cookies blocked'}`
      return goal(outcome, ({ roundTrips, requests }) => [
        trips(`${what}: round trips`, roundTrips, 1),
        exactly(`${what}: requests to the server`, requests, 0),
      ])
    }),
    ...goal(result.reload, ({ roundTrips }) => [trips('Reload: round trips', roundTrips, 3)]),
    ...[result, byEsbuild].flatMap((built, at) => {
      const by = at === 0 ? 'Vite' : 'esbuild with splitting'
      return [
        ...goal(built?.coldAllFiles, ({ roundTrips }) => [
          trips(`Cold sign-in by ${by}, the app’s own files counted: round trips`, roundTrips, 8),
        ]),
        ...goal(built?.firstCall, ({ moreRoundTrips }) => [
          trips(
            `First \`auth.fetch\` 100 ms after a cold sign-in by ${by}: round trips more than later`,
            moreRoundTrips,
            0,
          ),
        ]),
      ]
    }),
    ...goal(byEsbuild?.reload, ({ roundTrips }) => [
      trips('Reload by esbuild with splitting: round trips', roundTrips, 3),
    ]),
    ...goal(early?.slowFiles, ({ roundTrips }) => [
      trips('Reload with latchkey/early, files taking three: more than the page itself', roundTrips, 0),
    ]),
    ...goal(result.newTab, ({ roundTrips, requests }) => [
      trips('New tab beside a signed-in one: round trips', roundTrips, 1),
      exactly('New tab beside a signed-in one: requests to the server', requests, 0),
    ]),
    ...goal(result.fiftyAsks, ({ tokenRequests }) => [
      exactly('50 asks with an expired token: token requests', tokenRequests, 1),
    ]),
    ...goal(result.tabs, ({ tokenRequests, lost }) => [
      exactly('8 tabs with an expired token: token requests', tokenRequests, 1),
      exactly('8 tabs with an expired token: sessions lost', lost, 0),
    ]),
    ...goal(result.duplicates, ({ tokenRequests, lost }) => [
      exactly('8 tabs, 7 of them duplicated: token requests', tokenRequests, 1),
      exactly('8 tabs, 7 of them duplicated: sessions lost', lost, 0),
    ]),
    ...goal(result.renders, ({ cold, reload, renewal }) => [
      exactly('Renders of a component: cold', cold, 1),
      exactly('Renders of a component: reload', reload, 1),
      exactly('Renders of a component: renewal', renewal, 0),
    ]),
    ...goal(result.leftovers, ({ heapBytesPerRenewal, listeners, timers }) => [
      atMost('Heap kept for each of 500 renewals', heapBytesPerRenewal, 100, ' bytes'),
      exactly('500 renewals: listeners more than before', listeners, 0),
      atMost('500 renewals: timers more than before', timers, 0),
    ]),
  ]
  return figures.map((figure) => ({ ...figure, what: `${server}: ${figure.what}` }))
}

function readKnown(): Raw | undefined {
  try {
    const text = readFileSync(new URL('../results/peers.json', import.meta.url), 'utf8')
    return (JSON.parse(text) as { raw: Raw }).raw
  } catch {
    return undefined
  }
}
