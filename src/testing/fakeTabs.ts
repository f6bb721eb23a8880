// The channels, locks and small shared store of a fake browser, each with its owner.
import type { ChannelPort, TabsPort } from '../session/platform/platform.ts'

type Lock = NonNullable<TabsPort['lock']>

/** The internals of a browser, for its tabs. An owner is a page. */
export interface TabsWorks {
  openChannel(owner: object, name: string, listen: (message: unknown) => void): ChannelPort
  countChannels(owner: object): number
  lock(owner: object, ...request: Parameters<Lock>): Promise<unknown>
  countLocks(owner: object): number
  update: NonNullable<TabsPort['update']>
  /** Releases the channels and locks of a closed page. */
  release(owner: object): void
}

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

export function createTabsWorks(options: {
  track<Result>(work: Promise<Result>): Promise<Result>
  onPost(channel: string, message: unknown): void
}): TabsWorks {
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
    openChannel(owner, name, listen) {
      const channel = { owner, name, listen }
      channels.add(channel)
      return {
        post(message) {
          if (!channels.has(channel)) throw new Error('The channel is closed')
          // Copied now: a value that cannot be cloned throws here, as in browsers.
          const copy: unknown = structuredClone(message)
          options.onPost(name, copy)
          const receivers = [...channels].filter((other) => other !== channel && other.name === name)
          void options.track(deliver(receivers, copy))
        },
        close: () => channels.delete(channel),
      }
    },
    countChannels: (owner) => [...channels].filter((channel) => channel.owner === owner).length,
    lock(owner, name, { signal, isOptional }, work) {
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
    countLocks: (owner) => [...requests].filter((request) => request.owner === owner).length,
    async update(key, change) {
      const changed = change(structuredClone(shared.get(key)))
      shared.set(key, structuredClone(changed))
      return changed
    },
    release(owner) {
      for (const channel of channels) if (channel.owner === owner) channels.delete(channel)
      const own = [...requests].filter((request) => request.owner === owner)
      for (const request of own) requests.delete(request)
      for (const { name } of own) grantNext(name)
    },
  }
}
