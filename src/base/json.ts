// Reads texts, and JSON whose shape is unknown: from storages, channels and servers.

/** Neither an array nor null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An empty object for anything else. */
export const recordOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})

/** An empty array for anything else. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** The strings of an array, in their order. */
export const textsOf = (value: unknown): string[] =>
  listOf(value).filter((item): item is string => typeof item === 'string')

/** `undefined` for a text that is not JSON. */
export function parseJson(text: string | undefined): unknown {
  try {
    return text ? (JSON.parse(text) as unknown) : undefined
  } catch {
    return undefined
  }
}

/** Also parses a number in a text. */
export function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** `undefined` for `null`, `''` and `false`, which servers write for absent values. */
export const given = (value: unknown): unknown =>
  value === null || value === '' || value === false ? undefined : value

/** The own member of an object. */
export const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined

/** `undefined` if reading throws: an app's own transport may deliver getters. */
export function readable<Result>(read: () => Result): Result | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** Reads at most `largestBytes`: an endless response must not fill the memory. */
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
    // Not awaited: it may never settle.
    reader!.cancel().catch(() => {})
    return { text, isCut: true }
  }
}
