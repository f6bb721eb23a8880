// Ends this browser's session when the provider reports, in a frame, that it has ended there.
import { fingerprint } from '../protocol/identity.ts'
import { createStateKey } from '../protocol/pkce.ts'
import { withoutBareSlash } from '../protocol/servers/metadata.ts'
import { sidKey, tabsName } from '../protocol/storageKeys.ts'
import type { Platform } from '../session/platform/platform.ts'
import { createSessionRecord } from '../session/sessionRecord.ts'

/** Ends the session if the URL names it, and returns whether it did. */
export function endNamedSession(
  platform: Pick<Platform, 'address' | 'localStorage' | 'tabs' | 'crypto'>,
  { issuer, clientId }: { issuer: string; clientId: string },
): boolean {
  const { localStorage, crypto } = platform
  const { searchParams } = new URL(platform.address())
  const [iss = '', sid = ''] = ['iss', 'sid'].map((name) => searchParams.get(name) ?? '')
  const client = { authHost: withoutBareSlash(issuer), clientId }
  if (withoutBareSlash(iss) !== client.authHost) return false
  const record = createSessionRecord(localStorage, client, () => createStateKey(crypto))
  const { id } = record.now() ?? {}
  // A former session had another id: its `sid` ends nothing.
  if (id === undefined || localStorage.get(sidKey(client)) !== fingerprint(id + sid)) return false
  localStorage.remove(sidKey(client))
  record.end('signed-out')
  const channel = platform.tabs().openChannel?.(tabsName(client), () => {})
  channel?.post({ type: 'ended', reason: 'signed-out', sessions: [id], next: record.now()?.text })
  channel?.close()
  return true
}
