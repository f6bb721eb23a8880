// Guards a request handler by an access token, for Next, TanStack Start and every server with Request and Response.
import type { CheckedToken, TokenCheck } from './tokenCheck.ts'
import { TokenRefused } from './tokenRefused.ts'

/** A request, or the context of a framework with a request: TanStack Start, Hono, SvelteKit. */
export type RequestLike =
  | Request
  | {
      /** The request itself. */
      readonly request: Request
    }

/** A guarded handler: it receives the token, then the framework's arguments. */
export type GuardedHandler<First extends RequestLike, Rest extends readonly unknown[]> = (
  token: CheckedToken,
  first: First,
  ...rest: Rest
) => Response | Promise<Response>

/** Options of `guard`. */
export interface GuardOptions {
  /** Scopes that the token must have, all of them. Default: none. */
  scopes?: readonly string[] | undefined
}

/**
 * Makes a handler for callers with a valid token; all others get 401, 403 or 503 with the reason.
 *
 * @example
 * // app/api/invoices/route.ts of Next
 * export const GET = guard(checkToken, ({ userId }) => Response.json(invoicesOf(userId)))
 *
 * // src/routes/api/invoices.ts of TanStack Start
 * export const Route = createFileRoute('/api/invoices')({
 *   server: { handlers: { GET: guard(checkToken, ({ userId }) => Response.json(invoicesOf(userId))) } },
 * })
 */
export function guard<First extends RequestLike, Rest extends readonly unknown[]>(
  check: TokenCheck,
  handle: GuardedHandler<First, Rest>,
  { scopes = [] }: GuardOptions = {},
): (first: First, ...rest: Rest) => Promise<Response> {
  return async (first, ...rest) => {
    let token: CheckedToken
    try {
      token = await check(requestOf(first))
      if (scopes.some((scope) => !token.scopes.includes(scope)))
        throw new TokenRefused('insufficient-scope', 'The access token lacks a scope')
    } catch (error) {
      if (error instanceof TokenRefused) return error.response()
      throw error
    }
    return handle(token, first, ...rest)
  }
}

/** Checked first: on its edge runtime, Next adds a member `request` that throws. */
const requestOf = (first: RequestLike): Request =>
  first instanceof Request || !('request' in first) ? first : first.request
