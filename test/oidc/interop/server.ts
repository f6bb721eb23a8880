// What the walks need of a running server that somebody else wrote, and what several of these servers do alike.
import { rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { Program } from '../../../scripts/startProgram.ts'
import type { OpenIdConnectOptions } from '../../../src/oidc/index.ts'
import { type Browser, formOf, type Page } from './browser.ts'

/** What the person says to what the app asks for; `bob`: yes, and they sign in as somebody else. */
export type Answer = 'yes' | 'no' | 'bob'

/** The same server at a site of its own, by TLS. */
export interface OwnSite {
  readonly options: OpenIdConnectOptions
  /** Key and certificate (PKCS #12), which serve the app too. */
  readonly pfx: Buffer
  readonly passphrase: string
}

export interface RunningServer {
  readonly options: OpenIdConnectOptions
  readonly clientId: string
  readonly scopes: readonly string[]
  readonly tokenPath: string
  /** How its addresses are reached, where it is not at them. */
  readonly fetch?: typeof fetch
  /** Whether a restart ends the sessions: they lie in its memory. */
  readonly isForgetful: boolean
  /** Does what a person does on a page of this server, and comes to the next page. */
  act(page: Page, browser: Browser, answer: Answer): Promise<Page>
  /** A client that nobody has agreed to, where a consent is remembered for good. */
  readonly strangerClientId?: string
  /** Registers an app at that address, which is on another site. */
  onOwnSite?(app: string): Promise<OwnSite>
  /** Ends ada's session and tokens there, as an administrator does, or a person at the server's own pages. */
  endSession?(browser: Browser): Promise<unknown>
  /** Registers the app's page for front-channel logout. Resolves with the address where a user signs out of all apps. */
  signOutOfAll?(page: string): Promise<string>
  /** Stops it, does the work, and starts it again at the same address. */
  pause(work: () => Promise<void>): Promise<void>
  stop(): Promise<void>
}

const LARGEST_PAGE_COUNT = 40

interface Walk {
  readonly server: RunningServer
  readonly browser: Browser
  /** The app's address. */
  readonly app: string
}

/** Works through the pages from there, until it is back at the app. */
export async function workThrough(
  { server, browser, app }: Walk,
  from: Page,
  answer: Answer = 'yes',
): Promise<Page> {
  let page = from
  for (let count = 0; !page.url.startsWith(app) && count < LARGEST_PAGE_COUNT; count += 1)
    page = await server.act(page, browser, answer)
  return page
}

export const PASSWORD = 'not-a-secret'

export const isLoginPage = ({ text }: Pick<Page, 'text'>): boolean => /name="(username|password)"/.test(text)

/**
 * A person at a server whose pages are forms.
 *
 * @param buttons The fields by which its consent page tells yes from no: a person sends one of them only.
 */
export const actByForms =
  (buttons: { yes?: string; no?: string } = {}): RunningServer['act'] =>
  async (page, browser, answer) => {
    if (page.status >= 400) throw new Error(`status ${page.status}`)
    const username = answer === 'bob' ? 'bob' : 'ada'
    if (isLoginPage(page)) return browser.open(formOf(page, { username, password: PASSWORD }))
    const visit = formOf(page, {})
    const left = answer === 'no' ? buttons.yes : buttons.no
    const fields = Object.entries(visit.form ?? {}).filter(([name]) => name !== left)
    return browser.open({ ...visit, form: Object.fromEntries(fields) })
  }

/** A program that can be away for a while. `folder`: is removed once it has stopped. */
export async function restartable(
  begin: () => Promise<Pick<Program, 'end'>>,
  folder?: string,
): Promise<Pick<RunningServer, 'pause' | 'stop'>> {
  let program = await begin()
  return {
    async pause(work) {
      await program.end()
      try {
        await work()
      } finally {
        program = await begin()
      }
    },
    async stop() {
      await program.end()
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Tries for a minute: for programs that do not say when they listen. */
export async function insist(work: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries += 1)
    try {
      await work()
      return
    } catch (error) {
      if (tries === 600) throw error
      await wait(100)
    }
}
