// Ends the session of this browser when the provider says, in a frame, that it has ended there.
import { fingerprint } from '../protocol/identity.ts'
import { createStateKey } from '../protocol/pkce.ts'
import { type Client, sidKey, tabsName } from '../protocol/storageKeys.ts'
import type { Platform } from './platform/platform.ts'
import { createSessionRecord } from './sessionRecord.ts'

/** Returns whether the address names the session of this browser, which has ended then. */
export function endNamedSession(
  platform: Pick<Platform, 'address' | 'localStorage' | 'tabs' | 'crypto'>,
  client: Client,
): boolean {
  const { localStorage, crypto } = platform
  const { searchParams } = new URL(platform.address())
  if (searchParams.get('iss') !== client.authHost) return false
  if (localStorage.get(sidKey(client)) !== fingerprint(searchParams.get('sid') ?? '')) return false
  const record = createSessionRecord(localStorage, client, () => createStateKey(crypto))
  localStorage.remove(sidKey(client))
  const sessions = [record.now()?.id ?? '']
  record.end('signed-out')
  const channel = platform.tabs().openChannel?.(tabsName(client), () => {})
  channel?.post({ type: 'ended', reason: 'signed-out', sessions, next: record.now()?.text })
  channel?.close()
  return true
}
