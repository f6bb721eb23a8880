// The recipe for persisters, as examples/persister has it: nothing of a user is on the disk once the user has gone.
import { readFileSync } from 'node:fs'
import {
  experimental_createQueryPersister,
  type PersistedClient,
  type Persister,
} from '@tanstack/query-persist-client-core'
import { dehydrate, QueryClient, queryOptions } from '@tanstack/react-query'
import { describe, expect, it, vi } from 'vitest'
import { authed } from '../../../src/queries/authed.ts'
import { authKeys } from '../../../src/queries/keys.ts'
import type { Auth } from '../../../src/session/auth.ts'
import { createTestAuth } from '../../../src/testing/testAuth.ts'
import { importCode } from '../../e2e/pages/recipeCode.ts'

interface Recipe {
  keepOnDisk(auth: Auth, queryClient: QueryClient, persister: Persister): void
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

const importRecipe = async () => {
  const code = readFileSync('examples/persister/keepOnDisk.ts', 'utf8')
  return (await importCode(code, { among: 'test/dom' })) as Recipe
}
const as = (userId: string) => ({ status: 'authenticated', user: { userId } }) as const
/** Ends what queries put off to a later task. */
const settle = async () => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setTimeout(resolve, 2))
}

describe('a persister that writes a second later', () => {
  it.each([
    ['signs out', { status: 'unauthenticated', reason: 'signed-out' }, undefined],
    ['gives way to another', as('bob'), 'invoices of bob'],
  ] as const)('has nothing of a user who %s directly after a change', async (_how, next, expected) => {
    vi.useFakeTimers()
    try {
      const { keepOnDisk } = await importRecipe()
      const auth = createTestAuth({ state: as('anna') })
      const client = new QueryClient()
      const disk = createDisk()
      keepOnDisk(auth, client, disk.persister)
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
      buster: JSON.stringify(authKeys.scoped(auth)),
      timestamp: Date.now(),
      clientState: dehydrate(client),
    }
  }

  it.each([
    ['signed out', { status: 'unauthenticated', reason: 'signed-out' }],
    ['given way to another', as('bob')],
  ] as const)('gives nothing of a user who has %s meanwhile', async (_how, next) => {
    const { keepOnDisk } = await importRecipe()
    const auth = createTestAuth({ state: as('anna') })
    const client = new QueryClient()
    const { persister, reads, disk } = createSlowDisk(keptOf(auth, 'invoices of anna'))
    keepOnDisk(auth, client, persister)
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
    const { keepOnDisk } = await importRecipe()
    const auth = createTestAuth({ state: as('anna') })
    const client = new QueryClient()
    const { persister, reads } = createSlowDisk(keptOf(auth, 'invoices of anna'))
    keepOnDisk(auth, client, persister)
    reads[0]!()
    await settle()
    expect([client.getQueryData(['invoices']), reads.length]).toEqual(['invoices of anna', 1])
  })

  it('and cannot be read is reported by TanStack alone', async () => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => {})
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { keepOnDisk } = await importRecipe()
    const { persister, disk } = createSlowDisk()
    const broken = { ...persister, restoreClient: () => Promise.reject(new Error('the disk is broken')) }
    keepOnDisk(createTestAuth({ state: as('anna') }), new QueryClient(), broken)
    // An unhandled rejection would fail this file.
    await settle()
    expect([said.mock.calls.map(String), disk.removals]).toEqual([['Error: the disk is broken'], 1])
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
