// Access tokens for single resources (RFC 8707), kept among what a profile remembers of a sign-in: so they are sealed to other tabs, and secret.
import type { Memory } from './servers/profile.ts'

/** A member `token {untilMs} {resource}` of the memory is the token for a resource, good until then. */
const NAME = /^token (\d+) (.*)$/s

/** The token for a resource that lives longer than until then; `undefined` when there is none. */
export function resourceTokenOf(memory: Memory, resource: string, untilMs: number): string | undefined {
  const found = Object.entries(memory).find(([name]) => {
    const [, until, of] = NAME.exec(name) ?? []
    return of === resource && Number(until) > untilMs
  })
  return found?.[1]
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
  if (added) kept.push([`token ${Math.round(added.untilMs)} ${added.resource}`, added.token])
  return Object.fromEntries([...others, ...kept])
}
