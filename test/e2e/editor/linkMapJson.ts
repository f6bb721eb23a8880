// The link map as JSON in the full editor, written as a person does: pasted over what is there.
import type { Page } from 'playwright'
import { expectVisible } from '../page.ts'
import { openSignedIn } from '../user.ts'

/** Opens it as an administrator, who needs the right to paste; answers what replaces the whole text. */
export async function openLinkMapJson(page: Page, origin: string): Promise<(text: string) => Promise<void>> {
  await openSignedIn(page, `${origin}/link-map`, 'daan')
  await page.getByRole('radio', { name: 'JSON' }).check()
  await expectVisible(page.locator('.lkje[data-surface=full]'))
  return async (text) => {
    await page.evaluate(async (copied) => navigator.clipboard.writeText(copied), text)
    await page.getByRole('textbox', { name: 'Link map as JSON' }).last().focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Control+v')
  }
}
