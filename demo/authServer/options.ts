// What the demo's authorization server can be started with.
import type { Environment } from '../seed.ts'
import type { Identity } from './accounts.ts'
import type { OneTimeKeys } from './tickets.ts'

/** Names of this computer itself; a page on the one is cross-site to the other, which blocks silent frames. */
export type LoopbackHost = '127.0.0.1' | 'localhost'

export interface AuthServerOptions {
  /** 0 (default) picks a free one. */
  port?: number
  /** The host in the server's origin. It always listens on loopback only. */
  host?: LoopbackHost
  clientId?: string
  redirectUris?: readonly string[]
  accessTokenLifetimeSeconds?: number
  /** Who saves a link map has to confirm that it is they, every five minutes (RFC 9470). Default false. */
  asksToConfirm?: boolean
  /** Every address of this computer is registered: apps at any port may sign in, call and frame. Default false. */
  anyLoopbackApp?: boolean
  environment?: Environment
  /** Share one between the servers of all environments, so that a session can be handed over. */
  handovers?: OneTimeKeys<string>
  /** Gets mistakes of its own; never a request. */
  log?: (line: string) => void
}

export interface MintTokenOptions extends Identity {
  clientId?: string
  lifetimeSeconds?: number
  sessionId?: string
  /** Replaces or adds claims, to make a token that is wrong on purpose. */
  claims?: Record<string, unknown>
}
