// Who a server session belongs to: a member of staff, or an administrator working on behalf of one.

export interface Identity {
  userId: string
  impersonatorId?: string
}

const SEPARATOR = '~'

/** The server keeps one text per session; the impersonator rides in it so that no token can lose them. */
export function encodeIdentity({ userId, impersonatorId }: Identity): string {
  return impersonatorId === undefined ? userId : `${userId}${SEPARATOR}${impersonatorId}`
}

export function decodeIdentity(accountId: string): Identity {
  const [userId = '', impersonatorId] = accountId.split(SEPARATOR)
  return impersonatorId === undefined ? { userId } : { userId, impersonatorId }
}
