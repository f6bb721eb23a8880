// A fake browser: what its tabs share, which is one clock, local storage, channels, locks and a small store.
import { type ClockWorks, createClockWorks, type FakeClock } from './fakeClock.ts'
import { createFakeStorage, type FakeStorage } from './fakeStorage.ts'
import { createTabsWorks, type TabsWorks } from './fakeTabs.ts'

/** What the tabs of one browser share. Hand it to `createFakeHost` as `browser`. */
export interface FakeBrowser {
  /** The one clock of all tabs; it goes when it is told to. */
  readonly clock: FakeClock
  /** Local storage, shared by all tabs. */
  readonly localStorage: FakeStorage
  /** Every message between tabs, in order. */
  readonly posted: readonly { readonly channel: string; readonly message: unknown }[]
}

/** How a fake browser differs from the usual one. */
export interface FakeBrowserOptions {
  /** Wall clock at the start. Default `FAKE_START_MS`. */
  startMs?: number | undefined
  /** Entries of local storage at the start. */
  localStorage?: Readonly<Record<string, string>> | undefined
  /** Further work that `settle` waits for: where modules load from a disk, `vi.dynamicImportSettled` of vitest. */
  whileSettling?: (() => Promise<unknown>) | undefined
}

/** The inside of a browser, for its tabs. */
export type BrowserWorks = ClockWorks & TabsWorks

const insides = new WeakMap<FakeBrowser, BrowserWorks>()

/** The inside of a fake browser. */
export function browserWorks(browser: FakeBrowser): BrowserWorks {
  const works = insides.get(browser)
  if (!works) throw new TypeError('This browser was not made by createFakeBrowser()')
  return works
}

/**
 * A browser without tabs; `createFakeHost(address, { browser })` opens one.
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
  const tabsWorks = createTabsWorks({
    track: clockWorks.track,
    onPost: (channel, message) => posted.push({ channel, message }),
  })
  const browser: FakeBrowser = {
    clock: clockWorks.clock,
    localStorage: createFakeStorage(localStorage),
    posted,
  }
  insides.set(browser, { ...clockWorks, ...tabsWorks })
  return browser
}
