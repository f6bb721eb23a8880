// Lets one of several tabs do what only one may do: the first that takes a lock, which it keeps for a while.
import { LOCK_WAIT_MS } from './constants.ts'

/** The parts of the browser that it needs; no lock where the browser has none. */
interface ClaimPorts {
  lock:
    | ((
        name: string,
        options: { isOptional: true },
        work: (isHeld: boolean) => Promise<void>,
      ) => Promise<void>)
    | undefined
  setTimer(callback: () => void, delayMs: number): () => void
}

/**
 * Whether this tab is the first one. Keeps the lock for `forMs`, because another tab may come a little later. Where the
 * browser has no locks, or they fail or hang, every tab counts as the first.
 */
export function claimOnce({ lock, setTimer }: ClaimPorts, name: string, forMs: number): Promise<boolean> {
  if (!lock) return Promise.resolve(true)
  return new Promise((resolve) => {
    const goOn = () => {
      cancel()
      resolve(true)
    }
    const cancel = setTimer(goOn, LOCK_WAIT_MS)
    const take = async (isHeld: boolean) => {
      cancel()
      resolve(isHeld)
      if (isHeld) await new Promise<void>((release) => setTimer(release, forMs))
    }
    const request = async () => lock(name, { isOptional: true }, take)
    request().catch(goOn)
  })
}
