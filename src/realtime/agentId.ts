// Names this browser, so that its user's other browsers can tell it apart.
import { agentKey, type Client } from '../protocol/storageKeys.ts'
import type { Platform } from '../session/platform/platform.ts'

const UUID_4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** The agent id: made once, kept in local storage; where nothing can be stored, good for this page. */
export function readAgentId(
  { localStorage, crypto }: Pick<Platform, 'localStorage' | 'crypto'>,
  client: Client,
): string {
  const key = agentKey(client)
  const stored = localStorage.get(key)
  if (stored !== undefined && UUID_4.test(stored)) return stored
  const bytes = crypto.randomBytes?.(16) ?? new Uint8Array(16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  const made = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  localStorage.set(key, made)
  return made
}
