// How many inputs of each kind one run of the suite generates: the same every time; a longer run generates new ones too.
import * as fc from 'fast-check'

interface Amount {
  readonly count: number
  /** Inputs that one run of the property takes at once. Default: one. */
  readonly batch?: number
  /** Tests that share the count, one row of a table each. Default: one. */
  readonly rows?: number
}

/** Every kind of input that tests generate; a test takes its numbers from here, so that this is what runs. */
export const GENERATED = {
  'addresses that a page is opened with': { count: 10_000, batch: 100 },
  'addresses before the early script': { count: 3000, batch: 100 },
  'addresses that the early script comes back to': { count: 2000, batch: 20 },
  'addresses without network': { count: 300 },
  'addresses to clean': { count: 5000 },
  'deep links through a sign-in': { count: 1000, batch: 50 },
  'deep links, one at a time': { count: 40 },
  'deep links to another environment': { count: 200, batch: 20 },
  'messages of the frame': { count: 20_000 },
  'messages to the window': { count: 20_000, batch: 200 },
  'messages to a popup': { count: 10_000, batch: 200 },
  tokens: { count: 20_000 },
  'token answers': { count: 5000 },
  metadata: { count: 1000 },
  'ID tokens': { count: 2000 },
  'ID tokens of any text': { count: 1000 },
  'token responses': { count: 1000 },
  'silent responses': { count: 5000 },
  'poisoned values beside a session': { count: 2000, batch: 5 },
  'poisoned values without a session': { count: 500, batch: 5 },
  'redirections files': { count: 3000 },
  'real-time messages': { count: 10_000 },
  'real-time messages to a session': { count: 10_000, batch: 100 },
  'real-time messages between tabs': { count: 10_000 },
  'schedules of sessions': { count: 16_000, rows: 8 },
  'schedules of silent sessions': { count: 500 },
  'returns to a preview': { count: 200 },
  'orders to the toaster': { count: 60 },
  'whole sessions': { count: 60 },
  'broken JSON texts': { count: 100_000 },
} satisfies Record<string, Amount>

export type GeneratedKind = keyof typeof GENERATED

/** So that every run begins with the same inputs. */
export const SEED = 20_261_120
/** A failing input is made smaller for so long; a vitest timeout would swallow it. */
const LONGEST_MS = 200_000
// A longer run by hand: 50 makes a million addresses. A shorter one: 0.01.
const share = Number(process.env['LATCHKEY_GENERATED'] ?? 1)

/** How much longer than usual a test may take. */
export const longer = Math.max(1, share)

/** How often the property of a kind runs, in one of its tests. */
export function generatedRuns(kind: GeneratedKind): number {
  const { count, batch = 1, rows = 1 }: Amount = GENERATED[kind]
  return Math.max(2, Math.round((count * share) / batch / rows))
}

/**
 * Holds a property for as many inputs as the table says, and makes an input that fails as small as it can be. Half of a
 * longer run's inputs are new: an ordinary run is about the change under test, so it repeats the inputs of the last one.
 */
export async function checkGenerated<Input>(
  kind: GeneratedKind,
  property: fc.IAsyncProperty<Input> | fc.IProperty<Input>,
): Promise<void> {
  const runs = generatedRuns(kind)
  const same = share <= 1 ? runs : Math.ceil(runs / 2)
  const limit = share <= 1 ? { interruptAfterTimeLimit: LONGEST_MS, markInterruptAsFailure: true } : {}
  const check = async (parameters: fc.Parameters<Input>) =>
    fc.assert(property as fc.IAsyncProperty<Input>, { ...limit, ...parameters })
  await check({ numRuns: same, seed: SEED })
  if (runs > same) await check({ numRuns: runs - same })
}
