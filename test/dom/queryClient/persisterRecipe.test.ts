// The recipe for persisters, as docs/queries.md has it: nothing of a user is on the disk once the user has gone.
import type { PersistedClient, Persister } from '@tanstack/query-persist-client-core'
import { QueryClient } from '@tanstack/react-query'
import { describe, expect, it, vi } from 'vitest'
import type { Auth } from '../../../src/session/auth.ts'
import { createTestAuth } from '../../../src/testing/testAuth.ts'
import { codeOf, importCode } from '../../e2e/pages/recipeCode.ts'

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

describe('a persister that writes a second later', () => {
  it.each([
    ['signs out', { status: 'unauthenticated', reason: 'signed-out' }, undefined],
    ['gives way to another', { status: 'authenticated', user: { userId: 'bob' } }, 'invoices of bob'],
  ] as const)('has nothing of a user who %s directly after a change', async (_how, next, expected) => {
    vi.useFakeTimers()
    try {
      const [code = ''] = codeOf('docs/queries.md', 'Persisters')
      const { keepOnDisk } = (await importCode(code, { among: 'test/dom' })) as Recipe
      const auth = createTestAuth({ state: { status: 'authenticated', user: { userId: 'anna' } } })
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
