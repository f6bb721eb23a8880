// Drives Firefox over WebDriver BiDi, which it supports natively.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { remote } from 'webdriver'
import { startProgram } from '../startProgram.ts'
import type { DrivenBrowser } from './session.ts'
import { BidiHandler } from './webdriver.ts'

/** Pop-ups are blocked as for a user; all other automation defaults are Firefox's own. */
const PREFERENCES = 'user_pref("dom.disable_open_during_load", true);\n'

/** Starts headless Firefox with a fresh profile. */
export async function openFirefox(executable: string): Promise<DrivenBrowser> {
  const profile = mkdtempSync(join(tmpdir(), 'latchkey-firefox-'))
  writeFileSync(join(profile, 'user.js'), PREFERENCES)
  const words = ['--headless', '--remote-debugging-port=0', '--no-remote', '--profile', profile]
  const firefox = await startProgram(executable, words, {
    env: { HOME: profile, MOZ_DISABLE_CONTENT_SANDBOX: '1' },
    says: /(?<=BiDi listening on )ws:\S+/,
  })
  const wire = new BidiHandler(`${firefox.said}/session`)
  await wire.connect()
  const { capabilities } = await wire.sessionNew({ capabilities: {} })

  const tabs = async () =>
    (await wire.browsingContextGetTree({ maxDepth: 0 })).contexts.map(({ context }) => context)
  const openTab = async () => (await wire.browsingContextCreate({ type: 'tab' })).context
  // In the first tab the address bar has the focus.
  const [first = ''] = await tabs()
  let context = await openTab()
  await wire.browsingContextClose({ context: first })

  const ask = async (expression: string): Promise<unknown> => {
    const answer = await wire.scriptEvaluate({
      expression: `JSON.stringify(${expression})`,
      target: { context },
      awaitPromise: false,
    })
    if (answer.type === 'exception') throw new Error(answer.exceptionDetails.text)
    return answer.result.type === 'string' ? JSON.parse(answer.result.value) : undefined
  }
  /** Finds an element and calls the function with it. */
  const onElement = async (xpath: string, functionDeclaration: string) => {
    const locator = { type: 'xpath' as const, value: xpath }
    const { nodes } = await wire.browsingContextLocateNodes({ context, locator, maxNodeCount: 1 })
    const sharedId = nodes[0]?.sharedId
    if (sharedId === undefined) throw new Error(`no such element: ${xpath}`)
    const element = { sharedId }
    await wire.scriptCallFunction({
      functionDeclaration,
      arguments: [element],
      target: { context },
      awaitPromise: false,
    })
    return element
  }
  return {
    name: 'Firefox',
    version: capabilities.browserVersion,
    // A page that redirects itself never completes.
    open: async (url) => wire.browsingContextNavigate({ context, url, wait: 'interactive' }),
    reload: async () => wire.browsingContextReload({ context, wait: 'interactive' }),
    back: async () => wire.browsingContextTraverseHistory({ context, delta: -1 }),
    tabs,
    openTab: async () => (context = await openTab()),
    async switchTo(tab) {
      context = tab
      await wire.browsingContextActivate({ context })
    },
    closeTab: async () => wire.browsingContextClose({ context }),
    ask,
    async click(xpath) {
      const element = await onElement(xpath, "(element) => element.scrollIntoView({ block: 'center' })")
      const actions: remote.InputPointerSourceAction[] = [
        { type: 'pointerMove', x: 0, y: 0, origin: { type: 'element', element } },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ]
      await wire.inputPerformActions({ context, actions: [{ type: 'pointer', id: 'mouse', actions }] })
    },
    async type(xpath, text) {
      await onElement(xpath, '(element) => element.focus()')
      const actions = text.split('').flatMap((value): remote.InputKeySourceAction[] => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ])
      await wire.inputPerformActions({ context, actions: [{ type: 'key', id: 'keyboard', actions }] })
    },
    setOffline: async (isOffline) =>
      wire.emulationSetNetworkConditions({
        networkConditions: isOffline ? { type: 'offline' } : null,
        userContexts: ['default'],
      }),
    async close() {
      wire.close()
      await firefox.end()
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
