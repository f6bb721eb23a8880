// Access tokens for single resources (RFC 8707), kept among what a profile remembers of a sign-in: so they are sealed to other tabs, and secret.
import type { Memory } from './credentials.ts'

/** Beyond so many, the ones that end first are asked for anew: each goes to every other tab with the session. */
const LARGEST_COUNT = 64
/** A member `token {untilMs} {resource}` of the memory is the token for a resource, good until then. */
const NAME = /^token (\d+) (.*)$/s

/** The token for a resource, and until when it lives, milliseconds since 1970; `undefined` when there is none. */
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

/** A memory with the tokens for resources of another one, without those that are over, and with a new one. */
export function withResourceTokens(
  memory: Memory,
  before: Memory,
  nowMs: number,
  added?: { resource: string; token: string; untilMs: number },
): Memory {
  const others = Object.entries(memory).filter(([name]) => !NAME.test(name))
  const kept = Object.entries(before).filter(([name, token]) => {
    const [, until, of] = NAME.exec(name) ?? []
    return Number(until) > nowMs && of !== added?.resource && typeof token === 'string'
  })
  const untilMs = ([name]: readonly [string, string]) => Number(NAME.exec(name)![1])
  // The new one is among those that stay, however short it lives.
  const first = kept
    .toSorted((a, b) => untilMs(a) - untilMs(b))
    .slice(0, Math.max(kept.length - LARGEST_COUNT + 1, 0))
  if (added) kept.push([`token ${Math.round(added.untilMs)} ${added.resource}`, added.token])
  return Object.fromEntries([...others, ...kept.filter((one) => !first.includes(one))])
}
