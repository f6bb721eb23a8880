// A fake browser: the clock, local storage, channels, locks and small store that its tabs share.
import { createClockWorks, type FakeClock } from './fakeClock.ts'
import { createFakeStorage, type FakeStorage } from './fakeStorage.ts'
import { createBrowserWorks } from './fakeTabs.ts'

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
  startMs,
  localStorage,
  whileSettling,
}: FakeBrowserOptions = {}): FakeBrowser {
  const clockWorks = createClockWorks(startMs, whileSettling)
  const posted: { channel: string; message: unknown }[] = []
  createBrowserWorks(clockWorks, (channel, message) => posted.push({ channel, message }))
  return { clock: clockWorks.clock, localStorage: createFakeStorage(localStorage), posted }
}
