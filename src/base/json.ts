// Reads texts, and JSON whose shape is unknown: from storages, channels and servers.

/** Whether it is an object: not an array, not null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The object; an empty one when it is something else. */
export const recordOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})

/** The array; an empty one when it is something else. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** The strings of an array, in their order. */
export const textsOf = (value: unknown): string[] =>
  listOf(value).filter((item): item is string => typeof item === 'string')

/** The parsed text; `undefined` when there is none, or it is not JSON. */
export function parseJson(text: string | undefined): unknown {
  try {
    return text ? (JSON.parse(text) as unknown) : undefined
  } catch {
    return undefined
  }
}

/** The number, also where it came as text; `undefined` when it is none. */
export function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** The value; `undefined` for `null`, `''` and `false`, which servers write where a value is absent. */
export const given = (value: unknown): unknown =>
  value === null || value === '' || value === false ? undefined : value

/** Its own member of this name; `undefined` when it has none, or is no object. */
export const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined

/** What reading it returns; `undefined` when a member throws: an app's own transport may deliver getters. */
export function readable<Result>(read: () => Result): Result | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** The text of a body, no further than a number of bytes: a response that never ends does not fill the memory. */
export async function readBody(
  { body }: Pick<Response, 'body'>,
  largestBytes: number,
): Promise<{ text: string; isCut: boolean }> {
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let byteCount = 0
  for (;;) {
    const { value } = (await reader?.read()) ?? {}
    if (!value) return { text: text + decoder.decode(), isCut: false }
    text += decoder.decode(value, { stream: true })
    byteCount += value.length
    if (byteCount <= largestBytes) continue
    // Not waited for: a server that does not end need not end this either.
    reader!.cancel().catch(() => {})
    return { text, isCut: true }
  }
}
