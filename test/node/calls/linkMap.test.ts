// The link map before and after the wire: every malformed shape is refused, and what was checked is what is sent.
import { describe, expect, it } from 'vitest'
import {
  applyLinkMap,
  checkLinkMap,
  type LinkMap,
  readLinkMap,
  userKey,
} from '../../../src/protocol/linkMap.ts'
import { told } from '../thrownError.ts'

const alice = { internalUser: { id: 'alice' }, externalUser: { id: 'cloud-alice' } }
const inherited = (members: object) => Object.create(members) as object
const circular = { ...alice, self: {} }
circular.self = circular

class Entry {
  internalUser = 'alice'
  externalUser = { id: 1 }
}

const MALFORMED: [string, unknown][] = [
  ['nothing', undefined],
  ['null', null],
  ['a text', '[]'],
  ['a number', 7],
  ['an object', { 0: alice, length: 1 }],
  ['what looks like an array', Object.assign(inherited(Array.prototype), { 0: alice, length: 1 })],
  // eslint-disable-next-line no-sparse-arrays
  ['a hole', [alice, , alice]],
  ['a hole at the end', Object.assign([alice], { length: 2 })],
  ['null as an entry', [alice, null]],
  ['an array as an entry', [['alice', 'cloud-alice']]],
  ['no internalUser', [{ externalUser: { id: 1 } }]],
  ['internalUser null', [{ internalUser: null, externalUser: { id: 1 } }]],
  ['internalUser empty', [{ internalUser: '', externalUser: { id: 1 } }]],
  ['internalUser true', [{ internalUser: true, externalUser: { id: 1 } }]],
  ['internalUser an array', [{ internalUser: ['a'], externalUser: { id: 1 } }]],
  ['no externalUser', [{ internalUser: 'a' }]],
  ['externalUser undefined', [{ internalUser: 'a', externalUser: undefined }]],
  ['externalUser null', [{ internalUser: 'a', externalUser: null }]],
  ['externalUser a text', [{ internalUser: 'a', externalUser: 'cloud' }]],
  ['externalUser an array', [{ internalUser: 'a', externalUser: [{ id: 1 }] }]],
  ['externalUser without id', [{ internalUser: 'a', externalUser: { name: 'x' } }]],
  ['id null', [{ internalUser: 'a', externalUser: { id: null } }]],
  ['id empty', [{ internalUser: 'a', externalUser: { id: '' } }]],
  ['id of blanks', [{ internalUser: 'a', externalUser: { id: '  ' } }]],
  ['id NaN', [{ internalUser: 'a', externalUser: { id: Number.NaN } }]],
  ['id an object', [{ internalUser: 'a', externalUser: { id: {} } }]],
  ['id true', [{ internalUser: 'a', externalUser: { id: true } }]],
  ['the second entry wrong', [alice, { internalUser: 'a' }]],
  [
    'an inherited internalUser',
    [Object.assign(inherited({ internalUser: 'a' }), { externalUser: { id: 1 } })],
  ],
  ['an inherited id', [{ internalUser: 'a', externalUser: inherited({ id: 1 }) }]],
  ['an entry that writes itself otherwise', [{ ...alice, toJSON: () => ({}) }]],
  ['a circle', [circular]],
  ['a number that JSON does not know', [{ internalUser: 'a', externalUser: { id: 1n } }]],
]

describe('saving', () => {
  it.each(MALFORMED)("refuses %s with 'linkmap in wrong format'", (_name, value) => {
    expect(() => checkLinkMap(value)).toThrow(
      expect.objectContaining({ code: 'invalid-link-map', message: 'linkmap in wrong format' }),
    )
  })

  it.each([
    ['no entry at all', []],
    ['ids that are texts or numbers', [{ internalUser: 7, externalUser: { id: 0 } }]],
    ['members that only the server knows', [{ ...alice, note: 'x', externalUser: { id: 'c', email: 'e' } }]],
    ['objects of a class', [new Entry()]],
    ['objects without a prototype', [Object.assign(inherited(null as never), alice)]],
  ])('takes %s, as a plain copy', (_name, value) => {
    const copy = checkLinkMap(value)
    expect(copy).toEqual(JSON.parse(JSON.stringify(value)))
    expect(copy).not.toBe(value)
  })

  it('sends what it checked, whatever a getter says the second time', () => {
    let reads = 0
    const entry = { internalUser: 'a', externalUser: { id: 'c' } }
    Object.defineProperty(entry.externalUser, 'id', { enumerable: true, get: () => (reads += 1) })
    const [copy] = checkLinkMap([entry])
    expect(copy?.externalUser.id).toBe(copy?.externalUser.id)
  })
})

describe('reading', () => {
  it('takes users without a link, written as null or left out', () => {
    expect(readLinkMap([{ internalUser: 'a', externalUser: null }, { internalUser: 'b' }, alice])).toEqual([
      { internalUser: 'a', externalUser: null },
      { internalUser: 'b', externalUser: null },
      alice,
    ])
  })

  it.each([
    [null],
    [{}],
    ['<html>'],
    [[1]],
    [[{ externalUser: { id: 1 } }]],
    [[{ internalUser: 'a', externalUser: {} }]],
  ])('refuses %j as an unexpected answer', (answer) => {
    expect(() => readLinkMap(answer)).toThrow(expect.objectContaining({ code: 'unexpected-answer' }))
  })
})

describe('what a save shows', () => {
  const all: LinkMap = [
    { internalUser: { id: 'alice', name: 'Alice' }, externalUser: { id: 'c1', name: 'Old' } },
    { internalUser: { id: 'bob' }, externalUser: null },
    { internalUser: 'carol', externalUser: { id: 'c3' } },
  ]

  it('links who is in the map and unlinks who is not', () => {
    const shown = applyLinkMap(all, [
      { internalUser: 'bob', externalUser: { id: 'c2' } },
      { internalUser: { id: 'carol' }, externalUser: { id: 'c3' } },
    ])
    expect(shown.map(({ externalUser }) => externalUser?.id)).toEqual([undefined, 'c2', 'c3'])
  })

  it('keeps the very object of who did not change, with all that the server told', () => {
    const shown = applyLinkMap(all, [{ internalUser: 'alice', externalUser: { id: 'c1' } }])
    expect(shown[0]).toBe(all[0])
  })

  it('tells users apart by their id, whether written as an id or as an object', () => {
    expect(userKey({ id: 7 })).toBe(userKey(7))
    expect(userKey({ name: 'x' })).not.toBe(userKey({ name: 'y' }))
  })
})

describe('a link map that changes', () => {
  const alice = { internalUser: 'alice', externalUser: { id: 'c1' } }
  it.each<[string, unknown]>([
    ['one right and one wrong entry', [alice, { internalUser: {}, externalUser: 7 }]],
    ['an entry that is a text', [alice, 'bob']],
    ['an internal user alone that is none', [{ internalUser: true }]],
    ['a number that JSON does not know', [{ internalUser: Number.NaN, externalUser: null }]],
  ])('with %s is refused by the name of its address', (_what, answer) => {
    expect(told(() => readLinkMap(answer))[1]).toBe('GET /cloudprovider/linkmap got an unexpected answer')
  })

  it('shows who is not in the saved map as not linked: null, not undefined', () => {
    const all = [alice] as LinkMap
    expect(applyLinkMap(all, [])).toEqual([{ internalUser: 'alice', externalUser: null }])
    expect(applyLinkMap(all, [])[0]?.externalUser).toBeNull()
  })
})
