// Access tokens for single resources (RFC 8707). They are members of `Memory`, and so are offered to other tabs and never shown.
import type { Memory } from './credentials.ts'

/** Above this number, those that expire first are dropped: every offer to another tab contains all of them. */
const LARGEST_COUNT = 64
/** Name of the member with the token for a resource: `token {untilMs} {resource}`. */
const NAME = /^token (\d+) (.*)$/s

/** The token for a resource, and when it expires, milliseconds since 1970; `undefined` when there is none. */
export function resourceTokenOf(
  memory: Memory,
  resource: string,
): { token: string; untilMs: number } | undefined {
  for (const [name, token] of Object.entries(memory)) {
    const [, until, of] = NAME.exec(name) ?? []
    if (of === resource) return { token, untilMs: Number(until) }
  }
  return undefined
}

/** Returns `memory` with the resource tokens of `before` that have not expired, and with a new one. */
export function withResourceTokens(
  memory: Memory,
  before: Memory,
  nowMs: number,
  added?: { resource: string; token: string; untilMs: number },
): Memory {
  const rest = Object.entries(memory).filter(([name]) => !NAME.test(name))
  const tokens = Object.entries(before).filter(([name, token]) => {
    const [, until, of] = NAME.exec(name) ?? []
    return Number(until) > nowMs && of !== added?.resource && typeof token === 'string'
  })
  const untilMs = ([name]: readonly [string, string]) => Number(NAME.exec(name)![1])
  // The new one is never dropped, however soon it expires.
  const dropped = tokens
    .toSorted((a, b) => untilMs(a) - untilMs(b))
    .slice(0, Math.max(tokens.length - LARGEST_COUNT + 1, 0))
  if (added) tokens.push([`token ${Math.round(added.untilMs)} ${added.resource}`, added.token])
  return Object.fromEntries([...rest, ...tokens.filter((one) => !dropped.includes(one))])
}
