// One-time keys: what popups, handed-over sessions and confirmations of an account are known by on their way.
import { randomBytes } from 'node:crypto'

export type PopupKind = 'link' | 'unlink' | 'reauthenticate' | 'adminconsent'

export interface Ticket {
  kind: PopupKind
  sessionUid: string
  clientId: string
  opener: string | undefined
  domain: string | undefined
}

export const NONCE_MS = 2 * 60_000
export const TICKET_MS = 10 * 60_000

export type OneTimeKeys<T> = ReturnType<typeof createOneTimeKeys<T>>

/** Keys that can be taken once, within a time. */
export function createOneTimeKeys<T>(lifetimeMs: number) {
  const issued = new Map<string, { value: T; expiresAtMs: number }>()

  return {
    issue(value: T): string {
      const key = randomBytes(24).toString('base64url')
      issued.set(key, { value, expiresAtMs: Date.now() + lifetimeMs })
      return key
    },
    take(key: string): T | undefined {
      const entry = issued.get(key)
      issued.delete(key)
      return entry !== undefined && entry.expiresAtMs > Date.now() ? entry.value : undefined
    },
    drop(isMeant: (value: T) => boolean): void {
      for (const [key, { value }] of issued) if (isMeant(value)) issued.delete(key)
    },
  }
}
