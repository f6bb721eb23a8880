// What the flows ask of a browser, whichever it is and however it is driven: the words of WebDriver.

/** The commands of WebDriver that the flows need. */
export type Command =
  | { name: 'navigate'; url: string }
  | { name: 'refresh' | 'back' | 'newTab' | 'closeTab' | 'tabs' }
  | { name: 'switchTo'; tab: string }
  | { name: 'find'; xpath: string }
  | { name: 'click'; element: string }
  | { name: 'type'; element: string; text: string }
  | { name: 'script'; body: string }

/** A browser that has started, with a profile of its own. */
export interface DrivenBrowser {
  readonly name: string
  readonly version: string
  /** Takes the network away as the browser itself knows it, or gives it back; absent where it cannot be driven. */
  setOffline?(isOffline: boolean): Promise<void>
  run(command: Command): Promise<unknown>
  close(): Promise<void>
}

const PATIENCE_MS = 40_000
const LOOK_EVERY_MS = 100
const rest = async () =>
  new Promise((resolve) => {
    setTimeout(resolve, LOOK_EVERY_MS)
  })

/** The habits of a member of staff, in any browser. */
export interface Visitor {
  readonly browser: DrivenBrowser
  open(url: string): Promise<void>
  reload(): Promise<void>
  back(): Promise<void>
  /** What an expression gives in the page. */
  ask<Answer>(expression: string): Promise<Answer>
  /** Waits until this text can be seen. */
  sees(text: string): Promise<void>
  /** Waits for the main heading. */
  seesHeading(text: string): Promise<void>
  /** Waits until what `read` gives is so. */
  until<Value>(
    what: string,
    read: () => Promise<Value> | Value,
    isSo: (value: Value) => boolean,
  ): Promise<Value>
  /** Clicks what an XPath finds, when it is there. */
  click(xpath: string): Promise<void>
  clickButton(name: string): Promise<void>
  type(xpath: string, text: string): Promise<void>
  tabs(): Promise<string[]>
  switchTo(tab: string): Promise<void>
  openTab(): Promise<string>
  closeTab(): Promise<void>
}

export function createVisitor(browser: DrivenBrowser): Visitor {
  const { run } = browser
  const ask: Visitor['ask'] = async <Answer>(expression: string) =>
    (await run({ name: 'script', body: `return (${expression})` })) as Answer
  const until: Visitor['until'] = async (what, read, isSo) => {
    const startedAtMs = Date.now()
    let last: unknown
    for (;;) {
      try {
        const value = await read()
        if (isSo(value)) return value
        last = value
      } catch (error) {
        // A page that is just leaving answers with an error.
        last = error
      }
      if (Date.now() - startedAtMs > PATIENCE_MS) {
        const [address, text] = await Promise.all([
          ask<string>('location.href').catch(() => '?'),
          ask<string>('document.body.innerText.slice(0, 400)').catch(() => '?'),
        ])
        throw new Error(
          `waited for ${what}; last: ${String(last)}\n  at ${address}\n  ${text.replaceAll('\n', '\n  ')}`,
        )
      }
      await rest()
    }
  }
  const find = async (xpath: string) =>
    until(
      xpath,
      async () => (await run({ name: 'find', xpath })) as string,
      (element) => element !== '',
    )
  const quoted = (text: string) => (text.includes("'") ? `"${text}"` : `'${text}'`)
  const click = async (xpath: string) => {
    // Between finding and clicking, React may draw another one.
    await until(
      `a click on ${xpath}`,
      async () => {
        await run({ name: 'click', element: await find(xpath) })
        return true
      },
      (isDone) => isDone,
    )
  }

  return {
    browser,
    ask,
    until,
    click,
    open: async (url) => void (await run({ name: 'navigate', url })),
    reload: async () => void (await run({ name: 'refresh' })),
    back: async () => void (await run({ name: 'back' })),
    sees: async (text) =>
      void (await until(
        `the text ${JSON.stringify(text)}`,
        async () => ask<string>('document.body.innerText'),
        (all) => all.includes(text),
      )),
    seesHeading: async (text) =>
      void (await until(
        `the heading ${JSON.stringify(text)}`,
        async () => ask<string>("document.querySelector('h1')?.innerText ?? ''"),
        (heading) => heading.includes(text),
      )),
    clickButton: async (name) => click(`//main//button[normalize-space(.)=${quoted(name)}]`),
    type: async (xpath, text) => void (await run({ name: 'type', element: await find(xpath), text })),
    tabs: async () => (await run({ name: 'tabs' })) as string[],
    switchTo: async (tab) => void (await run({ name: 'switchTo', tab })),
    async openTab() {
      const tab = (await run({ name: 'newTab' })) as string
      await run({ name: 'switchTo', tab })
      return tab
    },
    closeTab: async () => void (await run({ name: 'closeTab' })),
  }
}
