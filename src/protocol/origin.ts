// Reads origins and checks addresses, so that nothing leaves for a place that was not meant (contract §2, §4).
import { isLoopback } from './loopback.ts'

/** `new URL` that answers `undefined` instead of throwing. */
export function parseUrl(value: unknown, base?: string): URL | undefined {
  try {
    return typeof value === 'string' ? new URL(value, base) : undefined
  } catch {
    return undefined
  }
}

/** The origin that a value names and nothing else: https, or http on loopback. `undefined` for anything more or less. */
export function parseOrigin(value: unknown): string | undefined {
  const url = parseUrl(value)
  if (!url) return undefined
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
  // Its own text, with or without the last slash: no user, path, query, hash or white space went unseen.
  const isBare = url.href === `${url.origin}/` && /^[^\0-\x20\s\\?#@]+$/.test(value as string)
  return isSafe && isBare && !url.hostname.endsWith('.') ? url.origin : undefined
}

/** A path as `sameOriginPath` or the address bar gave it, after it lay in a storage; anything else is `undefined`. */
export function storedPath(value: unknown, origin: string): string | undefined {
  const isWhole =
    typeof value === 'string' && value.startsWith('/') && parseUrl(origin + value)?.href === origin + value
  return isWhole ? value : undefined
}
