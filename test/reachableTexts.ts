// Every text that can be reached from a value: where a secret must not be found.

/** Members of any kind, symbols too; those of a page's nodes are not looked at. */
export function reachableTexts(...roots: unknown[]): string[] {
  const texts: string[] = []
  const seen = new Set<unknown>()
  const waiting = [...roots]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (typeof value === 'string') texts.push(value)
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value))
      continue
    seen.add(value)
    if (value instanceof Map || value instanceof Set) waiting.push([...value])
    if (value === globalThis || ('Node' in globalThis && value instanceof Node)) continue
    for (const key of Reflect.ownKeys(value)) waiting.push(key, valueOf(value, key))
  }
  return texts
}

function valueOf(value: object, key: PropertyKey): unknown {
  try {
    return Reflect.get(value, key)
  } catch {
    // A getter may refuse.
    return undefined
  }
}
