// Another user signs in: nothing that began for the one before is shown, kept, written or sent for them.
import type { AuthConfig } from '../../../src/protocol/config.ts'
import { type PersistedClient, type Persister, persistQueryClient } from '@tanstack/query-persist-client-core'
import { QueryClient, QueryClientProvider, queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { act, cleanup, render, screen } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { useAuth } from '../../../src/hooks/useAuth.ts'
import { useUserInfo } from '../../../src/hooks/serverCalls.ts'
import { AuthProvider } from '../../../src/provider/AuthProvider.tsx'
import { authed } from '../../../src/queries/authed.ts'
import { shouldDehydrateMutation, shouldDehydrateQuery } from '../../../src/queries/keys.ts'
import type { Auth } from '../../../src/session/auth.ts'
import { createAuth } from '../../../src/session/createAuth.ts'
import { internalsOf } from '../../../src/session/internals.ts'
import { createFakeAuthServer, createFakeUser } from '../../../src/testing/authServer.ts'
import { createFakeBrowser } from '../../../src/testing/fakeBrowser.ts'
import { createFakeHost } from '../../../src/testing/fakeHost.ts'
import { comeBackToKeptPage, CONFIG } from '../../node/session/sessionScene.ts'
import { holdRequests } from '../../holdRequests.ts'
import { cacheText, ownersOf } from './cacheContents.ts'

/** Answers that a test holds back: which user asked for them, and how to let them come. */
let held: { of: string; answer(): void }[] = []
let isHolding = false
/** What each render showed, and for whom. */
let shown: string[] = []
beforeEach(() => {
  held = []
  isHolding = false
  shown = []
})

const userOf = (auth: Auth) => {
  const state = auth.getState()
  return state.status === 'authenticated' ? String(state.user.userId) : 'nobody'
}
/** The app's own server: says whose token came. */
async function askFirms(auth: Auth) {
  const of = userOf(auth)
  if (isHolding) await new Promise<void>((resolve) => held.push({ of, answer: resolve }))
  return `firms of ${of}`
}

function useFirms() {
  'use no memo'
  const { auth } = useAuth()
  const queryFn = () => askFirms(auth)
  return useQuery(authed(auth, queryOptions({ queryKey: ['firms'], queryFn })))
}

function Screen() {
  'use no memo'
  const { auth } = useAuth()
  const firms = useFirms()
  const info = useUserInfo()
  const rename = useMutation({
    mutationFn: () => internalsOf(auth).call({ method: 'GET', path: '/api/userinfo' }),
  })
  const name = info.data === undefined ? undefined : String(info.data['name'])
  shown.push(`${userOf(auth)} sees ${firms.data ?? ''} ${name ?? ''}`)
  return (
    <>
      <p>{firms.data}</p>
      <p>{name}</p>
      <button type="button" onClick={() => rename.mutate()}>
        rename
      </button>
      <button type="button" onClick={() => void firms.refetch()}>
        refetch
      </button>
    </>
  )
}

/** A disk that a persister writes to, and everything that was ever on it. */
function createDisk() {
  let text = ''
  const written: string[] = []
  const persister: Persister = {
    persistClient(client) {
      text = JSON.stringify(client)
      written.push(text)
    },
    restoreClient: () => (text === '' ? undefined : (JSON.parse(text) as PersistedClient)),
    removeClient() {
      text = ''
    },
  }
  return { persister, written, text: () => text }
}

/** Two tabs of one browser: the first signs out and in, the second has the screen, the cache and the disk. */
async function openTabs() {
  const browser = createFakeBrowser()
  const server = createFakeAuthServer()
  const openTab = () => {
    const host = createFakeHost('https://app.test/', {
      browser,
      server,
    })
    return { host, auth: createAuth({ ...CONFIG, autoLogin: false }, { platform: host.platform }) }
  }
  const first = openTab()
  void first.auth.start()
  await browser.clock.advance(1_000)
  const second = openTab()
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const disk = createDisk()
  second.auth.setHook('beforeLogout', () => disk.persister.removeClient())
  const [stopKeeping, restored] = persistQueryClient({
    queryClient: client,
    persister: disk.persister,
    dehydrateOptions: { shouldDehydrateQuery, shouldDehydrateMutation },
  })
  await restored
  const settle = async () => {
    for (let round = 0; round < 3; round += 1)
      await act(async () => {
        await browser.clock.advance(1_000)
        await new Promise((resolve) => setTimeout(resolve, 0))
      })
  }
  render(
    <QueryClientProvider client={client}>
      <AuthProvider auth={second.auth}>
        <Screen />
      </AuthProvider>
    </QueryClientProvider>,
  )
  await settle()
  return {
    client,
    disk,
    server,
    settle,
    second,
    stopKeeping,
    /** The first tab signs out, and somebody else in; the second one follows without a navigation. */
    async changeUser(userId: string, claims = {}) {
      await act(async () => {
        void first.auth.logout()
        await first.host.settle()
        await comeBackToKeptPage({ host: first.host, server })
      })
      await settle()
      server.user = createFakeUser({ userId, sessionId: `session of ${userId}`, ...claims })
      first.auth.dispose()
      await act(async () => {
        void first.auth.start()
        await browser.clock.advance(1_000)
      })
      await settle()
    },
  }
}

describe('a screen that stays mounted while the user changes', () => {
  it('never shows the one what belongs to the other', async () => {
    const { second, changeUser } = await openTabs()
    expect(screen.getByText('firms of alice')).toBeInstanceOf(HTMLElement)
    await changeUser('bram')
    expect(userOf(second.auth)).toBe('bram')
    expect(screen.getByText('firms of bram')).toBeInstanceOf(HTMLElement)
    expect(screen.getByText('Name of bram')).toBeInstanceOf(HTMLElement)
    const wrong = shown.filter((line) => !/^(\w+) sees (?:firms of \1)? ?(?:Name of \1)?$/.test(line))
    expect(wrong).toEqual([])
  })

  it('never shows one impersonator what belongs to another, nor to the user themselves', async () => {
    const { second, client, changeUser } = await openTabs()
    await changeUser('alice', { impersonatorId: 'root' })
    expect(second.auth.getState()).toMatchObject({ user: { userId: 'alice', impersonatorId: 'root' } })
    expect(ownersOf(client)).toContainEqual({ user: 'alice', firm: 'f1', impersonator: 'root' })
    expect(ownersOf(client)).not.toContainEqual({ user: 'alice', firm: 'f1', impersonator: null })
  })
})

describe('work that runs while the user changes', () => {
  it('writes nothing of the former user into the cache or onto the disk, whenever it ends', async () => {
    const { client, disk, changeUser, settle, second } = await openTabs()
    isHolding = true
    const { fetch } = second.host
    // A call of the library's own hangs too.
    const answerCall = holdRequests(second.host)
    await act(async () => {
      screen.getByText('refetch').click()
      screen.getByText('rename').click()
      await new Promise((resolve) => setTimeout(resolve, 0))
    })
    expect(held.map(({ of }) => of)).toEqual(['alice'])
    expect(client.isMutating()).toBe(1)
    second.host.fetch = fetch
    isHolding = false

    await changeUser('bram')
    expect(screen.getByText('firms of bram')).toBeInstanceOf(HTMLElement)
    const writtenBefore = disk.written.length
    await act(async () => {
      for (const { answer } of held) answer()
      answerCall()
      await Promise.resolve()
    })
    await settle()
    expect(client.isMutating()).toBe(0)
    expect(cacheText(client)).not.toContain('alice')
    expect(cacheText(client)).toContain('firms of bram')
    expect(disk.text()).not.toContain('alice')
    expect(disk.written.slice(writtenBefore).join('')).not.toContain('alice')
    expect(shown.filter((line) => line.startsWith('bram') && line.includes('alice'))).toEqual([])
  })
})

describe('what a persister has written', () => {
  it('is of the user, as long as they are signed in', async () => {
    const { disk } = await openTabs()
    expect(disk.text()).toContain('firms of alice')
    // What the library itself has read is not on the disk.
    expect(disk.written.join('')).not.toContain('Name of alice')
    expect(disk.written.join('')).not.toContain('eyJ')
  })

  it('of one firm, server or impersonator is not shown to the same person in another', async () => {
    const disk = createDisk()
    const asked: string[] = []
    /** A page load over the same disk; nobody has signed out in between. */
    async function openPage(what: string, claims: object, authHost = 'https://auth.test') {
      const server = createFakeAuthServer({ authHost, user: createFakeUser(claims) })
      const host = createFakeHost('https://app.test/', {
        server,
      })
      const auth = createAuth({ ...CONFIG, authHost } as AuthConfig, { platform: host.platform })
      const client = new QueryClient()
      const [stopKeeping, restored] = persistQueryClient({
        queryClient: client,
        persister: disk.persister,
        dehydrateOptions: { shouldDehydrateQuery, shouldDehydrateMutation },
      })
      await restored
      function Invoices() {
        'use no memo'
        const queryFn = async () => {
          asked.push(what)
          return `invoices of ${what}`
        }
        const options = queryOptions({
          queryKey: ['invoices'],
          queryFn,
          staleTime: Infinity,
          gcTime: Infinity,
        })
        return <p>{useQuery(authed(useAuth().auth, options)).data}</p>
      }
      render(
        <QueryClientProvider client={client}>
          <AuthProvider auth={auth}>
            <Invoices />
          </AuthProvider>
        </QueryClientProvider>,
      )
      for (let round = 0; round < 3; round += 1)
        await act(async () => {
          await host.settle()
          await new Promise((resolve) => setTimeout(resolve, 0))
        })
      const text = screen.getByText(/^invoices/).textContent
      stopKeeping()
      cleanup()
      auth.dispose()
      return text
    }
    expect(await openPage('firm 1', { firmId: 'f1' })).toBe('invoices of firm 1')
    expect(await openPage('firm 2', { firmId: 'f2' })).toBe('invoices of firm 2')
    expect(await openPage('root', { firmId: 'f2', impersonatorId: 'root' })).toBe('invoices of root')
    expect(await openPage('server 2', { firmId: 'f1' }, 'https://two.test')).toBe('invoices of server 2')
    // An id is no means to be taken for somebody else: texts are not glued together.
    expect(await openPage('odd', { userId: 'alice","firm":"f1' })).toBe('invoices of odd')
    expect(asked).toEqual(['firm 1', 'firm 2', 'root', 'server 2', 'odd'])
    // The same person in the same firm is still shown what was kept.
    expect(await openPage('again', { firmId: 'f1' })).toBe('invoices of firm 1')
    expect(asked).toHaveLength(5)
  })

  it('is gone when the browser leaves for the logout page, though an answer comes in between', async () => {
    const { disk, second, settle } = await openTabs()
    isHolding = true
    await act(async () => {
      screen.getByText('refetch').click()
      await new Promise((resolve) => setTimeout(resolve, 0))
    })
    const onDisk: string[] = []
    const { navigate } = second.host.platform
    Object.assign(second.host.platform, {
      navigate(url: string) {
        onDisk.push(disk.text())
        navigate(url)
      },
    })
    await act(async () => {
      const leaving = second.auth.logout()
      for (const { answer } of held) answer()
      await leaving
    })
    await settle()
    expect(second.host.navigations).toHaveLength(1)
    expect(onDisk).toHaveLength(1)
    expect(onDisk[0]).not.toContain('alice')
    expect(disk.text()).not.toContain('alice')
  })

  it('goes from the disk in the tabs that only hear of the end, too', async () => {
    const { disk, changeUser, stopKeeping } = await openTabs()
    await changeUser('bram')
    expect(disk.text()).toContain('firms of bram')
    expect(disk.text()).not.toContain('alice')
    stopKeeping()
  })
})
