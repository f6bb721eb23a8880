// The few readers of unknown JSON: what storages, channels and servers give is not trusted to be anything.

/** Whether it is an object with members: no list, no null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Its members; none when it is something else. */
export const recordOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})

/** The items of a list; none when it is something else. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** The texts in a list, in their order. */
export const textsOf = (value: unknown): string[] =>
  listOf(value).filter((item): item is string => typeof item === 'string')

/** What the text says; `undefined` when it is no JSON. */
export function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '') as unknown
  } catch {
    return undefined
  }
}
