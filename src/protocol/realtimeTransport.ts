// The interface between the session and a real-time transport.
import type { Claims } from './claims.ts'
import type { CryptoPort } from './pkce.ts'

/** A channel to listen on. */
export interface RealtimeChannel {
  /** Its name at the service. */
  readonly name: string
  /** Receive presence events, too. Default false. */
  readonly hasPresence?: boolean | undefined
}

/** State of the connection. `denied`: the service refuses access; `failed`: it cannot work, for example with wrong keys. */
export type RealtimeConnectionState = 'connecting' | 'connected' | 'offline' | 'denied' | 'failed'

/** An event of the connection. `cursor`: a position in the stream, from which a later connection can continue. */
export type RealtimeEvent =
  | {
      readonly type: 'state'
      /** The new state. */
      readonly state: RealtimeConnectionState
      /** The reason, in words, for `explain()`. */
      readonly reason?: string | undefined
      /** Position in the stream up to which all events were delivered. */
      readonly cursor?: string | undefined
    }
  | {
      readonly type: 'message'
      /** Name of the channel. */
      readonly channel: string
      /** The sender's data, unchecked. */
      readonly body: unknown
      /** Presence identifier of the sender, set by the service. */
      readonly publisher?: string | undefined
      /** Position in the stream after this message. */
      readonly cursor: string
    }
  | {
      readonly type: 'presence'
      /** Name of the channel. */
      readonly channel: string
      /** `timeout`: disappeared without a leave. */
      readonly action: 'join' | 'leave' | 'timeout'
      /** Their presence identifiers. */
      readonly presenceIds: readonly string[]
    }

/** Options of a connection. */
export interface RealtimeOpenOptions {
  /** The presence identifier of this browser. */
  readonly identity: string
  /** The channels to listen on. */
  readonly channels: readonly RealtimeChannel[]
  /** Where to continue. Absent: only new messages arrive. */
  readonly cursor?: string | undefined
  /** Receives all events, never before `open` has returned. */
  readonly listen: (event: RealtimeEvent) => void
}

/** An open connection. It reconnects automatically and need not be opened again. */
export interface RealtimeLink {
  /** Whether this tab has the connection itself; false in a tab that listens through another one. */
  readonly isSpeaker: boolean
  /** Sends once, without retries; rejects with an error whose `code` is a `RealtimeFaultCode`. */
  publish(channel: string, body: unknown): Promise<void>
  /** Presence identifiers on a channel; rejects with an error whose `code` is a `RealtimeFaultCode`. */
  occupants(channel: string): Promise<readonly string[]>
  /** Stops receiving, before the last message and the leave: a poll sent meanwhile would join the channels again. */
  stopListening?(): void
  /** `leave` leaves the channels, so that others see it at once. */
  close(options?: { readonly leave?: boolean | undefined }): void
}

/** Carries messages and presence. You can implement your own. */
export interface RealtimeTransport {
  /** Whether access control protects the channels. False switches logouts by message off. Default true. */
  readonly isProtected?: boolean | undefined
  /** How many messages are remembered to recognise duplicates. Default 100. */
  readonly cacheSize?: number | undefined
  /** Opens a connection and returns at once. Its events go to `listen`. */
  open(options: RealtimeOpenOptions): RealtimeLink
}

/** A messaging service that latchkey has an adapter for: what `pubnub()` of `latchkey/pubnub` returns. */
export interface RealtimeService {
  /** Whether access control protects the channels. False switches logouts by message off. */
  readonly isProtected: boolean
  /** Loads the adapter. Called once a user is signed in. `session` is the current one at each call. */
  connect(ports: ServicePorts, session: () => Omit<RealtimeSession, 'presenceId'>): Promise<RealtimeTransport>
}

/** The session that a messaging service issues a token for. */
export interface RealtimeSession extends Pick<Claims, 'userId' | 'firmId' | 'sessionId' | 'impersonatorId'> {
  /** The token must be valid for this identifier only. */
  readonly presenceId: string
}

/** The browser's functions that a messaging service needs. */
export interface ServicePorts {
  /** Random bytes for the wait before a retry. */
  readonly crypto: Pick<CryptoPort, 'randomBytes'>
  /** The browser's own. */
  readonly fetch: (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>
  /** Wall clock, milliseconds since 1970. */
  now(): number
  /** As the browser reports it: a hint. */
  isOnline(): boolean
  /** Calls once after a delay; returns its cancellation. */
  setTimer(callback: () => void, delayMs: number): () => void
  /** Listens to the browser; returns the removal. */
  on(event: 'online' | 'restored' | 'resume' | 'hidden' | 'visible', listener: () => void): () => void
  /** Writes to the console why something failed and what to do. */
  readonly tell?: ((message: string) => void) | undefined
}

/** Why a connection or a call over it failed. */
export type RealtimeFaultCode = 'denied' | 'offline' | 'timeout' | 'invalid' | 'closed' | 'failed'

/** A refused or lost call over the connection. Only for the real-time code. */
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
