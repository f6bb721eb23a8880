// The storage by user of the documentation, as it stands there: nobody reads what another has stored, also after a page load.
import { experimental_createQueryPersister } from '@tanstack/query-persist-client-core'
import { QueryClient, queryOptions } from '@tanstack/react-query'
import { beforeEach, expect, it } from 'vitest'
import type { Auth } from '../../../src/session/auth.ts'
import { createTestAuth } from '../../../src/testing/testAuth.ts'
import type { TestState } from '../../../src/testing/testState.ts'
import { codeOf, importCode } from '../../e2e/pages/recipeCode.ts'

interface Recipe {
  userStorage(auth: Auth, storage?: Storage): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
}

const importRecipe = async () => {
  const [code = ''] = codeOf('docs/clearingData.md', 'What is on the disk')
  return (await importCode(code, { among: 'test/dom' })) as Recipe
}
const as = (userId: string, firmId = 'f1') => ({ status: 'authenticated', user: { userId, firmId } }) as const

beforeEach(() => localStorage.clear())

it('gives a user what they have stored, and no other', async () => {
  const { userStorage } = await importRecipe()
  const auth = createTestAuth({ state: as('anna') })
  const storage = userStorage(auth)
  storage.setItem('draft', 'of anna')
  const found = (state: TestState) => {
    auth.setState(state)
    return storage.getItem('draft')
  }
  expect([
    found(as('bob')),
    found(as('anna', 'f2')),
    found({ status: 'unauthenticated' }),
    found({ status: 'initializing' }),
    found(as('anna')),
  ]).toEqual([null, null, null, null, 'of anna'])
  storage.removeItem('draft')
  expect(localStorage.length).toBe(0)
})

it('keeps the queries of a persister with plain keys apart', async () => {
  const { userStorage } = await importRecipe()
  /** A page load: all but the disk is new. */
  const readAs = async (userId: string) => {
    const auth = createTestAuth({ state: as(userId) })
    const { persisterFn } = experimental_createQueryPersister({ storage: userStorage(auth) })
    const client = new QueryClient()
    const orders = await client.query(
      queryOptions({
        queryKey: ['orders'],
        queryFn: async () => `orders, asked by ${userId}`,
        persister: persisterFn,
      }),
    )
    // The persister writes in a later task.
    await new Promise((resolve) => setTimeout(resolve, 5))
    return orders
  }
  expect(await readAs('anna')).toBe('orders, asked by anna')
  expect(localStorage.length).toBe(1)
  expect(await readAs('bob')).toBe('orders, asked by bob')
})
