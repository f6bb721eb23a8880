// Grants access tokens of version 3 and says whether one allows a call; a development stand-in for access control.
import { randomBytes } from 'node:crypto'
import { encode } from 'cborg'

export interface Grant {
  ttlInMinutes: number
  /** Only this identity may use the token. */
  authorizedUuid?: string
  channels?: Record<string, { read?: boolean; write?: boolean }>
}

export interface Access {
  operation: 'read' | 'write'
  channels: readonly string[]
  groups: readonly string[]
  uuid: string
  token: string | undefined
}

const BITS = { read: 1, write: 2 }

/** The SDK reads when a token ends; what it allows is looked up here, so its signature is only random bytes. */
export function createAccessTokens() {
  const granted = new Map<string, Grant & { endsAtMs: number }>()

  return {
    grant(grant: Grant): string {
      const { ttlInMinutes, authorizedUuid, channels = {} } = grant
      const chan = Object.fromEntries(
        Object.entries(channels).map(([name, { read, write }]) => [
          name,
          (read ? BITS.read : 0) | (write ? BITS.write : 0),
        ]),
      )
      const content = {
        v: 2,
        t: Math.floor(Date.now() / 1000),
        ttl: ttlInMinutes,
        res: { chan, grp: {}, uuid: {} },
        pat: { chan: {}, grp: {}, uuid: {} },
        meta: {},
        ...(authorizedUuid !== undefined && { uuid: authorizedUuid }),
        sig: randomBytes(32),
      }
      const token = Buffer.from(encode(content)).toString('base64url')
      granted.set(token, { ...grant, endsAtMs: Date.now() + ttlInMinutes * 60_000 })
      return token
    },

    revoke(token: string): void {
      granted.delete(token)
    },

    /** Why a call is refused; undefined when it is allowed. */
    refusal({ operation, channels, groups, uuid, token = '' }: Access): string | undefined {
      const grant = granted.get(token)
      if (!grant) return 'Token is missing, revoked or unknown'
      if (Date.now() >= grant.endsAtMs) return 'Token is expired'
      if (grant.authorizedUuid !== undefined && grant.authorizedUuid !== uuid)
        return 'Token is not for this user'
      const isAllowed = groups.length === 0 && channels.every((name) => grant.channels?.[name]?.[operation])
      return isAllowed ? undefined : 'Forbidden'
    },
  }
}

export type AccessTokens = ReturnType<typeof createAccessTokens>
