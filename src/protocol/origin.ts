// Parses and validates origins and URLs.
import { readable } from '../base/json.ts'

/** Whether a host name means this machine. */
export const isLoopback = (hostname: string): boolean =>
  /^(\[::1\]|(.*\.)?localhost|127\.\d+\.\d+\.\d+)$/.test(hostname)

/** `new URL` that returns `undefined` instead of throwing. */
export const parseUrl = (value: unknown, base?: string): URL | undefined =>
  readable(() => (typeof value === 'string' ? new URL(value, base) : undefined))

/** Returns a value that is exactly an origin: https, or http on loopback. `undefined` for anything else. */
export function parseOrigin(value: unknown): string | undefined {
  const url = parseUrl(value)
  if (!url) return undefined
  // Compare the text too: `new URL` accepts user info, white space and backslashes.
  const isBare = url.href === `${url.origin}/` && /^[^\0-\x20\s\\?#@]+$/.test(value as string)
  return isBare && hasSafeOrigin(url) ? url.origin : undefined
}

/** https, or http on loopback, by a host name as it is usually written. */
const hasSafeOrigin = (url: URL): boolean =>
  (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))) &&
  !url.hostname.endsWith('.')

/** Returns a stored path if latchkey can have stored it. */
export function storedPath(value: unknown, origin: string): string | undefined {
  const isWhole =
    typeof value === 'string' && value.startsWith('/') && parseUrl(origin + value)?.href === origin + value
  return isWhole ? value : undefined
}

/** https, or http on loopback, and unambiguous for every browser. A URL of `safeOrigin`, which was checked before, is not parsed. */
export function isSafeUrl(value: unknown, safeOrigin?: string): value is string {
  if (typeof value !== 'string' || !/^https?:\/\/[^\0-\x20\\#]+$/.test(value)) return false
  if (safeOrigin && value.startsWith(`${safeOrigin}/`)) return true
  const url = parseUrl(value)
  return url !== undefined && hasSafeOrigin(url) && !url.username && !url.password
}

/** Returns path, query and hash of a URL of the same origin; `undefined` for every other value. */
export function sameOriginPath(value: unknown, base: string): string | undefined {
  // Browsers and servers read control characters and backslashes differently.
  if (typeof value !== 'string' || /[\u0000-\u0020\u007f\\]/.test(value)) return undefined
  const { origin } = new URL(base)
  const href = parseUrl(value, base)?.href
  // Compare the text: `origin` of a blob: URL is this origin too.
  return href?.startsWith(`${origin}/`) ? href.slice(origin.length) : undefined
}
