// Where a user may be put back: a place of this origin and of no other (contract §4).
import { parseUrl } from './origin.ts'

/** The path, query and hash of an address of the same origin; `undefined` for every other address. */
export function sameOriginPath(value: unknown, base: string): string | undefined {
  // Control characters and backslashes are read differently by browsers, servers and people.
  if (typeof value !== 'string' || /[\u0000-\u0020\u007f\\]/.test(value)) return undefined
  const { origin } = new URL(base)
  const href = parseUrl(value, base)?.href
  // By its text: a blob: address names our origin too, in another place.
  return href?.startsWith(`${origin}/`) ? href.slice(origin.length) : undefined
}
