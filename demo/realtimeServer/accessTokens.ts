// Grants access tokens of version 3 and says whether one allows a call; a development stand-in for access control.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { decode, encode } from 'cborg'

export interface Permissions {
  read?: boolean
  write?: boolean
}

export interface Grant {
  ttlInMinutes: number
  /** Only this identity may use the token. */
  authorizedUuid?: string
  channels?: Record<string, Permissions>
}

export interface Access {
  operation: 'read' | 'write'
  channels: readonly string[]
  groups?: readonly string[]
  uuid: string
  token: string | undefined
}

export interface Refusal {
  message: string
  channels: string[]
}

const BITS = { read: 1, write: 2 } as const

const bitsOf = (permissions: Permissions): number =>
  (permissions.read ? BITS.read : 0) | (permissions.write ? BITS.write : 0)

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !(value instanceof Uint8Array)
}

export function createAccessTokens(now: () => number = Date.now) {
  const secret = randomBytes(32)
  const revoked = new Set<string>()
  const sign = (unsigned: Uint8Array) => createHmac('sha256', secret).update(unsigned).digest()

  function open(token: string): Record<string, unknown> | undefined {
    try {
      const map: unknown = decode(Buffer.from(token, 'base64url'), {
        strict: true,
        rejectDuplicateMapKeys: true,
      })
      if (!isMap(map) || !(map['sig'] instanceof Uint8Array)) return undefined
      const { sig, ...rest } = map
      const expected = sign(encode(rest))
      if (sig.length !== expected.length || !timingSafeEqual(sig, expected)) return undefined
      return map
    } catch {
      return undefined
    }
  }

  return {
    grant({ ttlInMinutes, authorizedUuid, channels = {} }: Grant): string {
      const chan = Object.fromEntries(
        Object.entries(channels).map(([name, permissions]) => [name, bitsOf(permissions)]),
      )
      const unsigned = {
        v: 2,
        t: Math.floor(now() / 1000),
        ttl: ttlInMinutes,
        res: { chan, grp: {}, uuid: {} },
        pat: { chan: {}, grp: {}, uuid: {} },
        meta: {},
        ...(authorizedUuid === undefined ? {} : { uuid: authorizedUuid }),
      }
      return Buffer.from(encode({ ...unsigned, sig: sign(encode(unsigned)) })).toString('base64url')
    },

    revoke(token: string): void {
      revoked.add(token)
    },

    /** Undefined when the call is allowed. */
    refusal({ operation, channels, groups = [], uuid, token }: Access): Refusal | undefined {
      const refuse = (message: string, names = [...channels, ...groups]) => ({ message, channels: names })
      if (token === undefined) return refuse('Missing token')
      const map = open(token)
      if (!map) return refuse('Token is invalid')
      if (revoked.has(token)) return refuse('Token is revoked')
      const start = map['t']
      const ttl = map['ttl']
      if (typeof start !== 'number' || typeof ttl !== 'number') return refuse('Token is invalid')
      if (now() / 1000 >= start + ttl * 60) return refuse('Token is expired')
      if (map['uuid'] !== undefined && map['uuid'] !== uuid) return refuse('Token is not for this user')
      const resources = isMap(map['res']) ? map['res']['chan'] : undefined
      const allowed = (name: string) => {
        const bits = isMap(resources) ? resources[name] : undefined
        return typeof bits === 'number' && (bits & BITS[operation]) !== 0
      }
      const denied = [...channels.filter((name) => !allowed(name)), ...groups]
      return denied.length === 0 ? undefined : refuse('Forbidden', denied)
    },
  }
}

export type AccessTokens = ReturnType<typeof createAccessTokens>
