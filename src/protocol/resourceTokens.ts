// Access tokens for single resources (RFC 8707). They are members of `Memory`, and so are offered to other tabs and never shown.
import type { Memory } from './credentials.ts'

/** Above this number, those that expire first are dropped: every offer to another tab contains all of them. */
const LARGEST_COUNT = 64
/** Name of the member with the token for a resource: `token {untilMs} {resource}`. */
export const RESOURCE_TOKEN_NAME: RegExp = /^token (\d+) (.*)$/s

/** Returns `memory` with the resource tokens of `before` that have not expired, and with a new one. */
export function withResourceTokens(
  memory: Memory,
  before: Memory,
  nowMs: number,
  added?: { resource: string; token: string; untilMs: number },
): Memory {
  const rest = Object.entries(memory).filter(([name]) => !RESOURCE_TOKEN_NAME.test(name))
  const tokens = Object.entries(before).filter(([name, token]) => {
    const [, until, of] = RESOURCE_TOKEN_NAME.exec(name) ?? []
    return Number(until) > nowMs && of !== added?.resource && typeof token === 'string'
  })
  const untilMs = ([name]: readonly [string, string]) => Number(RESOURCE_TOKEN_NAME.exec(name)![1])
  // The new one is never dropped, however soon it expires.
  const dropped = tokens
    .toSorted((a, b) => untilMs(a) - untilMs(b))
    .slice(0, Math.max(tokens.length - LARGEST_COUNT + 1, 0))
  if (added) tokens.push([`token ${Math.round(added.untilMs)} ${added.resource}`, added.token])
  return Object.fromEntries([...rest, ...tokens.filter((one) => !dropped.includes(one))])
}
