// The part of npm oidc-provider 9 that the demo's authorization server uses; the package ships no types.
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  export interface StoredPayload {
    [key: string]: unknown
    grantId?: string
    uid?: string
    consumed?: number
  }

  export interface Session {
    readonly id: string
    readonly uid: string
    readonly accountId?: string
    grantIdFor(clientId: string): string | undefined
    loginAccount(details: { accountId: string; transient: boolean }): void
    save(ttlSeconds: number): Promise<string>
    destroy(): Promise<void>
  }

  export interface Token {
    readonly grantId: string
    readonly scope?: string
    readonly acr?: string
    /** Seconds since 1970. */
    readonly authTime?: number
    readonly consumed?: number
  }

  export interface Grant {
    addOIDCScope(scope: string): void
    addOIDCClaims(claims: readonly string[]): void
    addResourceScope(resource: string, scope: string): void
    save(): Promise<string>
  }

  export interface Client {
    readonly clientId: string
    redirectUriAllowed(uri: string): boolean
    postLogoutRedirectUriAllowed(uri: string): boolean
  }

  export interface Interaction {
    readonly uid: string
    readonly prompt: {
      readonly name: string
      readonly details: {
        readonly missingOIDCScope?: readonly string[]
        readonly missingOIDCClaims?: readonly string[]
        readonly missingResourceScopes?: Readonly<Record<string, readonly string[]>>
      }
    }
    readonly grantId?: string
    readonly params: Readonly<Record<string, unknown>>
    readonly session?: { readonly accountId?: string }
  }

  /** The Koa context, as far as the adapters touch it. */
  export interface Context {
    readonly req: IncomingMessage
    readonly res: ServerResponse
    body: unknown
    status: number
    type: string
    readonly oidc: {
      readonly client?: Client
      readonly provider: Provider
      readonly session?: Session
      /** Of the interaction that has just ended. */
      readonly result?: { readonly consent?: { readonly grantId?: string } }
      readonly params?: Readonly<Record<string, string | undefined>>
      readonly entities: Readonly<Record<string, Token | undefined>>
    }
  }

  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>)
    readonly Session: {
      new (): Session
      get(context: Context): Promise<Session>
    }
    readonly Grant: {
      new (payload: { accountId: string; clientId: string }): Grant
      find(id: string): Promise<Grant | undefined>
    }
    readonly Client: {
      find(id: string): Promise<Client | undefined>
      readonly prototype: {
        redirectUriAllowed: (this: Client, uri: string) => boolean
        postLogoutRedirectUriAllowed: (uri: string) => boolean
      }
    }
    readonly RefreshToken: {
      find(value: string, options: { ignoreExpiration: boolean }): Promise<Token | undefined>
    }
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): this
    createContext(request: IncomingMessage, response: ServerResponse): Context
    cookieName(type: 'session' | 'interaction' | 'resume'): string
    on(event: string, listener: (...values: never[]) => void): this
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: Record<string, unknown>,
      options?: { mergeWithLastSubmission: boolean },
    ): Promise<void>
    registerGrantType(
      name: string,
      handler: (context: Context) => Promise<void>,
      parameters: readonly string[],
    ): void
    registerResponseMode(
      name: string,
      handler: (context: Context, redirectUri: string, response: Record<string, string>) => void,
    ): void
  }

  export namespace errors {
    class InvalidGrant extends Error {
      constructor(detail: string)
    }
    class InvalidTarget extends Error {}
    class InvalidRequest extends Error {
      constructor(description: string)
    }
  }
}

declare module 'oidc-provider/lib/adapters/memory_adapter.js' {
  export function createMemoryAdapter(clockToleranceSeconds: number): unknown
}
