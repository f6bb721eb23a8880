// An open modal of the app with a half-filled form: latchkey's dialog and toasts can be used over it, and the form stays.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Authenticated } from '../../../src/provider/Authenticated.tsx'
import { AuthProvider } from '../../../src/provider/AuthProvider.tsx'
import { SignInAgainDialog } from '../../../src/provider/SignInAgainDialog.tsx'
import { createBrowserPlatform } from '../../../src/session/platform/browserPlatform.ts'
import { createTestAuth } from '../../../src/testing/testAuth.ts'
import { AuthToaster } from '../../../src/toaster/AuthToaster.tsx'
import { notify } from '../../../src/toaster/notify.ts'
import { KitModal } from './modalKit.tsx'

const closed: string[] = []

function App() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        New invoice
      </button>
      {isOpen && (
        <KitModal
          onClose={(how) => {
            closed.push(how)
            setOpen(false)
          }}
        >
          <label>
            Amount <input />
          </label>
        </KitModal>
      )}
    </>
  )
}

/** The app with its modal open, and something typed into it. */
async function showForm() {
  const auth = createTestAuth()
  await render(
    <QueryClientProvider client={new QueryClient()}>
      <AuthProvider auth={auth}>
        <Authenticated expired={<SignInAgainDialog />}>
          <App />
        </Authenticated>
        <AuthToaster />
      </AuthProvider>
    </QueryClientProvider>,
  )
  await userEvent.click(page.getByRole('button', { name: 'New invoice' }))
  await userEvent.fill(page.getByLabelText('Amount'), '120')
  return {
    auth,
    expire: () => act(async () => auth.setState({ status: 'unauthenticated', reason: 'expired' })),
  }
}

const typed = () => document.querySelector('input')?.value
const asked = () => page.getByRole('dialog', { name: 'Your session ended' })
const inDialog = (name: string) => asked().getByRole('button', { name })

beforeEach(async () => {
  closed.length = 0
  await page.viewport(800, 600)
})
afterEach(() => notify.dismiss())

it('the dialog has its role, receives the click, and leaves the form behind it unchanged', async () => {
  const { auth, expire } = await showForm()
  await expire()
  await userEvent.click(inDialog('Sign in'))
  expect(auth.calls).toEqual([{ action: 'login', options: { display: 'popup' } }])
  await act(async () => auth.setState({ status: 'authenticated' }))
  await expect.poll(() => document.querySelector('.latchkey-dialog')).toBeNull()
  expect(closed).toEqual([])
  expect(typed()).toBe('120')
  await expect.element(page.getByLabelText('Amount')).toHaveFocus()
})

it('Escape closes neither the dialog nor the modal behind it, however often', async () => {
  const { expire } = await showForm()
  await expire()
  await expect.element(asked()).toBeVisible()
  for (let time = 0; time < 3; time += 1) await userEvent.keyboard('{Escape}')
  await expect.element(asked()).toBeVisible()
  expect(closed).toEqual([])
  expect(typed()).toBe('120')
})

it('once the dialog has closed, Escape belongs to the modal again', async () => {
  const { auth, expire } = await showForm()
  await expire()
  await expect.element(asked()).toBeVisible()
  await act(async () => auth.setState({ status: 'authenticated' }))
  await expect.poll(() => document.querySelector('.latchkey-dialog')).toBeNull()
  await userEvent.keyboard('{Escape}')
  // The modal's first listener closes it.
  await expect.poll(() => closed).toEqual(['Escape on the window'])
})

it('a click on a toast reaches only the toast, and counts as activity', async () => {
  await showForm()
  let activities = 0
  let stayed = 0
  const stop = createBrowserPlatform().on('activity', () => (activities += 1))
  notify.info('You will be signed out soon.', {
    action: { label: 'Stay signed in', onClick: () => (stayed += 1) },
  })
  const button = page.getByRole('button', { name: 'Stay signed in' })
  await expect.element(button).toBeVisible()
  await userEvent.hover(button)
  activities = 0
  await userEvent.click(button)
  stop()
  expect(stayed).toBe(1)
  expect(activities).toBeGreaterThan(0)
  expect(closed).toEqual([])
  expect(typed()).toBe('120')
})

it('F8 moves into the toasts, and Escape there closes only the toast', async () => {
  await showForm()
  notify.info('Anna has this invoice open too.')
  notify.error('The invoice was not saved.')
  const close = page.getByRole('button', { name: 'Close: The invoice was not saved.' })
  await expect.element(close).toBeVisible()
  await userEvent.keyboard('{F8}')
  await expect.element(close).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.poll(() => document.querySelectorAll('.latchkey-toast').length).toBe(1)
  await userEvent.keyboard('{Escape}')
  await expect.poll(() => document.querySelector('.latchkey-toast')).toBeNull()
  await expect.element(page.getByLabelText('Amount')).toHaveFocus()
  expect(closed).toEqual([])
  expect(typed()).toBe('120')
})
