// Checks where a user may return to: only URLs of the same origin.
import { parseUrl } from './origin.ts'

/** Returns path, query and hash of a URL of the same origin; `undefined` for every other value. */
export function sameOriginPath(value: unknown, base: string): string | undefined {
  // Browsers and servers read control characters and backslashes differently.
  if (typeof value !== 'string' || /[\u0000-\u0020\u007f\\]/.test(value)) return undefined
  const { origin } = new URL(base)
  const href = parseUrl(value, base)?.href
  // Compare the text: `origin` of a blob: URL is this origin too.
  return href?.startsWith(`${origin}/`) ? href.slice(origin.length) : undefined
}
