// Writes the support bundle: what the panel shows, as text without secrets.
import { redact } from '../protocol/redaction.ts'
import type { Auth } from '../session/auth.ts'
import { internalsOf } from '../session/internals.ts'
import { watchOf } from './watch.ts'

/**
 * Returns what the devtools show, as JSON: no token, code, verifier, jti, nonce or session id, and of URLs only the origin.
 * It contains the ids of the user and the firm.
 *
 * @example
 * await navigator.clipboard.writeText(createSupportBundle(auth))
 */
export function createSupportBundle(auth: Auth): string {
  const { atMs, events, deadlines, ...facts } = watchOf(auth).now()
  const { platform, tokens } = internalsOf(auth)
  const time = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString())
  const bundle = {
    made: time(atMs),
    page: new URL(platform.address()).origin,
    ...facts,
    deadlines: deadlines.map(({ name, atMs: dueAtMs, note }) => ({ name, at: time(dueAtMs), note })),
    events: events.map(({ atMs: happenedAtMs, ...event }) => ({ at: time(happenedAtMs), ...event })),
  }
  return JSON.stringify(redact(bundle, tokens.secrets()), undefined, 2)
}
