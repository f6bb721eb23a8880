// Cleans what a server answered of its secrets (spec §8); loads with the first answer that is an error.

const REDACTED = '[redacted]'

const NAMES =
  '(?:(?:access|refresh|id|auth)?_?token|jwt|authorization|bearer|code|(?:code_?)?verifier|nonce|jti|assertion|request_?code|(?:client_?)?secret|password|cookie)'
const SECRET_NAME = new RegExp(`^${NAMES}$`, 'i')
const SECRET_MEMBER = new RegExp(`("${NAMES}"\\s*:\\s*)"[^"]*"?`, 'gi')
const JWT = /eyJ[\w-]+\.[\w-]*\.?[\w-]*/g

/** A server's body without its secrets: members by their name, and anything that looks like a JWT. */
export function redact(body: unknown, depth = 0): unknown {
  if (typeof body === 'string') return body.replace(SECRET_MEMBER, `$1"${REDACTED}"`).replace(JWT, REDACTED)
  if (typeof body !== 'object' || body === null) return body
  // Deeper than any answer of ours: not worth a stack overflow.
  if (depth > 32) return REDACTED
  if (Array.isArray(body)) return body.map((item: unknown) => redact(item, depth + 1))
  const clean: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  for (const [name, value] of Object.entries(body)) {
    clean[name] = SECRET_NAME.test(name) && value !== null ? REDACTED : redact(value, depth + 1)
  }
  return clean
}

// Shorter ones stand in half the words of a sentence.
const SHORTEST_SECRET = 4

/** A server's body without one secret that is known, wherever it is repeated. */
export function withoutSecret(body: unknown, secret: string, depth = 0): unknown {
  if (secret.length < SHORTEST_SECRET) return body
  if (typeof body === 'string') return body.replaceAll(secret, REDACTED)
  if (typeof body !== 'object' || body === null) return body
  if (depth > 32) return REDACTED
  if (Array.isArray(body)) return body.map((item: unknown) => withoutSecret(item, secret, depth + 1))
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name.replaceAll(secret, REDACTED),
      withoutSecret(value, secret, depth + 1),
    ]),
  )
}
