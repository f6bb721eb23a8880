// What the flows ask of a browser, whichever it is and however it is driven.
import { setTimeout as wait } from 'node:timers/promises'

/** A browser that has started, with a profile of its own. */
export interface DrivenBrowser {
  readonly name: string
  readonly version: string
  open(url: string): Promise<unknown>
  reload(): Promise<unknown>
  back(): Promise<unknown>
  tabs(): Promise<string[]>
  /** A new tab, which is the one that is driven from now on. */
  openTab(): Promise<string>
  switchTo(tab: string): Promise<unknown>
  closeTab(): Promise<unknown>
  /** What an expression gives in the page. */
  ask(expression: string): Promise<unknown>
  /** Clicks the first element that an XPath finds; throws where there is none. */
  click(xpath: string): Promise<unknown>
  type(xpath: string, text: string): Promise<unknown>
  /** Takes the network away as the browser itself knows it, or gives it back; absent where it cannot be driven. */
  setOffline?(isOffline: boolean): Promise<unknown>
  close(): Promise<void>
}

const PATIENCE_MS = 40_000
const LOOK_EVERY_MS = 100

/** The habits of a member of staff, in any browser: what is not there yet is waited for. */
export interface Visitor extends Omit<DrivenBrowser, 'ask'> {
  ask<Answer>(expression: string): Promise<Answer>
  /** Waits until this text can be seen. */
  sees(text: string): Promise<void>
  /** Waits for the main heading. */
  seesHeading(text: string): Promise<void>
  /** Waits for what a selector finds. */
  seesElement(selector: string): Promise<void>
  /** Waits until something is so. */
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
        // A page that is just leaving answers with an error.
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
  /** An element may not be there yet, and React may draw another one before it is clicked. */
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
