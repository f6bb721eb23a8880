// Runs all measurements of one contestant; a failure is recorded with its reason, and the rest continues.
import { join } from 'node:path'
import { bundle } from '../bundle.ts'
import type { Contestant, VisitPart } from './contestants.ts'
import { journeys } from './measures/journeys.ts'
import { askInTabs, fiftyAsks } from './measures/tokens.ts'
import { leftovers, renders } from './measures/upkeep.ts'
import { firstCall, reloadCounts, reloadWork, scripts } from './measures/work.ts'
import { openScene, type Scene } from './scene.ts'

/** The result, or why there is none. */
export type Outcome<Value> = { found: Value } | { reason: string }

const MEASURES = {
  size,
  ...journeys,
  scripts,
  // Only this library makes the app's calls.
  firstCall,
  reloadWork: (scene: Scene) => reloadWork(scene),
  reloadCounts,
  fiftyAsks,
  tabs: (scene: Scene) => askInTabs(scene, 'opened'),
  duplicates: (scene: Scene) => askInTabs(scene, 'duplicated'),
  renders,
  leftovers,
} satisfies Record<VisitPart, unknown> & Record<string, unknown>
/** One of the measurements. */
export type Part = keyof typeof MEASURES
export const PARTS = Object.keys(MEASURES) as Part[]
export type Found<Name extends Part> = Awaited<ReturnType<(typeof MEASURES)[Name]>>
export type PeerResult = { [Name in Part]?: Outcome<Found<Name>> }
export type ReactAlone = Found<'reloadWork'>

export const found = <Value>(outcome: Outcome<Value> | undefined): Value | undefined =>
  outcome && 'found' in outcome ? outcome.found : undefined

export async function measureContestant(contestant: Contestant, parts: readonly Part[]): Promise<PeerResult> {
  const scene = await openScene(contestant)
  const isOwn = contestant.packages.length === 0
  const result: Record<string, Outcome<unknown>> = {}
  try {
    for (const name of parts.filter((part) => isOwn || part !== 'firstCall')) {
      result[name] =
        contestant.parts?.some((part) => part === name) === false
          ? { reason: 'as with the one above' }
          : await settle(MEASURES[name](scene))
      process.stdout.write(`  ${contestant.name}: ${name}: ${JSON.stringify(result[name]).slice(0, 400)}\n`)
    }
  } finally {
    await scene.close()
  }
  return result
}

async function size({ contestant }: Scene) {
  const { first, later, firstGzipBytes, allGzipBytes } = await bundle(contestant.imports, [
    join(import.meta.dirname, 'node_modules'),
  ])
  return { gzipBytes: firstGzipBytes, allGzipBytes, files: first.length, laterFiles: later.length }
}

async function settle(measuring: Promise<unknown>): Promise<Outcome<unknown>> {
  try {
    return { found: await measuring }
  } catch (error) {
    return { reason: error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'it failed' }
  }
}
