// Proves in a real browser that nothing of the former user is painted where a screen was away while the user changed.

import { QueryClient, useQuery } from '@tanstack/react-query'
import { Activity, type ReactNode, Suspense, use, useState } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, describe, expect, it } from 'vitest'
import { Authenticated } from '../../../src/provider/Authenticated.tsx'
import { AuthProvider } from '../../../src/provider/AuthProvider.tsx'
import { createTestAuth, type TestAuth } from '../../../src/testing/testAuth.ts'

const page = document.createElement('div')
document.body.append(page)
let root: Root
const show = (content: ReactNode) => {
  root = createRoot(page)
  root.render(content)
}
let changes: MutationObserver | undefined
afterEach(() => {
  changes?.disconnect()
  root.unmount()
})

/** What can be read in the page after each change of it, whether the browser paints before the next one or not. */
function watch(): () => string[] {
  const read = new Set<string>()
  const look = () => void read.add(page.innerText.replaceAll(/\s+/g, ' ').trim())
  look()
  changes = new MutationObserver(look)
  changes.observe(page, { attributes: true, characterData: true, childList: true, subtree: true })
  return () => [...read]
}
const frames = async (count = 4) => {
  for (let frame = 0; frame < count; frame += 1)
    await new Promise((resolve) => requestAnimationFrame(resolve))
  await new Promise((resolve) => setTimeout(resolve, 20))
}

const auth = () => createTestAuth({ state: { status: 'authenticated', user: { userId: 'anna' } } })
const bob = { status: 'authenticated', user: { userId: 'bob' } } as const

/** Keeps what its user began with. */
function Draft({ of: own }: { of: TestAuth }) {
  const [text] = useState(() => {
    const state = own.getState()
    return state.status === 'authenticated' ? `draft of ${String(state.user.userId)}` : ''
  })
  return <p>{text}</p>
}

/** Content that can be hidden and shown again, as React's Activity does it. */
function createHideable(content: ReactNode) {
  let turn: (mode: 'visible' | 'hidden') => void = () => {}
  function Hideable() {
    const [mode, setMode] = useState<'visible' | 'hidden'>('visible')
    turn = setMode
    return <Activity mode={mode}>{content}</Activity>
  }
  return { Hideable, hide: () => turn('hidden'), showAgain: () => turn('visible') }
}

describe.each<[string, (children: ReactNode) => ReactNode]>([
  ['without a gate', (children) => children],
  ['in a gate', (children) => <Authenticated>{children}</Authenticated>],
])('%s, nothing of the user before is painted', (_where, gate) => {
  it('by a provider that was not there', async () => {
    const own = auth()
    const client = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000 } } })
    const read: unknown[] = []
    function Invoices() {
      const { data } = useQuery({ queryKey: ['invoices'], queryFn: () => new Promise<string>(() => {}) })
      read.push(data)
      return <p>{data ?? 'nothing'}</p>
    }
    const app = (
      <AuthProvider auth={own} queryClient={client}>
        {gate(<Invoices />)}
      </AuthProvider>
    )
    client.setQueryData(['invoices'], 'of anna')
    show(app)
    await expect.poll(() => page.innerText).toBe('of anna')
    root.render(null)
    await expect.poll(() => page.innerText).toBe('')
    own.setState(bob)
    const painted = watch()
    read.length = 0
    setTimeout(() => root.render(app))
    await frames(10)
    expect([painted(), read.includes('of anna')]).toEqual([['', 'nothing'], false])
  })

  it('by a provider that waited out of sight', async () => {
    const own = auth()
    const client = new QueryClient()
    let set: (wait: Promise<void>) => void = () => {}
    function Waits() {
      const [wait, setWait] = useState<Promise<void>>()
      set = setWait
      if (wait) use(wait)
      return null
    }
    show(
      <Suspense fallback="waits">
        <Waits />
        <AuthProvider auth={own} queryClient={client}>
          {gate(<Draft of={own} />)}
        </AuthProvider>
      </Suspense>,
    )
    await expect.poll(() => page.innerText).toBe('draft of anna')
    let go = () => {}
    set(
      new Promise((resolve) => {
        go = resolve
      }),
    )
    await expect.poll(() => page.innerText).toBe('waits')
    own.setState(bob)
    await frames(10)
    const painted = watch()
    go()
    await frames(10)
    expect(painted()).toEqual(['waits', 'draft of bob'])
  })

  it('by a provider that an Activity had hidden', async () => {
    const own = auth()
    const client = new QueryClient()
    const { Hideable, hide, showAgain } = createHideable(
      <AuthProvider auth={own} queryClient={client}>
        {gate(<Draft of={own} />)}
      </AuthProvider>,
    )
    show(<Hideable />)
    await expect.poll(() => page.innerText).toBe('draft of anna')
    hide()
    await expect.poll(() => page.innerText).toBe('')
    own.setState(bob)
    await frames(10)
    const painted = watch()
    setTimeout(showAgain)
    await frames(10)
    expect(painted()).toEqual(['', 'draft of bob'])
  })
})

it('nothing of the user before is painted by a gate that an Activity had hidden beside another', async () => {
  const own = auth()
  const client = new QueryClient()
  const { Hideable, hide, showAgain } = createHideable(
    <Authenticated>
      <Draft of={own} />
    </Authenticated>,
  )
  show(
    <AuthProvider auth={own} queryClient={client}>
      <Authenticated>head</Authenticated>
      <Hideable />
    </AuthProvider>,
  )
  await expect.poll(() => page.innerText).toContain('draft of anna')
  hide()
  await expect.poll(() => page.innerText.trim()).toBe('head')
  own.setState(bob)
  await frames(10)
  const painted = watch()
  setTimeout(showAgain)
  await frames(10)
  expect(painted()).toEqual(['head', 'head draft of bob'])
})
