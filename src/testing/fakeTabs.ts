// The channels, locks and small shared store of a fake browser, each with its owner.
import type { ChannelPort, TabsPort } from '../session/platform/platform.ts'
import type { ClockWorks } from './fakeClock.ts'

type Lock = NonNullable<TabsPort['lock']>

interface OpenChannel {
  readonly owner: object
  readonly name: string
  readonly listen: (message: unknown) => void
}

interface LockRequest {
  readonly owner: object
  readonly name: string
  isHeld: boolean
  readonly begin: () => void
}

/** The internals of a browser, for its tabs. An owner is a page. */
export type BrowserWorks = ClockWorks & ReturnType<typeof createTabsWorks>

const insides = new WeakMap<object, BrowserWorks>()

/** Returns the internals of a fake browser. */
export function browserWorks({ clock }: { readonly clock: object }): BrowserWorks {
  const works = insides.get(clock)
  if (!works) throw new TypeError('This browser was not made by createFakeBrowser()')
  return works
}

/** Creates the channels, locks and store of one browser. `onPost` receives each message between its tabs. */
export function createBrowserWorks(clock: ClockWorks, onPost: (channel: string, message: unknown) => void) {
  insides.set(clock.clock, { ...clock, ...createTabsWorks(clock.track, onPost) })
}

function createTabsWorks(track: ClockWorks['track'], onPost: (channel: string, message: unknown) => void) {
  const channels = new Set<OpenChannel>()
  // In the order of the requests.
  const requests = new Set<LockRequest>()
  const shared = new Map<string, unknown>()

  const deliver = async (receivers: readonly OpenChannel[], message: unknown) => {
    await Promise.resolve()
    for (const receiver of receivers) if (channels.has(receiver)) receiver.listen(structuredClone(message))
  }
  const isFree = (name: string) => [...requests].every((other) => other.name !== name)
  const grantNext = (name: string) => {
    const next = [...requests].find((request) => request.name === name)
    if (!next || next.isHeld) return
    next.isHeld = true
    next.begin()
  }
  const leaveQueue = (request: LockRequest) => {
    if (requests.delete(request)) grantNext(request.name)
  }

  return {
    openChannel(owner: object, name: string, listen: (message: unknown) => void): ChannelPort {
      const channel = { owner, name, listen }
      channels.add(channel)
      return {
        post(message) {
          if (!channels.has(channel)) throw new Error('The channel is closed')
          // Copied now: a value that cannot be cloned throws here, as in browsers.
          const copy: unknown = structuredClone(message)
          onPost(name, copy)
          const receivers = [...channels].filter((other) => other !== channel && other.name === name)
          void track(deliver(receivers, copy))
        },
        close: () => channels.delete(channel),
      }
    },
    countChannels: (owner: object) => [...channels].filter((channel) => channel.owner === owner).length,
    lock(owner: object, ...[name, { signal, isOptional }, work]: Parameters<Lock>): Promise<unknown> {
      if (signal?.aborted) return Promise.reject(signal.reason as Error)
      if (isOptional && !isFree(name)) return work(false)
      return new Promise<unknown>((resolve, reject) => {
        const giveUp = () => {
          leaveQueue(request)
          reject(signal?.reason as Error)
        }
        const hold = async () => work(true)
        const request: LockRequest = {
          owner,
          name,
          isHeld: false,
          begin() {
            signal?.removeEventListener('abort', giveUp)
            void hold()
              .then(resolve, reject)
              .finally(() => leaveQueue(request))
          },
        }
        signal?.addEventListener('abort', giveUp)
        requests.add(request)
        grantNext(name)
      })
    },
    countLocks: (owner: object) => [...requests].filter((request) => request.owner === owner).length,
    async update<Value>(key: string, change: (value: unknown) => Value) {
      const changed = change(structuredClone(shared.get(key)))
      shared.set(key, structuredClone(changed))
      return changed
    },
    /** Releases the channels and locks of a closed page. */
    release(owner: object) {
      for (const channel of channels) if (channel.owner === owner) channels.delete(channel)
      const own = [...requests].filter((request) => request.owner === owner)
      for (const request of own) requests.delete(request)
      for (const { name } of own) grantNext(name)
    },
  }
}
