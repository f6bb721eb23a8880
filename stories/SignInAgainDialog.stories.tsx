// The session expires while the user types: the dialog, its popup, and every outcome.
import { Authenticated, SignInAgainDialog, type SignInAgainDialogProps } from 'latchkey'
import { expect, screen, userEvent, waitFor, within } from 'storybook/test'
import { createFakeUser } from 'latchkey/testing'
import preview from '../.storybook/preview.tsx'
import { OnPage, startPage, type StartedPage, type StartOptions } from './startedPage.tsx'

const meta = preview.meta({
  title: 'SignInAgainDialog',
  component: SignInAgainDialog,
  parameters: {
    docs: {
      description: {
        component:
          'Signing in again without losing the page. Reference: [SignInAgainDialog](./?path=/docs/components-signinagaindialog--docs)',
      },
    },
  },
})

function Letter() {
  return (
    <label>
      Letter
      <br />
      <textarea rows={4} style={{ maxWidth: '100%' }} defaultValue="Dear Sir or Madam," />
    </label>
  )
}

const on = (options: StartOptions = {}) => ({
  loaders: [() => startPage(options)],
  render: (args: SignInAgainDialogProps, { loaded }: { loaded: unknown }) => (
    <OnPage page={loaded}>
      <Authenticated fallback={<p>One moment</p>} expired={<SignInAgainDialog {...args} />}>
        <Letter />
      </Authenticated>
    </OnPage>
  ),
})

/** The server ends the session while the user types. */
async function expire(loaded: unknown, canvasElement: HTMLElement) {
  const { host, server, auth } = loaded as StartedPage
  const canvas = within(canvasElement)
  await userEvent.type(await canvas.findByLabelText('Letter'), ' I write')
  server.revokeAll()
  server.user = undefined
  auth.renew({ force: true }).catch(() => {})
  const dialog = within(await screen.findByRole('dialog', { name: 'Your session ended' }))
  const press = async (name: string) => userEvent.click(await dialog.findByRole('button', { name }))
  /** The sign-in page in the open popup. */
  const page = async () => {
    await waitFor(() => expect(host.popups[0]?.urls).toHaveLength(2))
    return { popup: host.popups[0]!, url: host.popups[0]!.urls[1]! }
  }
  const text = () => canvas.getByLabelText<HTMLTextAreaElement>('Letter').value
  return { host, server, canvas, dialog, press, page, text }
}

export const Expired = meta.story({
  ...on(),
  async play({ loaded, canvasElement }) {
    const { dialog, text } = await expire(loaded, canvasElement)
    await expect(dialog.getByText('Sign in again to keep your text.')).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Sign in' })).toHaveFocus()
    await expect(text()).toBe('Dear Sir or Madam, I write')
  },
})

export const ExpiredDark = meta.story({ ...Expired.input, globals: { theme: 'dark' } })

export const WindowOpen = meta.story({
  ...on(),
  async play({ loaded, canvasElement }) {
    const { press, dialog } = await expire(loaded, canvasElement)
    await press('Sign in')
    await expect(await dialog.findByRole('status')).toHaveTextContent('window that has opened')
    await expect(dialog.getByRole('button', { name: 'Show the window' })).toBeVisible()
  },
})

export const SignedInAgain = meta.story({
  ...on(),
  async play({ loaded, canvasElement }) {
    const { server, press, page, canvas, text } = await expire(loaded, canvasElement)
    await press('Sign in')
    const { popup, url } = await page()
    server.user = createFakeUser()
    popup.post({ type: 'signInAnswer', address: server.callbackOf(url) })
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await expect(text()).toBe('Dear Sir or Madam, I write')
    await expect(canvas.getByLabelText('Letter')).toHaveFocus()
  },
})

export const AnotherUser = meta.story({
  ...on(),
  async play({ loaded, canvasElement }) {
    const { server, press, page, text } = await expire(loaded, canvasElement)
    await press('Sign in')
    const { popup, url } = await page()
    server.user = createFakeUser({ userId: 'bob', sessionId: 's2' })
    popup.post({ type: 'signInAnswer', address: server.callbackOf(url) })
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(() => expect(text()).toBe('Dear Sir or Madam,'))
  },
})

export const Blocked = meta.story({
  ...on({
    after: ({ host }) => {
      host.isPopupBlocked = true
    },
  }),
  async play({ loaded, canvasElement }) {
    const { host, press, dialog, text } = await expire(loaded, canvasElement)
    await press('Sign in')
    await expect(await dialog.findByRole('alert')).toHaveTextContent('Your browser blocked the window.')
    await expect(text()).toBe('Dear Sir or Madam, I write')
    await press('Leave this page and sign in')
    await waitFor(() => expect(host.navigations).toHaveLength(1))
  },
})

export const Refused = meta.story({
  ...on(),
  async play({ loaded, canvasElement }) {
    const { server, press, page, dialog } = await expire(loaded, canvasElement)
    await press('Sign in')
    const { popup, url } = await page()
    popup.post({ type: 'signInAnswer', address: server.callbackOf(url, 'access_denied') })
    await expect(await dialog.findByRole('alert')).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Sign in' })).toBeVisible()
  },
})
