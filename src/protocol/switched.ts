// What is remembered of a switch to another organization: what the server was asked, so that later silent checks ask the same.
import { isRecord, recordOf, textsOf } from '../json.ts'
import type { FurtherParameters } from './loginParameters.ts'

/** A session that began by a switch; nothing in it is secret. */
export interface Switched {
  /** What the server was asked beside the sign-in itself. */
  readonly parameters: FurtherParameters
  /** The users and firms that were switched from, as `identityOf` writes them: their tabs follow. */
  readonly from: readonly string[]
}

/** Parameters as they were stored; `undefined` when it is none. */
export function parseParameters(value: unknown): FurtherParameters | undefined {
  if (!isRecord(value)) return undefined
  const isRight = ([, item]: [string, unknown]) =>
    typeof item === 'string' || (Array.isArray(item) && textsOf(item).length === item.length)
  return Object.fromEntries(Object.entries(value).filter(isRight)) as FurtherParameters
}

export function parseSwitched(value: unknown): Switched | undefined {
  const { parameters, from } = recordOf(value)
  const asked = parseParameters(parameters)
  return asked && { parameters: asked, from: textsOf(from) }
}
