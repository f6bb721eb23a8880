// What a real-time connection looks like from the session's side, whatever carries it.
import type { Id } from './claims.ts'
import type { CryptoPort } from './pkce.ts'

/** A channel to listen on, with or without word of who comes and goes. */
export interface RealtimeChannel {
  /** The channel as the service knows it. */
  readonly name: string
  /** Hear who comes and goes too. Default false. */
  readonly hasPresence?: boolean | undefined
}

/** How the connection is. `denied`: the service refuses access; `failed`: it cannot work as things are. */
export type RealtimeConnectionState = 'connecting' | 'connected' | 'offline' | 'denied' | 'failed'

/** What comes over the connection. A `cursor` is a place in the stream that a later connection can start from. */
export type RealtimeEvent =
  | {
      readonly type: 'state'
      /** How the connection is from now on. */
      readonly state: RealtimeConnectionState
      /** Why, in words, for the timeline. */
      readonly reason?: string | undefined
      /** Place in the stream up to which everything was told. */
      readonly cursor?: string | undefined
    }
  | {
      readonly type: 'message'
      /** Where it came in. */
      readonly channel: string
      /** What was sent, as the sender wrote it; check it before use. */
      readonly body: unknown
      /** Presence identifier of the sender, set by the service. */
      readonly publisher?: string | undefined
      /** Place in the stream right behind this message. */
      readonly cursor: string
    }
  | {
      readonly type: 'presence'
      /** Where they came or went. */
      readonly channel: string
      /** `timeout`: went without a goodbye. */
      readonly action: 'join' | 'leave' | 'timeout'
      /** Their presence identifiers. */
      readonly presenceIds: readonly string[]
    }

/** What a transport is given when a connection is opened: who listens, on which channels, and from where on. */
export interface RealtimeOpenOptions {
  /** The presence identifier of this browser. */
  readonly identity: string
  /** What to listen to, for as long as the connection is open. */
  readonly channels: readonly RealtimeChannel[]
  /** Where to continue; without it only what is sent from now on arrives. */
  readonly cursor?: string | undefined
  /** Hears everything, never before `open` has returned. */
  readonly listen: (event: RealtimeEvent) => void
}

/** An open connection. It reconnects automatically and need not be opened again. */
export interface RealtimeLink {
  /** Whether this tab itself reaches the service; false in a tab that listens through another one. */
  readonly isSpeaker: boolean
  /** Sends once and never again; rejects with an error whose `code` is a `RealtimeFaultCode`. */
  publish(channel: string, body: unknown): Promise<void>
  /** Presence identifiers on a channel; rejects with an error whose `code` is a `RealtimeFaultCode`. */
  occupants(channel: string): Promise<readonly string[]>
  /** Stops receiving, before the last message and the goodbye: a poll sent meanwhile would join the channels again. */
  stopListening?(): void
  /** `leave` says goodbye to the channels, so that others see it at once. */
  close(options?: { readonly leave?: boolean | undefined }): void
}

/** Carries messages and presence; an app may bring its own. */
export interface RealtimeTransport {
  /** Whether access control protects the channels. False switches logouts by message off. Default true. */
  readonly isProtected?: boolean | undefined
  /** How many messages are remembered to recognise duplicates. Default 100. */
  readonly cacheSize?: number | undefined
  /** Opens a connection and returns at once; what happens on it comes through `listen`. */
  open(options: RealtimeOpenOptions): RealtimeLink
}

/** A messaging service that latchkey has an adapter for: what `pubnub()` of `latchkey/pubnub` returns. */
export interface RealtimeService {
  /** Whether access control protects the channels. False switches logouts by message off. */
  readonly isProtected: boolean
  /** Loads the adapter. Called once a user is signed in. `session` is the current one at each call. */
  connect(ports: ServicePorts, session: () => Omit<RealtimeSession, 'presenceId'>): Promise<RealtimeTransport>
}

/** The session that a messaging service is asked to admit. */
export interface RealtimeSession {
  /** The signed-in user. */
  readonly userId: Id
  /** The user's firm; `undefined` where the token names none. */
  readonly firmId?: Id | undefined
  /** The session by the server's name. */
  readonly sessionId?: Id | undefined
  /** The impersonator, if any. */
  readonly impersonatorId?: Id | undefined
  /** The only identifier that its token may be used with. */
  readonly presenceId: string
}

/** The parts of the browser that a messaging service needs. */
export interface ServicePorts {
  /** Random bytes for the wait before a retry. */
  readonly crypto: Pick<CryptoPort, 'randomBytes'>
  /** The browser's own. */
  readonly fetch: (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>
  /** Wall clock, milliseconds since 1970. */
  now(): number
  /** What the browser reports: a hint. */
  isOnline(): boolean
  /** Calls once after a delay; returns its cancellation. */
  setTimer(callback: () => void, delayMs: number): () => void
  /** Listens to the browser; returns the removal. */
  on(event: 'online' | 'restored' | 'resume' | 'hidden' | 'visible', listener: () => void): () => void
  /** Tells the developer why something failed and what to do. */
  readonly tell?: ((message: string) => void) | undefined
}

/** Why a connection or a call over it failed. */
export type RealtimeFaultCode = 'denied' | 'offline' | 'timeout' | 'invalid' | 'closed' | 'failed'

/** A refused or lost call over the connection; it never leaves the real-time code. */
export class RealtimeFault extends Error {
  /** Always 'RealtimeFault'. */
  override readonly name = 'RealtimeFault'
  /** Stable; switch on this. */
  readonly code: RealtimeFaultCode

  constructor(code: RealtimeFaultCode, message: string) {
    super(message)
    this.code = code
  }
}
