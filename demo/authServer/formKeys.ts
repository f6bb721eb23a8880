// Proof that a form was shown by this server to this very session, so that no other page can submit it.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

export interface FormKeys {
  keyFor(sessionUid: string): string
  isKeyFor(sessionUid: string, key: string | null): boolean
}

export function createFormKeys(): FormKeys {
  const secret = randomBytes(32)
  const keyFor = (sessionUid: string): string =>
    createHmac('sha256', secret).update(sessionUid).digest('base64url')

  return {
    keyFor,
    isKeyFor(sessionUid, key) {
      const expected = keyFor(sessionUid)
      return key?.length === expected.length && timingSafeEqual(Buffer.from(key), Buffer.from(expected))
    },
  }
}
