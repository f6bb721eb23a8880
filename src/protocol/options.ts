// Checks what the app passes, by a table: for each option a check, its description and a default.
import { invalidConfig, unknownConfig } from '../base/errors.ts'

/** How a value is checked, described in an error, and set by default. */
export type Option<Value> = readonly [
  isRight: (value: NonNullable<Value>) => boolean,
  expected: string,
  byDefault?: Value | undefined,
]

/** A missing option does not compile. */
export type Options<Given> = { readonly [Name in keyof Given]-?: Option<Given[Name]> }

export const isText = (value: unknown): value is string => typeof value === 'string'
export const isFunction = (value: unknown): boolean => typeof value === 'function'

export const oneOf = <Value>(values: readonly Value[], byDefault?: Value): Option<Value> => [
  (value) => values.includes(value),
  `one of ${values.map((value) => `'${String(value)}'`).join(', ')}`,
  byDefault,
]

/**
 * Returns the options of the table with their defaults; `null` counts as absent. Lists are copied and frozen.
 *
 * @param further known names that are not in the table
 * @throws AuthError `invalid-config`, also for an unknown name: a misspelt option would silently have no effect
 */
export function checkOptions<Given extends object>(
  table: Options<Given>,
  given: object,
  ...further: string[]
): Given {
  // A copy, so that later changes of the object have no effect.
  const options: Record<string, unknown> = { ...given }
  const checked: Record<string, unknown> = {}
  for (const [name, [isRight, expected, byDefault]] of Object.entries(
    table as Options<Record<string, never>>,
  )) {
    const value = options[name] ?? byDefault
    if (value !== undefined && !isRight(value as never)) throw invalidConfig(name, expected)
    checked[name] = Array.isArray(value) ? Object.freeze([...(value as readonly unknown[])]) : value
  }
  const known = [...further, ...Object.keys(table)]
  for (const [name, value] of Object.entries(options))
    if (value !== undefined && !known.includes(name))
      throw unknownConfig(
        name,
        known.find((other) => isNear(name.toLowerCase(), other.toLowerCase())),
      )
  return checked as Given
}

/** Whether two names differ by at most two letters: missing, added or replaced. */
function isNear(a: string, b: string, slips = 2): boolean {
  if (a === b) return true
  if (slips === 0) return false
  const [restA, restB] = [a.slice(1), b.slice(1)]
  if (a[0] === b[0]) return isNear(restA, restB, slips)
  return isNear(restA, restB, slips - 1) || isNear(restA, b, slips - 1) || isNear(a, restB, slips - 1)
}
