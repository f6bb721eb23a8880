// A fake browser: what its tabs share, which is one clock, local storage, channels and locks.
import type { ChannelPort, Platform } from '../session/platform.ts'
import { type ClockWorks, createClockWorks, type FakeClock } from './fakeClock.ts'
import { createFakeStorage, type FakeStorage } from './fakeStorage.ts'

/** What the tabs of one browser share. Hand it to `createFakeHost` as `browser`. */
export interface FakeBrowser {
  readonly clock: FakeClock
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
}

type Lock = NonNullable<Platform['lock']>

/** The inside of a browser, for its tabs. */
export interface BrowserWorks extends ClockWorks {
  openChannel(owner: object, name: string, listen: (message: unknown) => void): ChannelPort
  countChannels(owner: object): number
  lock(owner: object, ...request: Parameters<Lock>): Promise<unknown>
  countLocks(owner: object): number
  /** A tab is gone: its channels and locks are free. */
  release(owner: object): void
}

const works = new WeakMap<FakeBrowser, BrowserWorks>()

/** The inside of a fake browser. */
export function browserWorks(browser: FakeBrowser): BrowserWorks {
  const found = works.get(browser)
  if (!found) throw new TypeError('This browser was not made by createFakeBrowser()')
  return found
}

interface OpenChannel {
  owner: object
  name: string
  listen(message: unknown): void
}

interface LockRequest {
  owner: object
  name: string
  isHeld: boolean
  begin(isHeld: boolean): void
}

/**
 * A browser without tabs; `createFakeHost(address, { browser })` opens one.
 *
 * @example
 * const browser = createFakeBrowser()
 * const first = createFakeHost('https://app.test/', { browser })
 * const second = createFakeHost('https://app.test/', { browser })
 */
export function createFakeBrowser({ startMs, localStorage }: FakeBrowserOptions = {}): FakeBrowser {
  const clockWorks = createClockWorks(startMs)
  const channels = new Set<OpenChannel>()
  const posted: { channel: string; message: unknown }[] = []
  // In the order of asking; the first of a name is held.
  const requests = new Set<LockRequest>()

  const grantNext = (name: string) => {
    const first = [...requests].find((request) => request.name === name)
    if (!first || first.isHeld) return
    first.isHeld = true
    first.begin(true)
  }
  const leaveQueue = (request: LockRequest) => {
    requests.delete(request)
    grantNext(request.name)
  }

  const browser: FakeBrowser = {
    clock: clockWorks.clock,
    localStorage: createFakeStorage(localStorage),
    posted,
  }
  works.set(browser, {
    ...clockWorks,
    openChannel(owner, name, listen) {
      const channel = { owner, name, listen }
      channels.add(channel)
      return {
        post(message) {
          if (!channels.has(channel)) throw new Error('The channel is closed')
          // A copy, made now: what cannot be cloned throws here, as in browsers.
          const copy: unknown = structuredClone(message)
          posted.push({ channel: name, message: copy })
          const receivers = [...channels].filter((other) => other !== channel && other.name === name)
          const deliver = async () => {
            await Promise.resolve()
            for (const receiver of receivers) {
              if (channels.has(receiver)) receiver.listen(structuredClone(copy))
            }
          }
          void clockWorks.track(deliver())
        },
        close: () => channels.delete(channel),
      }
    },
    countChannels: (owner) => [...channels].filter((channel) => channel.owner === owner).length,
    lock(owner, name, { signal, isOptional }, work) {
      if (signal?.aborted) return Promise.reject(signal.reason as Error)
      if (isOptional && [...requests].some((request) => request.name === name)) return work(false)
      return new Promise<unknown>((resolve, reject) => {
        const giveUp = () => {
          leaveQueue(request)
          reject(signal?.reason as Error)
        }
        const request: LockRequest = {
          owner,
          name,
          isHeld: false,
          begin(isHeld) {
            signal?.removeEventListener('abort', giveUp)
            const run = async () => work(isHeld)
            run()
              .then(resolve, reject)
              .finally(() => leaveQueue(request))
          },
        }
        signal?.addEventListener('abort', giveUp)
        requests.add(request)
        grantNext(name)
      })
    },
    countLocks: (owner) => [...requests].filter((request) => request.owner === owner).length,
    release(owner) {
      for (const channel of channels) if (channel.owner === owner) channels.delete(channel)
      for (const request of requests) if (request.owner === owner) leaveQueue(request)
    },
  })
  return browser
}
