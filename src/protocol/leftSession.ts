// What a page leaves to the next page of its tab: a sealed text in session storage, and its key in the name of the tab.
import { numberOf, parseJson, recordOf } from '../base/json.ts'
import { NAME_OF_KEYS } from './storageKeys.ts'

/** What was left is taken within this time, or never. */
const LEFT_LIFETIME_MS = 20_000

/** As it lies in session storage; only `sealed` holds tokens. */
export interface LeftSession {
  readonly sealed: string
  /** How many times the tabs had got tokens. */
  readonly generation: number
  /** When its refresh token went to the server and no response came. */
  readonly sentAtMs: number | undefined
}

/** `undefined` for what is too old, was asked for in another way, or has another shape: another build of the app may have left it. */
export function parseLeft(
  text: string | undefined,
  { asked, nowMs }: { asked: string; nowMs: number },
): LeftSession | undefined {
  const { sealed, ...left } = recordOf(parseJson(text))
  const generation = numberOf(left['generation'])
  const ageMs = nowMs - Number(left['leftAtMs'])
  if (typeof sealed !== 'string' || generation === undefined || left['asked'] !== asked) return undefined
  const isRecent = ageMs >= 0 && ageMs < LEFT_LIFETIME_MS
  return isRecent ? { sealed, generation, sentAtMs: numberOf(left['sentAtMs']) } : undefined
}

/** The key that a client has in a name. */
export const keyIn = (name: string, client: string): string | undefined =>
  partsOf(name)
    .find((part) => part.startsWith(`${client}:`))
    ?.slice(client.length + 1)

/** The name with another key of one client, or without it; those of other clients stay. `undefined`: it is the app's own. */
export function withKeyOf(name: string, client: string, key?: string): string | undefined {
  if (name !== '' && name.split(' ')[0] !== NAME_OF_KEYS) return undefined
  const others = partsOf(name).filter((part) => !part.startsWith(`${client}:`))
  const parts = key === undefined ? others : [...others, `${client}:${key}`]
  return parts.length === 0 ? '' : [NAME_OF_KEYS, ...parts].join(' ')
}

function partsOf(name: string): readonly string[] {
  const [first, ...parts] = name.split(' ')
  return first === NAME_OF_KEYS ? parts : []
}
