// The browser interface that the flows use, whatever the driver.
import { setTimeout as wait } from 'node:timers/promises'

/** A running browser with its own profile. */
export interface DrivenBrowser {
  readonly name: string
  readonly version: string
  open(url: string): Promise<unknown>
  reload(): Promise<unknown>
  back(): Promise<unknown>
  tabs(): Promise<string[]>
  /** Opens a new tab and switches to it. */
  openTab(): Promise<string>
  switchTo(tab: string): Promise<unknown>
  closeTab(): Promise<unknown>
  /** Evaluates an expression in the page. */
  ask(expression: string): Promise<unknown>
  /** Clicks the first element that matches an XPath; throws if there is none. */
  click(xpath: string): Promise<unknown>
  type(xpath: string, text: string): Promise<unknown>
  /** Sets the browser offline or online; absent if the driver cannot. */
  setOffline?(isOffline: boolean): Promise<unknown>
  close(): Promise<void>
}

const PATIENCE_MS = 40_000
const LOOK_EVERY_MS = 100

/** User actions in any browser, waiting for elements that are not there yet. */
export interface Visitor extends Omit<DrivenBrowser, 'ask'> {
  ask<Answer>(expression: string): Promise<Answer>
  /** Waits until this text is visible. */
  sees(text: string): Promise<void>
  /** Waits for the main heading. */
  seesHeading(text: string): Promise<void>
  /** Waits for an element that matches a selector. */
  seesElement(selector: string): Promise<void>
  /** Waits until a condition is true. */
  until(what: string, isSo: () => Promise<boolean> | boolean): Promise<void>
  clickButton(name: string): Promise<void>
}

export function createVisitor(browser: DrivenBrowser): Visitor {
  const ask: Visitor['ask'] = async <Answer>(expression: string) => (await browser.ask(expression)) as Answer
  const until: Visitor['until'] = async (what, isSo) => {
    const startedAtMs = Date.now()
    let failure = ''
    for (;;) {
      try {
        if (await isSo()) return
        failure = ''
      } catch (error) {
        // A page that is unloading returns an error.
        failure = `; ${String(error)}`
      }
      if (Date.now() - startedAtMs > PATIENCE_MS) {
        const [address, text] = await Promise.all([
          ask<string>('location.href').catch(() => '?'),
          ask<string>('document.body.innerText').catch(() => '?'),
        ])
        throw new Error(`waited for ${what}${failure}\n  at ${address}\n  ${text.replaceAll('\n', '\n  ')}`)
      }
      await wait(LOOK_EVERY_MS)
    }
  }
  /** Retries: the element may be missing, or React may replace it before the click. */
  const untilDone = async (what: string, work: () => Promise<unknown>) =>
    until(what, async () => {
      await work()
      return true
    })
  const untilIncludes = async (what: string, expression: string, text: string) =>
    until(`${what} ${JSON.stringify(text)}`, async () => (await ask<string>(expression)).includes(text))
  const click = async (xpath: string) => untilDone(`a click on ${xpath}`, async () => browser.click(xpath))
  const quoted = (text: string) => (text.includes("'") ? `"${text}"` : `'${text}'`)

  return {
    ...browser,
    ask,
    until,
    click,
    clickButton: async (name) => click(`//main//button[normalize-space(.)=${quoted(name)}]`),
    type: async (xpath, text) => untilDone(`typing in ${xpath}`, async () => browser.type(xpath, text)),
    seesElement: async (selector) =>
      until(selector, async () => ask<boolean>(`document.querySelector('${selector}') !== null`)),
    sees: async (text) => untilIncludes('the text', 'document.body.innerText', text),
    seesHeading: async (text) =>
      untilIncludes('the heading', "document.querySelector('h1')?.innerText ?? ''", text),
  }
}
