// What of a former user a page shows to the next one.
import type { Page } from 'playwright'

interface Watched {
  leaks: string[]
}

/** From now on: every text of the page that has the former user's words in it while Bram's name is there. */
export const watchLeaks = (page: Page, of: { words: string; text: 'innerText' | 'textContent' }) =>
  page.evaluate(({ words, text }) => {
    const leaks: string[] = []
    const look = () => {
      const shown = document.body[text] ?? ''
      if (shown.includes('Signed in as bram') && shown.includes(words)) leaks.push(shown)
    }
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true })
    Object.assign(globalThis, { leaks })
  }, of)

export const leaksOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => (globalThis as unknown as Watched).leaks)
