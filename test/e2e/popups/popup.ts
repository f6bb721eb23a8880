// What the tests of popups share: the window that a click opens, and what its user does in it.
import type { Locator, Page } from 'playwright'

/** Clicks, and answers with the window that opens. */
export async function openPopup(page: Page, opener: Locator): Promise<Page> {
  const [popup] = await Promise.all([page.waitForEvent('popup'), opener.click()])
  await popup.waitForLoadState()
  return popup
}

/** Does what makes the window close, and waits until it is gone. */
export async function closeBy(popup: Page, work: () => Promise<unknown>): Promise<void> {
  const closed = popup.waitForEvent('close')
  // A window that closes at once takes the answer to the click along.
  const done = work().catch((error: unknown) => {
    if (!String(error).includes('has been closed')) throw error
  })
  await Promise.all([closed, done])
}

/** Clicks in the window and waits until it is gone. */
export async function finishPopup(popup: Page, button: string): Promise<void> {
  await closeBy(popup, () => popup.getByRole('button', { name: button, exact: true }).click())
}
