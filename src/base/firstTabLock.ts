// Picks one of several tabs for work that must run once: the first tab that takes a lock.
import { LOCK_WAIT_MS } from './constants.ts'

/** The Web Lock of the browser (`undefined` if it has none) and its timer. */
interface LockPorts {
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
 * Resolves to true in the first tab, which keeps the lock for `forMs`, and to false in later ones. Without locks, or if they
 * fail or take longer than 9 seconds, to true in every tab.
 */
export function takeFirstTabLock(
  { lock, setTimer }: LockPorts,
  name: string,
  forMs: number,
): Promise<boolean> {
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
