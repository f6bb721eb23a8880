// Exchanges a code as start-up would, and leaves the response for it.
import type { Early } from '../session/platform/platform.ts'
import type { Attempt } from '../protocol/signIn.ts'
import { codeGrant } from '../protocol/tokens.ts'

/** Codes are single-use: the same request of start-up gets this response. */
export function sendCode(left: Early, to: string, body: string, type: string): void {
  const controller = new AbortController()
  // As the session's own call would send it.
  const response = fetch(to, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': type },
    body,
    credentials: 'omit',
    redirect: 'error',
    signal: controller.signal,
  })
  response.catch(() => {})
  left.fetch = (input, init) => {
    if (input !== to || init?.body !== body) return undefined
    delete left.fetch
    delete left.sentAtMs
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- bytes count here, and the signal is made for this call alone
    init.signal!.onabort = () => controller.abort()
    return response
  }
}

export const sendFirmCode = (
  left: Early,
  authHost: string,
  code: string,
  attempt: Pick<Attempt, 'verifier' | 'clientId' | 'redirectUri'>,
): void =>
  sendCode(left, `${authHost}/oauth/token`, JSON.stringify(codeGrant(code, attempt)), 'application/json')
