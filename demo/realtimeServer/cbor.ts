// Writes and reads the small part of CBOR (RFC 8949) that access tokens are made of.

export type CborValue = number | string | Uint8Array | { [key: string]: CborValue }

const UNSIGNED = 0
const BYTES = 2
const TEXT = 3
const MAP = 5

function head(major: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(major << 5) | size])
  if (size < 0x100) return Buffer.from([(major << 5) | 24, size])
  if (size < 0x1_0000) {
    const bytes = Buffer.alloc(3)
    bytes[0] = (major << 5) | 25
    bytes.writeUInt16BE(size, 1)
    return bytes
  }
  const bytes = Buffer.alloc(5)
  bytes[0] = (major << 5) | 26
  bytes.writeUInt32BE(size, 1)
  return bytes
}

export function encodeCbor(value: CborValue): Buffer {
  if (typeof value === 'number') return head(UNSIGNED, value)
  if (typeof value === 'string') {
    const text = Buffer.from(value)
    return Buffer.concat([head(TEXT, text.length), text])
  }
  if (value instanceof Uint8Array) return Buffer.concat([head(BYTES, value.length), value])
  const entries = Object.entries(value)
  const parts = entries.flatMap(([key, entry]) => [encodeCbor(key), encodeCbor(entry)])
  return Buffer.concat([head(MAP, entries.length), ...parts])
}

/** Reads one value; throws on anything the writer above would not write. */
export function decodeCbor(bytes: Buffer): CborValue {
  let offset = 0

  const size = (info: number): number => {
    if (info < 24) return info
    const width = info === 24 ? 1 : info === 25 ? 2 : info === 26 ? 4 : 0
    if (width === 0) throw new Error('Unsupported CBOR length')
    const value = bytes.readUIntBE(offset, width)
    offset += width
    return value
  }

  const read = (depth: number): CborValue => {
    if (depth > 8) throw new Error('CBOR nested too deep')
    const initial = bytes.readUInt8(offset)
    offset += 1
    const length = size(initial & 31)
    const major = initial >> 5
    if (major === UNSIGNED) return length
    if (major === BYTES || major === TEXT) {
      if (offset + length > bytes.length) throw new Error('CBOR cut short')
      const part = bytes.subarray(offset, offset + length)
      offset += length
      return major === TEXT ? part.toString('utf8') : Uint8Array.from(part)
    }
    if (major !== MAP) throw new Error('Unsupported CBOR type')
    const map: { [key: string]: CborValue } = Object.create(null)
    for (let index = 0; index < length; index += 1) {
      const key = read(depth + 1)
      if (typeof key !== 'string') throw new Error('CBOR key is not text')
      map[key] = read(depth + 1)
    }
    return map
  }

  const value = read(0)
  if (offset !== bytes.length) throw new Error('CBOR has bytes left over')
  return value
}
