// Runs one contestant through everything that is measured; what fails is written down with its reason, and the rest goes on.
import { join } from 'node:path'
import { bundle } from '../bundle.ts'
import { type Contestant, REACT_ALONE } from './contestants.ts'
import { type FirstCall, firstCall } from './measures/firstCall.ts'
import {
  type Journey,
  travelByReload,
  travelByReloadWithoutFrameCookies,
  travelCold,
  travelColdAgain,
  travelColdWithAllFiles,
  travelColdWithSlowFiles,
  travelToNewTab,
  travelWithSlowFiles,
} from './measures/journeys.ts'
import { type Scripts, scriptsUntilSignedIn } from './measures/scripts.ts'
import { type ReloadWork, reloadWork, type StartUp, startUp } from './measures/startUp.ts'
import { type Asked, type AskedByTabs, askFiftyTimes, askInTabs } from './measures/tokens.ts'
import { countLeftovers, countRenders, type Leftovers, type Renders } from './measures/upkeep.ts'
import { openScene, type Scene } from './scene.ts'

/** What was found, or why nothing was. */
export type Outcome<Found> = { found: Found } | { reason: string }

export interface Size {
  gzipBytes: number
  /** With what is loaded later. */
  allGzipBytes: number
  files: number
  laterFiles: number
}

export interface PeerResult {
  size: Outcome<Size>
  startUp: Outcome<StartUp>
  cold: Outcome<Journey>
  /** Results of an earlier run lack it. */
  coldAllFiles?: Outcome<Journey>
  coldAgain: Outcome<Journey>
  coldSlowFiles: Outcome<Journey>
  scripts: Outcome<Scripts>
  /** Results of an earlier run lack it. */
  firstCall?: Outcome<FirstCall>
  reload: Outcome<Journey>
  reloadWork: Outcome<ReloadWork>
  reloadBlocked: Outcome<Journey>
  slowFiles: Outcome<Journey>
  newTab: Outcome<Journey>
  fiftyAsks: Outcome<Asked>
  tabs: Outcome<AskedByTabs>
  duplicates: Outcome<AskedByTabs>
  renders: Outcome<Renders>
  leftovers: Outcome<Leftovers>
}

/** @param parts What to measure; all of it when it is empty. What is not measured stays as it is known. */
export async function measureContestant(
  contestant: Contestant,
  parts: readonly string[] = [],
  known: Partial<PeerResult> = {},
): Promise<PeerResult> {
  const scene = await openScene(contestant)
  const attempt = async <Found>(
    name: keyof PeerResult,
    measure: (scene: Scene) => Promise<Found>,
  ): Promise<Outcome<Found>> => {
    if (contestant.parts?.includes(name) === false) return { reason: 'as with the one above' }
    if (parts.length > 0 && !parts.includes(name))
      return (known[name] as Outcome<Found> | undefined) ?? { reason: 'it was left out' }
    const outcome = await settle(measure(scene))
    process.stdout.write(`  ${contestant.name}: ${name}: ${JSON.stringify(outcome).slice(0, 400)}\n`)
    return outcome
  }
  try {
    return {
      size: await attempt('size', () => measureSize(contestant)),
      startUp: await attempt('startUp', () => startUp(scene)),
      cold: await attempt('cold', () => travelCold(scene)),
      coldAllFiles: await attempt('coldAllFiles', () => travelColdWithAllFiles(scene)),
      coldAgain: await attempt('coldAgain', () => travelColdAgain(scene)),
      coldSlowFiles: await attempt('coldSlowFiles', () => travelColdWithSlowFiles(scene)),
      scripts: await attempt('scripts', () => scriptsUntilSignedIn(scene)),
      // Only this library makes calls of the app.
      ...(contestant.packages.length === 0 && {
        firstCall: await attempt('firstCall', () => firstCall(scene)),
      }),
      reload: await attempt('reload', () => travelByReload(scene)),
      reloadWork: await attempt('reloadWork', () => reloadWork(scene)),
      reloadBlocked: await attempt('reloadBlocked', () => travelByReloadWithoutFrameCookies(scene)),
      slowFiles: await attempt('slowFiles', () => travelWithSlowFiles(scene)),
      newTab: await attempt('newTab', () => travelToNewTab(scene)),
      fiftyAsks: await attempt('fiftyAsks', () => askFiftyTimes(scene)),
      tabs: await attempt('tabs', () => askInTabs(scene, 'opened')),
      duplicates: await attempt('duplicates', () => askInTabs(scene, 'duplicated')),
      renders: await attempt('renders', () => countRenders(scene)),
      leftovers: await attempt('leftovers', () => countLeftovers(scene)),
    }
  } finally {
    await scene.close()
  }
}

export interface ReactAlone extends StartUp {
  /** Results of an earlier run lack it. */
  reload?: ReloadWork
}

/** What a page with React and nothing else costs, to compare with. */
export async function measureReactAlone(): Promise<ReactAlone> {
  const scene = await openScene(REACT_ALONE)
  try {
    return { ...(await startUp(scene)), reload: await reloadWork(scene, 'unauthenticated') }
  } finally {
    await scene.close()
  }
}

async function measureSize({ imports }: Contestant): Promise<Size> {
  const { first, later, firstGzipBytes, allGzipBytes } = await bundle(imports, [
    join(import.meta.dirname, 'node_modules'),
  ])
  return { gzipBytes: firstGzipBytes, allGzipBytes, files: first.length, laterFiles: later.length }
}

async function settle<Found>(measuring: Promise<Found>): Promise<Outcome<Found>> {
  try {
    return { found: await measuring }
  } catch (error) {
    return { reason: error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'it failed' }
  }
}
