// A fake browser: the clock, local storage, channels, locks and small store that its tabs share.
import { createClockWorks } from './fakeClock.ts'
import { createFakeStorage, type FakeStorage } from './fakeStorage.ts'
import { createBrowserWorks } from './fakeTabs.ts'

/** Wall clock of every fake machine at the start: 2030-01-01. */
export const FAKE_START_MS = 1_893_456_000_000

/** The clock of one fake machine, shared by all its tabs. */
export interface FakeClock {
  /** Wall clock, milliseconds since 1970. */
  readonly nowMs: number
  /** Monotonic clock, milliseconds. */
  readonly monotonicMs: number
  /** Lets time pass: both clocks move, timers fire in order, and the work they start is awaited. */
  advance(ms: number): Promise<void>
  /** Lets the machine sleep: the wall clock moves, timers and the monotonic clock stop. Emit the wake events afterwards. */
  sleep(ms: number): void
  /** Sets the wall clock forward or back. No timer fires. */
  jump(ms: number): void
  /** Waits until all work in progress has ended; timers of 0 ms fire. */
  settle(): Promise<void>
}

/** A fake browser, shared by its tabs. Pass it to `createFakeHost` as `browser`. */
export interface FakeBrowser {
  /** The clock of all tabs. Only the test moves it. */
  readonly clock: FakeClock
  /** Local storage, shared by all tabs. */
  readonly localStorage: FakeStorage
  /** All messages between tabs, in order. */
  readonly posted: readonly { readonly channel: string; readonly message: unknown }[]
}

/** Options of a fake browser. */
export interface FakeBrowserOptions {
  /** Wall clock at the start. Default `FAKE_START_MS`. */
  startMs?: number | undefined
  /** Entries of local storage at the start. */
  localStorage?: Readonly<Record<string, string>> | undefined
  /** Further work that `settle` waits for, such as `vi.dynamicImportSettled` of Vitest for lazy modules. */
  whileSettling?: (() => Promise<unknown>) | undefined
}

/**
 * Creates a browser without tabs. `createFakeHost(address, { browser })` opens a tab.
 *
 * @example
 * const browser = createFakeBrowser()
 * const first = createFakeHost('https://app.test/', { browser })
 * const second = createFakeHost('https://app.test/', { browser })
 */
export function createFakeBrowser({
  startMs = FAKE_START_MS,
  localStorage,
  whileSettling,
}: FakeBrowserOptions = {}): FakeBrowser {
  const clockWorks = createClockWorks(startMs, whileSettling)
  const posted: { channel: string; message: unknown }[] = []
  createBrowserWorks(clockWorks, (channel, message) => posted.push({ channel, message }))
  return { clock: clockWorks.clock, localStorage: createFakeStorage(localStorage), posted }
}
