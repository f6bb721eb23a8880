// A persisted cache that is bound to its user: read for them alone, and nothing of them is on the disk once they have gone.
import {
  experimental_createQueryPersister,
  type PersistedClient,
  type Persister,
  persistQueryClient,
} from '@tanstack/query-persist-client-core'
import { dehydrate, onlineManager, type Query, QueryClient, queryOptions } from '@tanstack/react-query'
import { describe, expect, it, vi } from 'vitest'
import { authed } from '../../../src/queries/authed.ts'
import { authKeys } from '../../../src/queries/keys.ts'
import { persistOptions } from '../../../src/queries/persistOptions.ts'
import type { Auth } from '../../../src/session/auth.ts'
import { internalsOf } from '../../../src/session/internals.ts'
import { createTestAuth } from '../../../src/testing/testAuth.ts'
import type { TestState } from '../../../src/testing/testState.ts'

/** As `PersistQueryClientProvider` does it: `isRestored` says when its components may ask. */
function keep(auth: Auth, queryClient: QueryClient, persister: Persister, more: object = {}) {
  const page = { isRestored: false, failure: undefined as unknown }
  const [, restored] = persistQueryClient(persistOptions(auth, { queryClient, persister, ...more }))
  restored.catch((error: unknown) => (page.failure = error)).finally(() => (page.isRestored = true))
  return page
}

/** Writes a second after it was asked to, and only the newest, as TanStack's persisters for storages do. */
function createDisk() {
  let text = ''
  let next: PersistedClient | undefined
  const write = () => {
    text = JSON.stringify(next)
    next = undefined
  }
  const persister: Persister = {
    persistClient(client) {
      if (!next) setTimeout(write, 1000)
      next = client
    },
    restoreClient: () => (text === '' ? undefined : (JSON.parse(text) as PersistedClient)),
    removeClient() {
      text = ''
    },
  }
  return { persister, text: () => text }
}

const as = (userId: string) => ({ status: 'authenticated', user: { userId } }) as const
/** Ends what queries put off to a later task. */
const settle = async () => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setTimeout(resolve, 2))
}

describe('where no provider of TanStack is mounted', () => {
  /** A record of anna, which no page has read yet. */
  async function createUnread(ageMs: number) {
    const auth = createTestAuth({ state: as('anna') })
    const disk = createDisk()
    const kept = {
      timestamp: internalsOf(auth).platform.now() - ageMs,
      clientState: dehydrate(new QueryClient()),
    }
    await disk.persister.persistClient({ ...kept, buster: `${JSON.stringify(authKeys.scoped(auth))} ` })
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    const options = persistOptions(auth, { queryClient: new QueryClient(), persister: disk.persister })
    return { auth, disk, options }
  }

  it.each([
    ['signed out', { status: 'unauthenticated', reason: 'signed-out' }, false],
    ['replaced by another', as('bob'), false],
    ['only expired', { status: 'unauthenticated', reason: 'expired' }, true],
  ] as const)('nothing is left on the disk of a user who is %s: %o, kept: %s', async (_how, next, isKept) => {
    const { auth, disk } = await createUnread(0)
    expect(disk.text()).not.toBe('')
    auth.setState(next)
    await settle()
    expect(disk.text() !== '').toBe(isKept)
  })

  it.each([
    ['an hour ago', 3_600_000, true],
    ['two days ago', 2 * 86_400_000, false],
    ['in two days, by a wrong clock', -2 * 86_400_000, false],
  ])('a record that was written %s (%d ms) is read: %s', async (_when, ageMs, isRead) => {
    const { options } = await createUnread(ageMs)
    expect((await options.persister.restoreClient()) !== undefined).toBe(isRead)
  })

  it('a page whose session has ended elsewhere neither reads nor writes', async () => {
    const { auth, disk, options } = await createUnread(0)
    expect(await options.persister.restoreClient()).toBeDefined()
    Object.assign(internalsOf(auth), { stillCounts: () => false })
    const before = disk.text()
    await options.persister.persistClient({
      timestamp: 1,
      buster: '',
      clientState: { mutations: [], queries: [] },
    })
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    expect(disk.text()).toBe(before)
    expect(await options.persister.restoreClient()).toBeUndefined()
  })
})

describe('a persister that writes a second later', () => {
  it.each([
    ['signs out', { status: 'unauthenticated', reason: 'signed-out' }, undefined],
    ['gives way to another', as('bob'), 'invoices of bob'],
  ] as const)('has nothing of a user who %s directly after a change', async (_how, next, expected) => {
    vi.useFakeTimers()
    try {
      const auth = createTestAuth({ state: as('anna') })
      const client = new QueryClient()
      const disk = createDisk()
      keep(auth, client, disk.persister)
      await vi.advanceTimersByTimeAsync(10)
      client.setQueryData(['invoices'], 'invoices of anna')
      await vi.advanceTimersByTimeAsync(2000)
      expect(disk.text()).toContain('invoices of anna')
      client.setQueryData(['invoices'], 'newer invoices of anna')
      await vi.advanceTimersByTimeAsync(500)
      auth.setState(next)
      client.clear()
      await vi.advanceTimersByTimeAsync(2000)
      expect(disk.text()).not.toContain('anna')
      if (expected === undefined) return
      client.setQueryData(['invoices'], expected)
      await vi.advanceTimersByTimeAsync(2000)
      expect(disk.text()).toContain(expected)
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('a persister whose disk is slow', () => {
  /** Each read waits until it is let go; what is written is there at once. */
  function createSlowDisk(kept?: PersistedClient) {
    const reads: (() => void)[] = []
    const disk = { kept, removals: 0 }
    const persister: Persister = {
      persistClient(client) {
        disk.kept = client
      },
      async restoreClient() {
        const { kept: found } = disk
        await new Promise<void>((resolve) => reads.push(resolve))
        return found
      },
      removeClient() {
        disk.kept = undefined
        disk.removals += 1
      },
    }
    return { persister, reads, disk }
  }
  const keptOf = (auth: Auth, data: string): PersistedClient => {
    const client = new QueryClient()
    client.setQueryData(['invoices'], data)
    return {
      buster: `${JSON.stringify(authKeys.scoped(auth))} `,
      timestamp: Date.now(),
      clientState: dehydrate(client),
    }
  }

  it.each([
    ['signed out', { status: 'unauthenticated', reason: 'signed-out' }],
    ['given way to another', as('bob')],
  ] as const)('gives nothing of a user who has %s meanwhile', async (_how, next) => {
    const auth = createTestAuth({ state: as('anna') })
    const client = new QueryClient()
    const { persister, reads, disk } = createSlowDisk(keptOf(auth, 'invoices of anna'))
    keep(auth, client, persister)
    await settle()
    expect(reads.length).toBe(1)
    auth.setState(next)
    client.setQueryData(['invoices', 'new'], 'written for the next')
    await settle()
    const { removals } = disk
    reads[0]!()
    await settle()
    expect(client.getQueryData(['invoices'])).toBeUndefined()
    // Nor does the late reader throw away what is the next user's.
    expect(disk.removals).toBe(removals)
  })

  it('gives it to a user who has waited for it, once', async () => {
    const auth = createTestAuth({ state: as('anna') })
    const client = new QueryClient()
    const { persister, reads } = createSlowDisk(keptOf(auth, 'invoices of anna'))
    keep(auth, client, persister)
    await settle()
    reads[0]!()
    await settle()
    expect([client.getQueryData(['invoices']), reads.length]).toEqual(['invoices of anna', 1])
  })

  it('and cannot be read is reported by TanStack alone', async () => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => {})
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { persister, disk } = createSlowDisk()
    const broken = { ...persister, restoreClient: () => Promise.reject(new Error('the disk is broken')) }
    keep(createTestAuth({ state: as('anna') }), new QueryClient(), broken)
    // An unhandled rejection would fail this file.
    await settle()
    expect([said.mock.calls.map(String), disk.removals]).toEqual([['Error: the disk is broken'], 1])
  })
})

describe('a page that opens', () => {
  /** Writes at once; what it holds survives its pages. */
  function createDisk(kept?: PersistedClient) {
    const disk = { kept }
    const persister: Persister = {
      persistClient: (client) => void (disk.kept = client),
      restoreClient: () => disk.kept,
      removeClient: () => void (disk.kept = undefined),
    }
    return { disk, persister }
  }
  /** The page of a user is closed; returns their disk. */
  async function closedPageOf(userId: string, more: object = {}) {
    const { disk, persister } = createDisk()
    const client = new QueryClient()
    keep(createTestAuth({ state: as(userId) }), client, persister, more)
    await settle()
    client.setQueryData(['invoices'], `invoices of ${userId}`)
    client.setQueryData(['latchkey', 'user info'], 'an entry of latchkey')
    onlineManager.setOnline(false)
    void client
      .getMutationCache()
      .build(client, { mutationKey: ['save'], mutationFn: async () => 'saved' })
      .execute(`note of ${userId}`)
    await settle()
    onlineManager.setOnline(true)
    expect(JSON.stringify(disk.kept)).toContain(`note of ${userId}`)
    expect(JSON.stringify(disk.kept)).not.toContain('an entry of latchkey')
    return disk.kept!
  }
  /** A page with what an app has, from its first line on; `sent` has what its mutations have sent, and as whom. */
  async function openPage(first: TestState, kept: PersistedClient, more: object = {}) {
    const sent: string[] = []
    const { disk, persister } = createDisk(kept)
    const auth = createTestAuth({ state: first })
    const client = new QueryClient()
    client.setMutationDefaults(['save'], {
      mutationFn: async (note: string) => {
        const state = auth.getState()
        sent.push(`${note} as ${state.status === 'authenticated' ? String(state.user.userId) : state.status}`)
      },
    })
    const page = keep(auth, client, persister, more)
    const resume = async () => {
      await settle()
      if (page.isRestored) await client.resumePausedMutations()
      await settle()
    }
    await resume()
    return { auth, client, disk, page, sent, resume, data: () => client.getQueryData(['invoices']) }
  }

  it('shows nothing, sends nothing and asks for nothing before it is known who is signed in', async () => {
    const { page, sent, data } = await openPage({ status: 'initializing' }, await closedPageOf('anna'))
    expect([page.isRestored, data(), sent]).toEqual([false, undefined, []])
  })

  it('gives it to its user, whose paused mutations are sent', async () => {
    const { auth, data, sent, page, resume } = await openPage(
      { status: 'initializing' },
      await closedPageOf('anna'),
    )
    auth.setState(as('anna'))
    await resume()
    expect([page.isRestored, data(), sent]).toEqual([true, 'invoices of anna', ['note of anna as anna']])
  })

  it('gives it to nobody else, and throws it away unread', async () => {
    const { auth, data, sent, disk, resume, client } = await openPage(
      { status: 'initializing' },
      await closedPageOf('anna'),
    )
    auth.setState(as('bob'))
    await resume()
    expect([data(), sent, disk.kept, client.getMutationCache().getAll()]).toEqual([
      undefined,
      [],
      undefined,
      [],
    ])
  })

  it.each([
    ['in another firm', { userId: 'anna', firmId: 'f2' }],
    ['impersonated', { userId: 'anna', impersonatorId: 'support' }],
  ])('gives it not to the same person %s', async (_how, user) => {
    const { data, sent } = await openPage({ status: 'authenticated', user }, await closedPageOf('anna'))
    expect([data(), sent]).toEqual([undefined, []])
  })

  it('with nobody signed in holds up no other query, and gives it to its user when they sign in there', async () => {
    const first = await openPage({ status: 'unauthenticated', reason: 'none' }, await closedPageOf('anna'))
    expect([first.page.isRestored, first.data(), first.sent]).toEqual([true, undefined, []])
    first.client.setQueryData(['countries'], 'NL')
    await settle()
    first.auth.setState(as('anna'))
    await settle()
    expect([first.data(), first.sent]).toEqual(['invoices of anna', ['note of anna as anna']])
    first.client.setQueryData(['invoices'], 'newer invoices of anna')
    expect(JSON.stringify(first.disk.kept)).toContain('newer invoices of anna')

    const second = await openPage({ status: 'unauthenticated', reason: 'none' }, await closedPageOf('anna'))
    second.auth.setState(as('bob'))
    await settle()
    expect([second.data(), second.sent, second.disk.kept]).toEqual([undefined, [], undefined])
  })

  it('does so when the server is back, too', async () => {
    const { auth, page, data, sent } = await openPage({ status: 'failed' }, await closedPageOf('anna'))
    expect([page.isRestored, data(), sent]).toEqual([true, undefined, []])
    auth.setState(as('anna'))
    await settle()
    expect([data(), sent]).toEqual(['invoices of anna', ['note of anna as anna']])
  })

  it.each(['signed-out', 'idle', 'session-clash'] as const)(
    'empties the disk after a session ended: %s',
    async (reason) => {
      const { disk } = await openPage({ status: 'unauthenticated', reason }, await closedPageOf('anna'))
      expect(disk.kept).toBeUndefined()
    },
  )

  it.each([
    ['of its user', as('anna')],
    ['of nobody', { status: 'unauthenticated' }],
  ] as const)('throws away what is older than the app says: %s', async (_whose, state) => {
    const kept = { ...(await closedPageOf('anna')), timestamp: Date.now() - 5000 }
    expect((await openPage(state, kept, { maxAge: 60_000 })).disk.kept).toBeDefined()
    const { disk, data } = await openPage(state, kept, { maxAge: 4000 })
    expect([data(), disk.kept]).toEqual([undefined, undefined])
  })

  it('keeps to the version and the filters of the app', async () => {
    const kept = await closedPageOf('anna', { buster: 'v1' })
    expect((await openPage(as('anna'), kept, { buster: 'v2' })).data()).toBeUndefined()
    const { data, client, disk } = await openPage(as('anna'), kept, {
      buster: 'v1',
      dehydrateOptions: { shouldDehydrateQuery: ({ queryKey }: Query) => queryKey[0] !== 'secret' },
    })
    expect(data()).toBe('invoices of anna')
    client.setQueryData(['secret'], 'not for the disk')
    client.setQueryData(['latchkey', 'user info'], 'an entry of latchkey')
    client.setQueryData(['more'], 'for the disk')
    const text = JSON.stringify(disk.kept)
    expect(
      ['not for the disk', 'an entry of latchkey', '"for the disk"'].map((one) => text.includes(one)),
    ).toEqual([false, false, true])
  })
})

describe('a persisted cache on one page', () => {
  it('of a user who signs out leaves nothing, nor do the events of their going', async () => {
    const { persister, text } = createDisk()
    const auth = createTestAuth({ state: as('anna') })
    const client = new QueryClient()
    // Before and after the persister: the order in which an app registers them is its own.
    auth.onUserGone(() => client.setQueryData(['invoices'], 'half of anna'))
    keep(auth, client, { ...persister, persistClient: (kept) => void writes.push(JSON.stringify(kept)) })
    auth.onUserGone(() => client.setQueryData(['invoices'], 'the other half of anna'))
    const writes: string[] = []
    await settle()
    client.setQueryData(['invoices'], 'invoices of anna')
    expect(writes.at(-1)).toContain('invoices of anna')
    auth.setState({ status: 'unauthenticated', reason: 'signed-out' })
    client.setQueryData(['invoices'], 'late invoices of anna')
    await settle()
    expect([writes.at(-1)?.includes('anna'), text()]).toEqual([false, ''])
  })

  it('stays that of a user whose session expired while a screen waits for them', async () => {
    const { persister } = createDisk()
    const auth = createTestAuth({ state: as('anna') })
    internalsOf(auth).caches.attach({ isKept: () => true })
    const client = new QueryClient()
    const removed = vi.spyOn(persister, 'removeClient')
    keep(auth, client, persister)
    await settle()
    auth.setState({ status: 'unauthenticated', reason: 'expired' })
    await settle()
    expect(removed).not.toHaveBeenCalled()
    // The user gives up.
    auth.setState({ status: 'unauthenticated', reason: 'signed-out' })
    void internalsOf(auth).caches
    auth.setState(as('bob'))
    await settle()
    expect(removed).toHaveBeenCalled()
  })
})

describe('a persister for each query', () => {
  it('gives a user of useAuthed nothing of another, whenever the disk answers', async () => {
    const disk = new Map<string, string>()
    const reads: (() => void)[] = []
    const { persisterFn } = experimental_createQueryPersister({
      storage: {
        getItem: async (key: string) => {
          const found = disk.get(key)
          await new Promise<void>((resolve) => reads.push(resolve))
          return found
        },
        setItem: (key: string, text: string) => void disk.set(key, text),
        removeItem: (key: string) => void disk.delete(key),
      },
    })
    const auth = createTestAuth({ state: as('anna') })
    const client = new QueryClient()
    const invoices = () => {
      const state = auth.getState()
      const user = state.status === 'authenticated' ? String(state.user.userId) : 'nobody'
      return authed(
        auth,
        queryOptions({
          queryKey: ['invoices'],
          queryFn: async () => `invoices of ${user}`,
          persister: persisterFn,
        }),
      )
    }
    const read = async () => {
      const reading = client.query(invoices()).catch(() => 'refused')
      await settle()
      return reading
    }
    const first = read()
    await settle()
    reads.shift()!()
    expect(await first).toBe('invoices of anna')
    await settle()
    expect([...disk.values()].join()).toContain('invoices of anna')
    client.clear()

    // Anna's disk is being read when Bob comes.
    const late = read()
    await settle()
    auth.setState(as('bob'))
    const next = read()
    await settle()
    for (const letGo of reads.splice(0)) letGo()
    expect(await next).toBe('invoices of bob')
    await late
    expect(client.getQueryData(invoices().queryKey)).toBe('invoices of bob')
  })
})
