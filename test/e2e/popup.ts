// What the tests of popups share: the window that a click opens, and what its user does in it.
import type { Locator, Page } from 'playwright'

/** Clicks, and answers with the window that opens. */
export async function openPopup(page: Page, opener: Locator): Promise<Page> {
  const [popup] = await Promise.all([page.waitForEvent('popup'), opener.click()])
  await popup.waitForLoadState()
  return popup
}

/** Clicks in the window and waits until it is gone. */
export async function finishPopup(popup: Page, button: string): Promise<void> {
  await Promise.all([
    popup.waitForEvent('close'),
    popup.getByRole('button', { name: button, exact: true }).click(),
  ])
}
