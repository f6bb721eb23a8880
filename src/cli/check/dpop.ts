// Creates DPoP proofs as `dpop` of openIdConnect sends them (RFC 9449).
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'

type WithHeaders = Pick<Response, 'headers'>

export type Prover = ReturnType<typeof createProver>

export function createProver() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { kty, crv, x, y } = publicKey.export({ format: 'jwk' })
  let current: string | null = null
  let nonceAnswer: WithHeaders | undefined
  return {
    /** A fresh proof for a request of the token endpoint, with the nonce that the server gave last. */
    prove(address: string) {
      const claims = {
        jti: randomUUID(),
        htm: 'POST',
        htu: address.replace(/[?#].*/, ''),
        iat: Math.floor(Date.now() / 1000),
        ...(current !== null && { nonce: current }),
      }
      const text = [{ typ: 'dpop+jwt', alg: 'ES256', jwk: { kty, crv, x, y } }, claims]
        .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
        .join('.')
      const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' })
      return `${text}.${signature.toString('base64url')}`
    },
    /** Stores the nonce of a response; `true` if it differs from that of the last proof. */
    keepNonce(answer: WithHeaders) {
      const nonce = answer.headers.get('dpop-nonce')
      if (nonce === null || nonce === current) return false
      current = nonce
      nonceAnswer ??= answer
      return true
    },
    /** The response with the first nonce. */
    get nonceAnswer() {
      return nonceAnswer
    },
  }
}
