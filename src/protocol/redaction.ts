// Removes secrets from a server's responses, by their values, and makes any text safe to show.
import { readable } from '../base/json.ts'

const REDACTED = '[redacted]'

/** Shorter secrets are not redacted: they occur in ordinary words. */
const SHORTEST_SECRET = 4
/** Secrets are found by their first characters, so that a long secret cannot make the search slow. */
const RECOGNISED_LENGTH = 64
/** Deeper values are redacted whole, so that nesting cannot overflow the stack. */
const LARGEST_DEPTH = 32

/** Members that contain new secrets of the server. `code` and `token` are not listed, because apps branch on their values. */
const HANDED_OUT = '(?:(?:access|refresh|id)_token|nonce|jti)'
/** Such a secret is one long word: 'expired' or a sentence stays. */
const LONG_WORD = '[^\\s"]{16,}'
const HANDED_OUT_NAME = new RegExp(`^${HANDED_OUT}$`, 'i')
const LONG_WORD_ALONE = new RegExp(`^${LONG_WORD}$`)
const HANDED_OUT_MEMBER = new RegExp(`("${HANDED_OUT}"\\s*:\\s*")${LONG_WORD}`, 'gi')

/** Removes the given secrets and everything that looks like a JWT, in linear time. */
export function redact(body: unknown, secrets: readonly string[] = []): unknown {
  const known = secrets.filter((secret) => secret.length >= SHORTEST_SECRET)
  // Also URL-encoded: the body may quote a URL.
  const encoded = known.flatMap((secret) => readable(() => encodeURIComponent(secret)) ?? [])
  return clean(body, [...new Set([...known, ...encoded])], 0)
}

function clean(value: unknown, secrets: readonly string[], depth: number): unknown {
  if (typeof value === 'string') return redactText(value, secrets)
  if (typeof value === 'number') return secrets.includes(String(value)) ? REDACTED : value
  if (typeof value !== 'object' || value === null) return value
  if (depth > LARGEST_DEPTH) return REDACTED
  if (Array.isArray(value)) return value.map((item: unknown) => clean(item, secrets, depth + 1))
  const record: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  for (const [name, member] of Object.entries(value)) {
    const isHandedOut =
      HANDED_OUT_NAME.test(name) && typeof member === 'string' && LONG_WORD_ALONE.test(member)
    record[redactText(name, secrets)] = isHandedOut ? REDACTED : clean(member, secrets, depth + 1)
  }
  return record
}

function redactText(text: string, secrets: readonly string[]): string {
  const withoutTokens = text.replace(HANDED_OUT_MEMBER, `$1${REDACTED}`).replace(/[\w.-]+/g, withoutJwt)
  return secrets.reduce(withoutSecret, withoutTokens)
}

/** Redacts a JWT in a run of JWT characters. Each run is read once, so the whole is linear. */
function withoutJwt(run: string): string {
  const start = run.indexOf('eyJ')
  const isJwt = start >= 0 && run.includes('.', start + 4)
  return isJwt ? run.slice(0, start) + REDACTED : run
}

function withoutSecret(text: string, secret: string): string {
  const beginning = secret.slice(0, RECOGNISED_LENGTH)
  let kept = ''
  let from = 0
  for (let at = text.indexOf(beginning); at >= 0; at = text.indexOf(beginning, from)) {
    kept += text.slice(from, at) + REDACTED
    from = at + beginning.length
    while (from < text.length && text[from] === secret[from - at]) from += 1
  }
  return kept + text.slice(from)
}

const LARGEST_TEXT_LENGTH = 300

// Control characters, lone surrogates, overrides of the text direction, invisible tag characters.
const UNSEEN = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

/** Returns the text as it is shown; '' when nothing of it is visible. */
export function cleanText(text: string): string {
  // Cut first: a server may send megabytes.
  const start = text.slice(0, 4 * LARGEST_TEXT_LENGTH)
  const line = redact(start.replace(/\s+/g, ' ').replace(UNSEEN, '').trim()) as string
  if (line.length <= LARGEST_TEXT_LENGTH) return line
  return `${line.slice(0, LARGEST_TEXT_LENGTH - 1).replace(UNSEEN, '')}…`
}
