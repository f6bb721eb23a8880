// Drives Chromium over Playwright, so that the flows of the other browsers have one to be compared with.
import { type BrowserContext, chromium, type ElementHandle, type Page } from 'playwright'
import { chromiumLaunchOptions } from '../findChromium.ts'
import type { Command, DrivenBrowser } from './session.ts'

/** Starts Chromium without a window, with a fresh profile. */
export async function openChromium(): Promise<DrivenBrowser> {
  const browser = await chromium.launch(chromiumLaunchOptions({ hasBackForwardCache: true }))
  const context: BrowserContext = await browser.newContext()
  context.setDefaultTimeout(5_000)
  const names = new Map<Page, string>()
  const elements = new Map<string, ElementHandle>()
  let serial = 0
  const nameOf = (page: Page) => {
    const name = names.get(page) ?? `tab ${(serial += 1)}`
    names.set(page, name)
    return name
  }
  let current = await context.newPage()

  const run = async (command: Command): Promise<unknown> => {
    switch (command.name) {
      case 'navigate':
        return void (await current.goto(command.url))
      case 'refresh':
        return void (await current.reload())
      case 'back':
        return void (await current.goBack({ waitUntil: 'commit' }))
      case 'newTab':
        return nameOf(await context.newPage())
      case 'closeTab':
        return current.close()
      case 'tabs':
        return context.pages().map(nameOf)
      case 'switchTo': {
        const page = context.pages().find((one) => nameOf(one) === command.tab)
        if (!page) throw new Error(`no such window: ${command.tab}`)
        current = page
        return page.bringToFront()
      }
      case 'find': {
        const element = await current.$(`xpath=${command.xpath}`)
        if (!element) throw new Error(`no such element: ${command.xpath}`)
        elements.set(`element ${(serial += 1)}`, element)
        return `element ${serial}`
      }
      case 'click':
        return elements.get(command.element)?.click()
      case 'type':
        await elements.get(command.element)?.focus()
        return current.keyboard.type(command.text)
      case 'script':
        return current.evaluate(`(() => { ${command.body} })()`)
    }
  }
  return {
    name: 'Chromium',
    version: browser.version(),
    run,
    close: async () => browser.close(),
    setOffline: async (isOffline) => context.setOffline(isOffline),
  }
}
