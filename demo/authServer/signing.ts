// The key of a demo server and the access tokens made with it: JWTs (RS256).
import { createPublicKey, generateKeyPair, randomBytes, sign, verify, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { type Accounts, decodeIdentity } from './accounts.ts'
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

interface ClaimsOptions extends Omit<MintOptions, 'claims'> {
  jti: string
  issuedAtSeconds: number
  strength?: Strength | undefined
}

export type TokenMaker = ReturnType<typeof createTokenMaker>

export function createTokenMaker({
  issuer,
  key,
  issued,
  accounts,
}: {
  issuer: string
  key: SigningKey
  issued: Issued
  accounts: Pick<Accounts, 'person'>
}) {
  /** The claims of an access token, in the one place that decides them. */
  function claims({ accountId, clientId, sessionId, jti, strength, ...time }: ClaimsOptions) {
    const identity = decodeIdentity(accountId)
    const person = accounts.person(identity.userId)
    return {
      ...identity,
      firmId: person?.firmId,
      ...(person && { role: person.role }),
      sessionId,
      ...(strength && { acr: strength.acr, auth_time: strength.authTimeSeconds }),
      jti,
      iss: issuer,
      aud: clientId,
      iat: time.issuedAtSeconds,
      exp: time.issuedAtSeconds + time.lifetimeSeconds,
    }
  }

  return {
    claims,
    mint({ claims: changed, ...options }: MintOptions): string {
      const { accountId, clientId, sessionId, lifetimeSeconds } = options
      const jti = randomBytes(16).toString('base64url')
      const issuedAtSeconds = Math.floor(Date.now() / 1000)
      const payload = { ...claims({ ...options, jti, issuedAtSeconds }), ...changed }
      const expiresAtMs = (issuedAtSeconds + lifetimeSeconds) * 1000
      issued.addToken({ jti, accountId, clientId, grantId: undefined, sessionUid: sessionId, expiresAtMs })
      const content = `${encode({ alg: 'RS256', typ: 'at+jwt', kid: key.keyId })}.${encode(payload)}`
      return `${content}.${sign('RSA-SHA256', Buffer.from(content), key.privateKey).toString('base64url')}`
    },
    /** The claims of a token that this server signed, or undefined. */
    verified(token: string): Record<string, unknown> | undefined {
      const [header, payload = '', signature = ''] = token.split('.')
      const content = Buffer.from(`${header}.${payload}`)
      if (!verify('RSA-SHA256', content, key.publicKey, Buffer.from(signature, 'base64url'))) return undefined
      const decoded: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
      return isRecord(decoded) && decoded['iss'] === issuer ? decoded : undefined
    },
  }
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
