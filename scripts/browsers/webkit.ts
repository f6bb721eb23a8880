// Drives WebKitGTK through its own WebDriver, on a virtual display.
import { startProgram } from '../startProgram.ts'
import { findFreePort } from './freePort.ts'
import type { DrivenBrowser } from './session.ts'
import { WebDriver } from './webdriver.ts'

const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'

/** Starts WebKitGTK's MiniBrowser with a fresh profile. */
export async function openWebkit(executable: string): Promise<DrivenBrowser> {
  const screen = ['-displayfd', '1', '-screen', '0', '1280x900x24', '-nolisten', 'tcp']
  const display = await startProgram('Xvfb', screen, { says: /\d+(?=\n)/ })
  const port = await findFreePort()
  const driver = await startProgram(executable, [`--port=${port}`], {
    env: {
      DISPLAY: `:${display.said}`,
      LIBGL_ALWAYS_SOFTWARE: '1',
      WEBKIT_DISABLE_COMPOSITING_MODE: '1',
      WEBKIT_DISABLE_DMABUF_RENDERER: '1',
    },
  })
  const session = await WebDriver.newSession({
    hostname: '127.0.0.1',
    port,
    path: '/',
    logLevel: 'error',
    capabilities: { 'wdio:enforceWebDriverClassic': true },
  })
  const find = async (xpath: string) => {
    const found = await session.findElement('xpath', xpath)
    if (!(ELEMENT in found)) throw new Error(`no such element: ${xpath}`)
    return found[ELEMENT]
  }
  return {
    name: 'WebKitGTK',
    version: String(session.capabilities.browserVersion),
    open: async (url) => session.navigateTo(url),
    reload: async () => session.refresh(),
    back: async () => session.back(),
    tabs: async () => session.getWindowHandles(),
    async openTab() {
      const { handle } = (await session.createWindow('tab')) as { handle: string }
      await session.switchToWindow(handle)
      return handle
    },
    switchTo: async (tab) => session.switchToWindow(tab),
    closeTab: async () => session.closeWindow(),
    ask: async (expression) => session.executeScript(`return (${expression})`, []),
    async click(xpath) {
      const element = await find(xpath)
      // What floats at the window's edge covers a button there: a user scrolls.
      await session.executeScript('arguments[0].scrollIntoView({ block: "center" })', [
        { [ELEMENT]: element },
      ])
      await session.elementClick(element)
    },
    type: async (xpath, text) => session.elementSendKeys(await find(xpath), text),
    async close() {
      await session.deleteSession().catch(() => {})
      await driver.end()
      await display.end()
    },
  }
}
