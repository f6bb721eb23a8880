// The exchange of a code at the firm's own server.
import type { Attempt } from '../protocol/signIn.ts'
import { codeGrant } from '../protocol/tokens.ts'
import type { Early } from '../session/platform/platform.ts'
import { sendCode } from './sendCode.ts'

export const sendFirmCode = (
  left: Early,
  authHost: string,
  code: string,
  attempt: Pick<Attempt, 'verifier' | 'clientId' | 'redirectUri'>,
): void =>
  sendCode(left, `${authHost}/oauth/token`, JSON.stringify(codeGrant(code, attempt)), 'application/json')
