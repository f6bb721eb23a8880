// Opens what a page has left to the next page of its tab.
import { type Granted, parseCredentials } from '../../../protocol/credentials.ts'
import { fingerprint } from '../../../protocol/identity.ts'
import { keyIn, parseLeft } from '../../../protocol/leftSession.ts'
import { leftSessionKey } from '../../../protocol/storageKeys.ts'
import { ALGORITHM, fromBase64 } from '../../platform/browserTabs.ts'
import type { BetweenPagesContext } from './parts.ts'

/** What is not to be opened, or counts no more, is nothing. @throws Error where the key is another */
export async function openLeft(
  { settings, platform, server, marker, record }: BetweenPagesContext,
  { text, name }: { text: string; name: string },
): Promise<Granted | undefined> {
  const left = parseLeft(text, { asked: settings.asked, nowMs: platform.now() })
  const key = keyIn(name, fingerprint(leftSessionKey(settings)))
  const { subtle } = platform.crypto
  if (!left || key === undefined || !subtle) return undefined
  const opener = await subtle.importKey('raw', fromBase64(key), 'AES-GCM', false, ['decrypt'])
  const opened = await subtle.decrypt(ALGORITHM, opener, fromBase64(left.sealed))
  const found = parseCredentials(new TextDecoder().decode(opened), server.restore)
  const { generation, sentAtMs } = left
  // Of one that has expired in another tab, the marker alone is gone.
  const counts = marker.isThere() && record.countsOffered(found, true)
  return counts ? { ...found, generation, sentAtMs } : undefined
}
