// The server's own session of a browser: who is in it, starting one without the sign-in page, forgetting its cookie.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Session } from 'oidc-provider'
import type { ServerContext } from './context.ts'
import { decodeIdentity, type Identity } from './identity.ts'
import { SHORT_SESSION_SECONDS } from './provider.ts'

export interface SignedIn {
  session: Session
  accountId: string
  identity: Identity
}

export async function readSession(
  { provider }: ServerContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<SignedIn | undefined> {
  const session = await provider.Session.get(provider.createContext(request, response))
  const { accountId } = session
  return accountId === undefined ? undefined : { session, accountId, identity: decodeIdentity(accountId) }
}

/** Signs a browser in without the sign-in page (passthrough); an own session of the same account is kept. */
export async function startSession(
  server: ServerContext,
  request: IncomingMessage,
  response: ServerResponse,
  accountId: string,
): Promise<void> {
  const current = await readSession(server, request, response)
  if (current?.accountId === accountId) return
  await current?.session.destroy()
  response.appendHeader('set-cookie', sessionCookie(server, await createSession(server, accountId)))
}

/** A session that nobody has signed in to on the page; its id is the value of the cookie. */
export async function createSession({ provider }: ServerContext, accountId: string): Promise<string> {
  const session = new provider.Session()
  session.loginAccount({ accountId, transient: true })
  await session.save(SHORT_SESSION_SECONDS)
  return session.id
}

export function forgetSessionCookie(server: ServerContext, response: ServerResponse): void {
  response.appendHeader('set-cookie', `${sessionCookie(server, '')}; expires=Thu, 01 Jan 1970 00:00:00 GMT`)
}

const sessionCookie = ({ provider }: ServerContext, value: string): string =>
  `${provider.cookieName('session')}=${value}; path=/; samesite=lax; httponly`
