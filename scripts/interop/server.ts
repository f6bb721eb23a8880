// What the walk must know of a server that somebody else wrote; one file each in servers/.
import type { OpenIdConnectOptions } from '../../src/oidc/index.ts'
import type { Browser, Page } from './browser.ts'

export interface InteropServer {
  readonly name: string
  /** Why it cannot be run on this machine, and what to do; `undefined`: it can. */
  missing(): string | undefined
  /** Starts it for an app at these addresses: the first is that of every sign-in. */
  start(redirectUris: readonly string[]): Promise<RunningServer>
  /** Where it deviates from a standard, and what the profile does about it; by the title of the step. */
  readonly deviations: Readonly<Record<string, string>>
}

export interface RunningServer {
  readonly options: OpenIdConnectOptions
  readonly clientId: string
  readonly scopes: readonly string[]
  /** Does what a person does on a page of this server, and comes to the next page. */
  act(page: Page, browser: Browser): Promise<Page>
  stop(): Promise<void>
}
