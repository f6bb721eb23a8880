// Runs work under the lock of all tabs, and never waits for it without a limit.
import type { Platform, TabsPort } from '../platform/platform.ts'

export interface TabLock {
  lock: NonNullable<TabsPort['lock']>
  name: string
  platform: Pick<Platform, 'setTimer'>
  /** How long its turn is waited for. */
  waitMs: number
}

/** A lock that hangs or fails stops nobody: the work begins without it, and the server decides who is right. */
export async function underLock(
  { lock, name, platform, waitMs }: TabLock,
  work: () => Promise<void>,
): Promise<void> {
  const waiting = new AbortController()
  let running: Promise<void> | undefined
  const begin = () => (running ??= work())
  await new Promise<void>((resolve) => {
    const goOn = () => {
      cancel()
      resolve()
    }
    const cancel = platform.setTimer(() => {
      waiting.abort()
      goOn()
    }, waitMs)
    const hold = async () => {
      cancel()
      // The lock may come after all when the work has begun without it.
      if (!running) await begin()
    }
    const request = async () => lock(name, { signal: waiting.signal }, hold)
    request().then(goOn, goOn)
  })
  return begin()
}
