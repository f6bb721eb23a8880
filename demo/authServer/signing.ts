// The key of a demo server and the access tokens made with it: JWTs (RS256).
import { createPublicKey, generateKeyPair, randomBytes, sign, verify, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { decodeIdentity } from './identity.ts'
import type { Issued, Strength } from './issued.ts'
import { isRecord } from './http.ts'

export interface SigningKey {
  privateKey: KeyObject
  publicKey: KeyObject
  keyId: string
}

const generate = promisify(generateKeyPair)

const shared: { key?: Promise<SigningKey> } = {}

/** One key a process: making one takes a good part of a second, and nothing here has to survive a restart. */
export function signingKey(): Promise<SigningKey> {
  shared.key ??= generate('rsa', { modulusLength: 2048 }).then(({ privateKey }) => ({
    privateKey,
    publicKey: createPublicKey(privateKey),
    keyId: randomBytes(8).toString('hex'),
  }))
  return shared.key
}

export interface MintOptions {
  accountId: string
  clientId: string
  lifetimeSeconds: number
  sessionId: string
  /** Replaces or adds claims, to make a token that is wrong on purpose. */
  claims?: Record<string, unknown>
}

export interface TokenMaker {
  /** The claims of an access token, in the one place that decides them. */
  claims(
    options: Omit<MintOptions, 'claims'> & {
      jti: string
      issuedAtSeconds: number
      strength?: Strength | undefined
    },
  ): Record<string, unknown>
  mint(options: MintOptions): string
  /** The claims of a token that this server signed, or undefined. */
  verified(token: string): Record<string, unknown> | undefined
}

export function createTokenMaker(options: {
  issuer: string
  key: SigningKey
  issued: Issued
  /** Their firm, and what they may do there. */
  person(userId: string): { firmId: string; role: string } | undefined
}): TokenMaker {
  const { issuer, key, issued } = options

  const claims: TokenMaker['claims'] = ({
    accountId,
    clientId,
    lifetimeSeconds,
    sessionId,
    jti,
    issuedAtSeconds,
    strength,
  }) => {
    const { userId, impersonatorId } = decodeIdentity(accountId)
    const person = options.person(userId)
    return {
      userId,
      firmId: person?.firmId,
      ...(person && { role: person.role }),
      sessionId,
      ...(impersonatorId === undefined ? {} : { impersonatorId }),
      ...(strength && { acr: strength.acr, auth_time: strength.authTimeSeconds }),
      jti,
      iss: issuer,
      aud: clientId,
      iat: issuedAtSeconds,
      exp: issuedAtSeconds + lifetimeSeconds,
    }
  }

  return {
    claims,
    mint(mintOptions) {
      const jti = randomBytes(16).toString('base64url')
      const issuedAtSeconds = Math.floor(Date.now() / 1000)
      const payload = { ...claims({ ...mintOptions, jti, issuedAtSeconds }), ...mintOptions.claims }
      issued.addToken({
        jti,
        accountId: mintOptions.accountId,
        clientId: mintOptions.clientId,
        grantId: undefined,
        sessionUid: mintOptions.sessionId,
        expiresAtMs: (issuedAtSeconds + mintOptions.lifetimeSeconds) * 1000,
      })
      const content = `${encode({ alg: 'RS256', typ: 'at+jwt', kid: key.keyId })}.${encode(payload)}`
      return `${content}.${sign('RSA-SHA256', Buffer.from(content), key.privateKey).toString('base64url')}`
    },
    verified(token) {
      const [header, payload, signature, ...rest] = token.split('.')
      if (header === undefined || payload === undefined || signature === undefined || rest.length > 0)
        return undefined
      const content = Buffer.from(`${header}.${payload}`)
      if (!verify('RSA-SHA256', content, key.publicKey, Buffer.from(signature, 'base64url'))) return undefined
      const decoded: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
      return isRecord(decoded) && decoded['iss'] === issuer ? decoded : undefined
    },
  }
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
