// The server's own session of a browser: who is in it, starting one without the sign-in page, forgetting its cookie.
import type { Session } from 'oidc-provider'
import { decodeIdentity, type Identity } from './accounts.ts'
import type { Call, ServerContext } from './context.ts'
import { SHORT_SESSION_SECONDS } from './provider.ts'

export interface SignedIn {
  session: Session
  accountId: string
  identity: Identity
}

export async function readSession({ server, request, response }: Call): Promise<SignedIn | undefined> {
  const { provider } = server
  const session = await provider.Session.get(provider.createContext(request, response))
  const { accountId } = session
  return accountId === undefined ? undefined : { session, accountId, identity: decodeIdentity(accountId) }
}

/** Signs a browser in without the sign-in page (passthrough); an own session of the same account is kept. */
export async function startSession(call: Call, accountId: string): Promise<void> {
  const { server, response } = call
  const current = await readSession(call)
  if (current?.accountId === accountId) return
  await current?.session.destroy()
  response.appendHeader('set-cookie', sessionCookie(server, await createSession(server, accountId)))
}

/** A session that nobody has signed in to on the page; its id is the value of the cookie. */
export async function createSession({ provider }: ServerContext, accountId: string): Promise<string> {
  const session = new provider.Session()
  session.loginAccount({ accountId, transient: true })
  await session.save(SHORT_SESSION_SECONDS)
  return session.jti
}

export function forgetSessionCookie({ server, response }: Call): void {
  response.appendHeader('set-cookie', `${sessionCookie(server, '')}; expires=Thu, 01 Jan 1970 00:00:00 GMT`)
}

const sessionCookie = ({ provider }: ServerContext, value: string): string =>
  `${provider.cookieName('session')}=${value}; path=/; samesite=lax; httponly`
