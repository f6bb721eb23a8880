// Parses origins and URLs.
import { isLoopback } from './loopback.ts'

/** `new URL` that returns `undefined` instead of throwing. */
export function parseUrl(value: unknown, base?: string): URL | undefined {
  try {
    return typeof value === 'string' ? new URL(value, base) : undefined
  } catch {
    return undefined
  }
}

/** Returns a value that is exactly an origin: https, or http on loopback. `undefined` for anything else. */
export function parseOrigin(value: unknown): string | undefined {
  const url = parseUrl(value)
  if (!url) return undefined
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
  // Compare the text too: `new URL` accepts user info, white space and backslashes.
  const isBare = url.href === `${url.origin}/` && /^[^\0-\x20\s\\?#@]+$/.test(value as string)
  return isSafe && isBare && !url.hostname.endsWith('.') ? url.origin : undefined
}

/** Checks a path that was read from a storage. Returns `undefined` unless it is one that latchkey stored. */
export function storedPath(value: unknown, origin: string): string | undefined {
  const isWhole =
    typeof value === 'string' && value.startsWith('/') && parseUrl(origin + value)?.href === origin + value
  return isWhole ? value : undefined
}

/** https, or http on loopback; nothing in it that a browser would read otherwise. */
export function isSafeUrl(value: unknown): value is string {
  const url = parseUrl(value)
  return (
    url !== undefined &&
    /^https?:\/\/[^\0-\x20\\#]+$/.test(value as string) &&
    parseOrigin(url.origin) !== undefined &&
    !url.username &&
    !url.password
  )
}
