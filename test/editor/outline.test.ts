// The outline knows every value of a text by its path, and finds it again, however large the text is.
import { describe, expect, it } from 'vitest'
import { runJob } from '../../src/editor/jobs.ts'
import { formatPath, locate } from '../../src/editor/location.ts'
import { createOutline, readOutline, readPath } from '../../src/editor/outline.ts'
import { createChance } from '../chance.ts'
import { makeJson } from './jsonTexts.ts'

const outlineOf = (text: string) => createOutline(text, readOutline(text))
const TEXT = '{"users": [{"name": "ada", "a/b": {"x.y": 1}}, {"name": "bob"}], "name": null, "": []}'

it('lists what is seen, with keys, counts and values', () => {
  const outline = outlineOf(TEXT)
  const say = (id: number) => [outline.label(id), outline.count(id), outline.value(id)]
  expect(outline.rows(new Set()).map(say)).toEqual([['$', 3, '']])
  expect(outline.rows(new Set([0])).map(say)).toEqual([
    ['$', 3, ''],
    ['users', 2, ''],
    ['name', 0, 'null'],
    ['', 0, ''],
  ])
  expect(outline.rows(new Set([0, 1, 2])).map((id) => formatPath(outline.path(id)))).toEqual([
    '$',
    '$.users',
    '$.users[0]',
    '$.users[0].name',
    '$.users[0]["a/b"]',
    '$.users[1]',
    '$.name',
    '$[""]',
  ])
})

it.each([
  ['$.users[1].name', '$.users[1].name'],
  ['users[1].name', '$.users[1].name'],
  ['/users/0/a~1b/x.y', '$.users[0]["a/b"]["x.y"]'],
  ['$.users[0]["a/b"]["x.y"]', '$.users[0]["a/b"]["x.y"]'],
  ['nam', '$.users[0].name'],
  ['a/', '$.users[0]["a/b"]'],
  ['users[7]', undefined],
  ['ada', undefined],
  ['', undefined],
])('finds %s', async (written, path) => {
  const outline = outlineOf(TEXT)
  const found = await outline.find(written, 0)
  expect(found === undefined ? undefined : formatPath(outline.path(found))).toBe(path)
})

it('goes on to the next one, and round to the first', async () => {
  const outline = outlineOf(TEXT)
  const found: string[] = []
  let at = 0
  for (let count = 0; count < 4; count++) {
    at = (await outline.find('name', at))!
    found.push(formatPath(outline.path(at)))
  }
  // The whole path "name" is the first that is meant.
  expect(found).toEqual(['$.name', '$.users[0].name', '$.name', '$.users[0].name'])
})

it('knows each value of any text by the path that the caret says there', () => {
  const random = createChance(36)
  let count = 0
  for (let run = 0; run < 400; run++) {
    const text = makeJson(random)
    const outline = outlineOf(text)
    for (let id = 0; id < outline.size; id++) {
      const [start] = outline.place(id)
      // The caret at an opening bracket is at the object itself.
      expect(locate(text, start).path).toBe(formatPath(outline.path(id)))
      count++
    }
  }
  expect(count).toBeGreaterThan(1_000)
})

describe('what is open, when the text changes,', () => {
  const pathsOf = (ids: ReadonlySet<number>, outline: ReturnType<typeof outlineOf>) =>
    [...ids].map((id) => formatPath(outline.path(id))).toSorted()

  it('stays open at the same paths, within what is closed too, and goes with its value', () => {
    const before = outlineOf(TEXT)
    const open = new Set([0, 2, 4, 6])
    expect(pathsOf(open, before)).toEqual(['$', '$.users[0]', '$.users[0]["a/b"]', '$.users[1]'])
    const after = outlineOf('{"new": [], "users": [{"a/b": {}, "name": "ada"}], "name": null}')
    expect(pathsOf(after.sameAs(open, before), after)).toEqual(['$', '$.users[0]', '$.users[0]["a/b"]'])
  })

  it('is at the last of equal keys', () => {
    const before = outlineOf('{"a": [1]}')
    const after = outlineOf('{"a": 1, "a": [2], "a": [3]}')
    expect([...after.sameAs(new Set([0, 1]), before)].map((id) => after.order(id))).toEqual([0, 2])
  })

  it('is nothing in no text, and nothing of no text', () => {
    const none = createOutline('', new Int32Array())
    expect([...none.sameAs(new Set([0]), outlineOf(TEXT))]).toEqual([])
    expect([...outlineOf(TEXT).sameAs(new Set([0]), none)]).toEqual([])
  })

  it('is found in one walk, however much is open', () => {
    const before = outlineOf(`[${'[],'.repeat(20_000)}[]]`)
    const open = new Set(Array.from({ length: before.size }, (_, id) => id))
    let reads = 0
    const after = outlineOf(`[${'[],'.repeat(30_000)}[]]`)
    const counted = {
      size: before.size,
      parent: before.parent,
      label: (id: number) => (reads++, before.label(id)),
    }
    expect(after.sameAs(open, counted).size).toBe(before.size)
    expect(reads).toBeLessThanOrEqual(before.size)
  })
})

it('reads paths of every kind', () => {
  expect(readPath('$.a[0]["b.c"].d')).toEqual(['a', '0', 'b.c', 'd'])
  expect(readPath('/a/0/b.c')).toEqual(['a', '0', 'b.c'])
})

it('has no outline of a text that is no JSON, and one of JSONC with its comments', () => {
  expect(runJob({ kind: 'outline', text: '{"a": 1' }, { readOutline })).toEqual({ refused: 'invalid' })
  const text = '{"a": 1, // one\n}'
  const result = runJob({ kind: 'outline', text, jsonc: true }, { readOutline })
  expect('nodes' in result && createOutline(text, result.nodes).size).toBe(2)
})
