// The session that a page leaves to the next page of its tab: sealed in session storage, with its key in `window.name`.
import { numberOf, parseJson, recordOf } from '../base/json.ts'
import { NAME_OF_KEYS } from './storageKeys.ts'

const LEFT_LIFETIME_MS = 20_000

/** `undefined` if it is too old, for other tokens, or of another shape: another build of the app may have left it. */
export function parseLeft(text: string | undefined, { asked, nowMs }: { asked: string; nowMs: number }) {
  const { sealed, ...left } = recordOf(parseJson(text))
  const generation = numberOf(left['generation'])
  const ageMs = nowMs - Number(left['leftAtMs'])
  if (typeof sealed !== 'string' || generation === undefined || left['asked'] !== asked) return undefined
  const isRecent = ageMs >= 0 && ageMs < LEFT_LIFETIME_MS
  return isRecent ? { sealed, generation, sentAtMs: numberOf(left['sentAtMs']) } : undefined
}

/** The key of a client in `window.name`. */
export const keyIn = (name: string, client: string): string | undefined =>
  partsOf(name)
    .find((part) => part.startsWith(`${client}:`))
    ?.slice(client.length + 1)

/** Replaces or removes the key of one client. `undefined`: the name is the app's own. */
export function withKeyOf(name: string, client: string, key?: string): string | undefined {
  if (name !== '' && name.split(' ')[0] !== NAME_OF_KEYS) return undefined
  const others = partsOf(name).filter((part) => !part.startsWith(`${client}:`))
  const parts = key === undefined ? others : [...others, `${client}:${key}`]
  return parts.length === 0 ? '' : [NAME_OF_KEYS, ...parts].join(' ')
}

const partsOf = (name: string): readonly string[] =>
  name.startsWith(`${NAME_OF_KEYS} `) ? name.split(' ').slice(1) : []
