// Drives Chromium over Playwright, so that the flows of the other browsers have one to be compared with.
import { chromium, type Page } from 'playwright'
import { chromiumLaunchOptions } from '../findChromium.ts'
import type { DrivenBrowser } from './session.ts'

/** Starts Chromium without a window, with a fresh profile. */
export async function openChromium(): Promise<DrivenBrowser> {
  const browser = await chromium.launch(chromiumLaunchOptions({ hasBackForwardCache: true }))
  const context = await browser.newContext()
  context.setDefaultTimeout(5_000)
  const known: Page[] = []
  const nameOf = (page: Page) => {
    if (!known.includes(page)) known.push(page)
    return String(known.indexOf(page))
  }
  let current = await context.newPage()
  return {
    name: 'Chromium',
    version: browser.version(),
    open: async (url) => current.goto(url),
    reload: async () => current.reload(),
    back: async () => current.goBack({ waitUntil: 'commit' }),
    tabs: async () => context.pages().map(nameOf),
    async openTab() {
      current = await context.newPage()
      return nameOf(current)
    },
    async switchTo(tab) {
      current = known[Number(tab)]!
      await current.bringToFront()
    },
    closeTab: async () => current.close(),
    ask: async (expression) => current.evaluate(`(${expression})`),
    click: async (xpath) => current.locator(`xpath=${xpath}`).first().click(),
    async type(xpath, text) {
      await current.locator(`xpath=${xpath}`).first().focus()
      await current.keyboard.type(text)
    },
    setOffline: async (isOffline) => context.setOffline(isOffline),
    close: async () => browser.close(),
  }
}
