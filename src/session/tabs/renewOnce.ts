// Decides how a tab that holds the lock comes by new tokens: offered by another tab, by refresh, or by verifying first (contract §5).
import type { Agreed } from '../../protocol/tabWords.ts'

/** What a tab knows when its turn has come. */
export interface RenewalFacts {
  /** How many times the tabs have got tokens, as far as this tab knows. */
  readonly generation: number
  /** What the tabs agree on; `undefined` where nothing is shared. */
  readonly agreed: Pick<Agreed, 'generation' | 'isPending'> | undefined
  /** Whether other tabs seem to hold the session. */
  readonly hasSiblings: boolean
}

export interface RenewalPlan {
  /** Ask the other tabs first, for tokens at least as new as this; `undefined`: nobody can have newer ones. */
  readonly askFor: number | undefined
  /**
   * What to do when nobody offers. `refresh`: the refresh token here is the newest. `verify`: another tab renewed, or died
   * while it renewed, so the refresh token here may be used up; the server's own session is asked first.
   */
  readonly otherwise: 'refresh' | 'verify'
}

export function planRenewal({ generation, agreed, hasSiblings }: RenewalFacts): RenewalPlan {
  // Where nothing is shared, a sibling may have renewed once more than this tab heard of.
  const latest = agreed?.generation ?? generation + 1
  const isStale = agreed !== undefined && (agreed.isPending || agreed.generation > generation)
  return {
    askFor: hasSiblings && latest > generation ? latest : undefined,
    otherwise: isStale ? 'verify' : 'refresh',
  }
}
