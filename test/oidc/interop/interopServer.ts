// What the walks must know of a server that somebody else wrote, one file each in servers/.
import type { ChromiumCase } from './chromium.ts'
import type { RunningServer } from './server.ts'
import type { Known } from './walks.ts'

export interface InteropServer extends Known {
  readonly name: string
  /** Of the software, as it is installed here. */
  version(): string
  /** Why it cannot be run on this machine, and what to do; `undefined`: it can. */
  missing(): string | undefined
  /** Starts it for an app at these addresses: the first is that of every sign-in. */
  start(redirectUris: readonly string[]): Promise<RunningServer>
  readonly deviations: NonNullable<Known['deviations']>
  /** Walks in real Chromium that only this server has. */
  readonly inChromium?: readonly (readonly ChromiumCase[])[]
  /** It is large to fetch, or slow to start: run only where its name is given. */
  readonly isByNameOnly?: boolean
}
