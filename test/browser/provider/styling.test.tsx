// Latchkey's own parts in an app's page: variables and classes style them, a CSS reset does not.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Authenticated } from '../../../src/provider/Authenticated.tsx'
import { AuthProvider } from '../../../src/provider/AuthProvider.tsx'
import { SignInAgainDialog } from '../../../src/provider/SignInAgainDialog.tsx'
import { createTestAuth } from '../../../src/testing/testAuth.ts'
import { JsonEditor } from '../../../src/editor/JsonEditor.tsx'
import { AuthToaster } from '../../../src/toaster/AuthToaster.tsx'
import { notify } from '../../../src/toaster/notify.ts'

/** A style sheet of the app. */
function addStyle(text: string) {
  const style = document.createElement('style')
  style.textContent = text
  document.head.append(style)
  onTestFinished(() => style.remove())
}

/** A screen of a gate, an info toast, the dialog and the editor. */
async function showParts() {
  const client = new QueryClient()
  const signedOut = createTestAuth({ state: { status: 'unauthenticated', reason: 'signed-out' } })
  const expired = createTestAuth({ state: { status: 'unauthenticated', reason: 'expired' } })
  await render(
    <QueryClientProvider client={client}>
      <AuthProvider auth={signedOut}>
        <Authenticated appName="Deskwell" />
        <JsonEditor label="Map" />
        <AuthToaster />
      </AuthProvider>
      <AuthProvider auth={expired}>
        <SignInAgainDialog />
      </AuthProvider>
    </QueryClientProvider>,
  )
  notify.info('Saved')
  await expect.element(page.getByText('Saved')).toBeVisible()
  // The CSS of the editor's tools loads after them.
  await expect.poll(() => document.querySelector('.lkje')!.getAttribute('data-theme')).not.toBeNull()
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

it.each(['before', 'after'])("a class in a style sheet that comes %s latchkey's wins", async (when) => {
  const parts = [
    'toast',
    'toast-close',
    'dialog',
    'gate',
    'brand',
    'main',
    'editor-frame',
    'editor-label',
  ].map((part) => `.latchkey-${part}`)
  const add = () => addStyle(`${parts.join()} { border: 7px solid red; color: rgb(1, 2, 3) }`)
  if (when === 'before') add()
  await showParts()
  if (when === 'after') add()
  const looks = () => parts.map((part) => [part, lookOf(part).borderTopWidth, lookOf(part).color])
  expect(looks()).toEqual(parts.map((part) => [part, '7px', 'rgb(1, 2, 3)']))
})

it('a CSS reset changes nothing', async () => {
  const readAll = () =>
    [
      '.latchkey-gate',
      '.latchkey-gate h1',
      '.latchkey-dialog',
      '.latchkey-dialog > h2',
      '.latchkey-toast',
      '.latchkey-main',
      '.latchkey-toast-close',
    ].map((part) => {
      const { x, y, width, height } = document.querySelector(part)!.getBoundingClientRect()
      const { padding, borderTopWidth, backgroundColor, font } = lookOf(part)
      return { part, x, y, width, height, padding, borderTopWidth, backgroundColor, font }
    })
  await showParts()
  // It slides in.
  await expect.poll(() => document.querySelector('.latchkey-toast')!.getAnimations()).toEqual([])
  const before = readAll()
  // As in Bootstrap 5 and Tailwind's preflight, outside a layer.
  addStyle(`*, ::before, ::after { margin: 0; padding: 0; border: 0 solid; box-sizing: border-box }
    h1, h2, h3 { margin-bottom: .5rem; font-size: calc(1.375rem + 1.5vw); font-weight: 500; line-height: 1.2 }
    ol, ul { margin-bottom: 1rem; padding-left: 2rem; list-style: decimal } p { margin-bottom: 1rem; font-size: inherit }
    button { border-radius: 0; background: transparent; font: inherit; color: inherit; text-transform: none }
    [type='button']:not(:disabled) { -webkit-appearance: button; cursor: pointer } svg { vertical-align: middle }
    dialog { padding: 0 } details, summary { display: block }`)
  expect(readAll()).toEqual(before)
})
