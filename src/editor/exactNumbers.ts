// Numbers that JavaScript cannot hold, for a validator that only knows those it can: each gives way to one that no schema tells from it.
import { isUnsafeNumber, plainDecimal, readValid } from './doubts.ts'

/** Only numbers of sixteen digits or with a large power of ten can be such. */
const MAY_BE_UNSAFE = /[\d.]{16}|\d[eE][+-]?0*[1-9]\d\d/

interface Decimal {
  readonly digits: bigint
  readonly power: number
}

/** Powers of ten beyond this are not worked out: nothing comparable is near. */
const MOST_POWER = 5_000

function readDecimal(number: string): Decimal {
  const [mantissa = '', power = '0'] = number.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const most = Math.max(-MOST_POWER, Math.min(MOST_POWER, Number(power)))
  return { digits: BigInt(whole + fraction), power: most - fraction.length }
}

/** Both as whole numbers of the same unit. */
function toSameUnit(a: Decimal, b: Decimal): readonly [bigint, bigint] {
  const unit = Math.min(a.power, b.power)
  return [a.digits * 10n ** BigInt(a.power - unit), b.digits * 10n ** BigInt(b.power - unit)]
}

const compare = (a: Decimal, b: Decimal) => {
  const [x, y] = toSameUnit(a, b)
  return x < y ? -1 : x > y ? 1 : 0
}

const isMultiple = (a: Decimal, b: Decimal) => {
  const [x, y] = toSameUnit(a, b)
  return y !== 0n && x % y === 0n
}

/** The numbers that JavaScript has next to one, up to `count` on both sides. */
function* neighbours(number: number, count: number): Generator<number> {
  const bits = new BigInt64Array(new Float64Array([number]).buffer)
  const held = new Float64Array(bits.buffer)
  const middle = bits[0]!
  yield number
  for (let step = 1n; step <= count; step++) {
    for (const near of [middle + step, middle - step]) {
      bits[0] = near
      if (Number.isFinite(held[0]!)) yield held[0]!
    }
  }
}

/** The numbers of a schema, by the keyword they stand at. */
function collectNumbers(
  schema: unknown,
  take: (number: number, keyword: string) => void,
  keyword = '',
): void {
  if (typeof schema === 'number') take(schema, keyword)
  else if (typeof schema === 'object' && schema !== null)
    for (const [key, child] of Object.entries(schema)) collectNumbers(child, take, key)
}

/** The valid text with another number in place of each that would be read as a different one. */
export function withStandIns(text: string, schema: unknown): string {
  if (!MAY_BE_UNSAFE.test(text)) return text
  const known = [readDecimal('0')]
  const divisors = [readDecimal('1')]
  collectNumbers(schema, (number, keyword) => {
    known.push(readDecimal(String(number)))
    if (keyword === 'multipleOf') divisors.push(known.at(-1)!)
  })
  const standIn = (written: string): string => {
    const exact = readDecimal(written)
    const held = Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, Number(written)))
    const isLike = (candidate: number) => {
      const other = readDecimal(String(candidate))
      return (
        known.every((number) => compare(exact, number) === compare(other, number)) &&
        divisors.every((number) => isMultiple(exact, number) === isMultiple(other, number))
      )
    }
    // Numbers of the schema that lie close together leave room between them, if nowhere else.
    const between = known.flatMap(({ digits, power }) => {
      const number = Number(`${digits}e${power}`)
      return [number + 0.5, number - 0.5]
    })
    for (const candidate of [...neighbours(held || Number.MIN_VALUE, 64), ...between])
      if (!taken.has(candidate) && isLike(candidate)) {
        taken.add(candidate)
        return String(candidate)
      }
    return written
  }
  /** Different numbers get different ones, equal ones the same. */
  const taken = new Set<number>()
  const given = new Map<string, string>()
  const unsafe: (readonly [start: number, end: number, written: string])[] = []
  readValid(text, (code, start, end) => {
    if (end - start < 3 || !(code === 45 || (code >= 48 && code <= 57))) return true
    const written = text.slice(start, end)
    if (isUnsafeNumber(written)) unsafe.push([start, end, written])
    else if (end - start > 15) taken.add(Number(written))
    return true
  })
  const parts: string[] = []
  let at = 0
  for (const [start, end, written] of unsafe) {
    const meaning = (written.startsWith('-') ? '-' : '') + plainDecimal(written)
    const other = given.get(meaning) ?? standIn(written)
    given.set(meaning, other)
    parts.push(text.slice(at, start), other)
    at = end
  }
  return parts.join('') + text.slice(at)
}
