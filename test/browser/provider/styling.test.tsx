// Latchkey's own parts in an app's page: its variables and classes change them, and a reset of all elements does not.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Authenticated } from '../../../src/provider/Authenticated.tsx'
import { AuthProvider } from '../../../src/provider/AuthProvider.tsx'
import { SignInAgainDialog } from '../../../src/provider/SignInAgainDialog.tsx'
import { createTestAuth } from '../../../src/testing/testAuth.ts'
import { AuthToaster } from '../../../src/toaster/AuthToaster.tsx'
import { notify } from '../../../src/toaster/notify.tsx'

/** A style sheet of the app, which comes before latchkey's. */
function addStyle(text: string) {
  const style = document.createElement('style')
  style.textContent = text
  document.head.append(style)
  onTestFinished(() => style.remove())
}

/** A screen of a gate, an information and the dialog. */
async function showParts() {
  const client = new QueryClient()
  const signedOut = createTestAuth({ state: { status: 'unauthenticated', reason: 'signed-out' } })
  const expired = createTestAuth({ state: { status: 'unauthenticated', reason: 'expired' } })
  await render(
    <QueryClientProvider client={client}>
      <AuthProvider auth={signedOut}>
        <Authenticated />
        <AuthToaster />
      </AuthProvider>
      <AuthProvider auth={expired}>
        <SignInAgainDialog />
      </AuthProvider>
    </QueryClientProvider>,
  )
  notify.info('Saved')
  await expect.element(page.getByText('Saved')).toBeVisible()
}
const lookOf = (selector: string) => getComputedStyle(document.querySelector(selector)!)

beforeEach(() => page.viewport(800, 600))
afterEach(() => notify.dismiss())

it('four variables brand them', async () => {
  addStyle(`:root {
    --latchkey-accent: rgb(1, 2, 3); --latchkey-on-accent: rgb(4, 5, 6);
    --latchkey-radius: 20px; --latchkey-font: Georgia;
  }`)
  await showParts()
  for (const part of ['.latchkey-gate', '.latchkey-toast', '.latchkey-dialog']) {
    expect(lookOf(part).borderTopRightRadius).toBe('20px')
    expect(lookOf(part).fontFamily).toBe('Georgia')
  }
  for (const part of ['.latchkey-gate', '.latchkey-dialog']) {
    expect(lookOf(`${part} .latchkey-main`).backgroundColor).toBe('rgb(1, 2, 3)')
    expect(lookOf(`${part} .latchkey-main`).color).toBe('rgb(4, 5, 6)')
  }
  expect(lookOf('.latchkey-toast').borderLeftColor).toBe('rgb(1, 2, 3)')
})

it('a class of the app wins', async () => {
  addStyle('.latchkey-toast, .latchkey-dialog, .latchkey-gate, .latchkey-main { border: 7px solid red }')
  await showParts()
  for (const part of ['.latchkey-toast', '.latchkey-dialog', '.latchkey-gate', '.latchkey-main'])
    expect(lookOf(part).borderTopWidth).toBe('7px')
})

it('a reset of all elements changes nothing', async () => {
  const readAll = () =>
    ['.latchkey-gate', '.latchkey-toast', '.latchkey-dialog', '.latchkey-main', '.latchkey-toast-close'].map(
      (part) => {
        const { x, y, width, height } = document.querySelector(part)!.getBoundingClientRect()
        const { padding, borderTopWidth, backgroundColor } = lookOf(part)
        return { part, x, y, width, height, padding, borderTopWidth, backgroundColor }
      },
    )
  await showParts()
  // It slides in.
  await expect.poll(() => document.querySelector('.latchkey-toast')!.getAnimations()).toEqual([])
  const before = readAll()
  addStyle(`* { margin: 0; padding: 0; box-sizing: border-box }
    button { background: none; border: 0; font: inherit } ol { list-style: decimal } h2, p { font-size: inherit }`)
  expect(readAll()).toEqual(before)
})
