// What a textarea or Monaco would lose is kept beside them: line ends, and the way back.
import { expect, it } from 'vitest'
import { createHistory, findEdit, makeEdit } from '../../src/editor/edits.ts'
import { countBreaks, createLineEnds, toView } from '../../src/editor/lineEnds.ts'
import { countReturns } from '../../src/editor/places.ts'
import { findPlaces } from '../../src/editor/places.ts'
import { createChance } from '../chance.ts'

it.each(['a\nb\n', 'a\r\nb\r\n', 'a\rb', 'a\r\nb\nc\rd\r\n\r\n', '\r\n', ''])(
  'gives %j back as it was',
  (text) => {
    expect(createLineEnds(text).toText(toView(text))).toBe(text)
  },
)

it('keeps each line its own end while lines come and go, and after undo', () => {
  const text = 'one\r\ntwo\nthree\rfour'
  const ends = createLineEnds(text)
  // "two" goes, then comes back by undo.
  ends.change(1, 1, 0, 1)
  expect(ends.toText('one\nthree\nfour')).toBe('one\r\nthree\rfour')
  ends.restore(0)
  expect(ends.toText(toView(text))).toBe(text)
  // A typed line gets the usual end.
  ends.change(1, 0, 1, 2)
  expect(countBreaks(ends.toText('one\nnew\ntwo\nthree\nfour'))).toBe(3)
})

it('comes back to plain line ends when a pasted text is undone', () => {
  const ends = createLineEnds('{}')
  ends.reset('[\r\n]', 1)
  expect(ends.toText('[\n]')).toBe('[\r\n]')
  ends.restore(0)
  expect(ends.toText('{\n}')).toBe('{\n}')
})

it('knows the line ends of a text after thousands of keys as well', () => {
  const ends = createLineEnds('[\r\n]')
  for (let key = 1; key <= 3_000; key++) ends.change(0, 0, 0, key)
  ends.restore(0)
  expect(ends.toText('[\n]')).toBe('[\r\n]')
})

it('keeps the line ends of earlier states when another surface gives them other names', () => {
  const ends = createLineEnds('{}')
  ends.reset('[\r\n]', 1)
  ends.reset('[\r]', 2)
  ends.rebase(30, [
    [0, 10],
    [1, 20],
    [2, 30],
  ])
  ends.restore(20)
  expect(ends.toText('[\n]')).toBe('[\r\n]')
  ends.restore(10)
  expect(ends.toText('{\n}')).toBe('{\n}')
  ends.restore(30)
  expect(ends.toText('[\n]')).toBe('[\r]')
})

it('does not hold the single line ends of every state of a long mixed text', () => {
  const lines = 2_000_000
  const mixed = `\r\n${'\n'.repeat(lines)}`
  const ends = createLineEnds(mixed)
  for (let version = 1; version <= 4; version++) ends.change(1, 0, 1, version)
  ends.restore(4)
  expect(ends.toText('\n\n')).toBe('\r\n\n')
  // Beyond what memory should hold, the line end that most lines had.
  ends.restore(0)
  expect(ends.toText('\n\n')).toBe('\n\n')
})

it('shifts offsets by the carriage returns before a line', () => {
  expect(countReturns(createLineEnds('a\r\nb\r\nc').ends(), 3)).toBe(2)
  expect(countReturns(createLineEnds('a\r\nb\nc\rd').ends(), 4)).toBe(1)
  expect(countReturns(createLineEnds('a\nb').ends(), 2)).toBe(0)
})

it('finds the smallest edit between any two texts, and makes it', () => {
  const random = createChance(3)
  const letters = () =>
    Array.from({ length: Math.floor(random() * 12) }, () => 'ab\n'[Math.floor(random() * 3)]).join('')
  const pairs = Array.from({ length: 20_000 }, () => [letters(), letters()] as const)
  const wrong = pairs.filter(([before, after]) => {
    const edit = findEdit(before, after)
    const isSmallest = !edit?.removed || !edit.inserted || edit.removed[0] !== edit.inserted[0]
    return !isSmallest || (edit ? makeEdit(before, edit) : before) !== after
  })
  expect(wrong).toEqual([])
  const long = 'x'.repeat(100_000)
  expect(findEdit(long, `${long.slice(0, 50_000)}!${long.slice(50_000)}`)).toMatchObject({
    removed: '',
    inserted: '!',
  })
})

it('joins typing to words, and takes back step by step', () => {
  const history = createHistory()
  let text = ''
  for (const letter of 'one two') {
    const edit = { offset: text.length, removed: '', inserted: letter }
    text = makeEdit(text, edit)
    history.add(edit, true)
  }
  const states: string[] = []
  for (let edit = history.undo(); edit; edit = history.undo()) states.push((text = makeEdit(text, edit)))
  expect(states).toEqual(['one', ''])
  for (let edit = history.redo(); edit; edit = history.redo()) text = makeEdit(text, edit)
  expect(text).toBe('one two')
})

it('finds the places of many offsets in any order', () => {
  expect(findPlaces('ab\r\ncd\re\nf', [9, 0, 4, 7, 3])).toEqual([
    { line: 4, column: 1 },
    { line: 1, column: 1 },
    { line: 2, column: 1 },
    { line: 3, column: 1 },
    { line: 1, column: 4 },
  ])
})
