// What is said about a switch by the parts that do not load with it.
import type { Id, User } from '../../protocol/claims.ts'

/** Whereto, and how. One of `organization`, `firmId` and `parameters` is needed. */
export interface SwitchOptions {
  /** The organization by the id or name that the provider knows. */
  organization?: string | undefined
  /** The firm that `user.firmId` is to be. Alone, it is sent as the organization; beside others, the tokens are held against it. */
  firmId?: Id | undefined
  /** What the server is to be asked, by its own names. */
  parameters?: Readonly<Record<string, string | readonly string[]>> | undefined
  /**
   * Where the server wants to ask the user: 'silent' rejects, 'popup' opens a window and never leaves the page, 'page' leaves
   * it. Default: a window where the browser lets one open, else the page.
   */
  display?: 'silent' | 'popup' | 'page' | undefined
  /** Where the user is to be afterwards when the page is left, an address of this origin. Default: where they are now. */
  returnTo?: string | undefined
  /**
   * Whether it is the same person, where the provider names one differently in each organization. Default: same `userId` and
   * `impersonatorId`. When the page was left, whoever signed in is taken.
   */
  isSameUser?: ((before: User, next: User) => boolean) | undefined
}

/** The switch under way. */
export interface Switches {
  running?:
    | { readonly key: string; readonly control: AbortController; readonly done: Promise<void> }
    | undefined
}
