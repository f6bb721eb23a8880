// The editor keeps what a textarea or Monaco would lose: line endings and undo steps.

// @module-tag thorough

import { expect, it } from 'vitest'
import { findEdit, makeEdit } from '../../src/editor/edits.ts'
import { toView, usualEnd } from '../../src/editor/lineEnds.ts'
import { findPlaces, offsetOf } from '../../src/editor/places.ts'
import { createChance } from '../chance.ts'
import { measureWork } from './threadWork.ts'

it.each([
  ['a\nb\n', '\n'],
  ['a\r\nb\r\n', '\r\n'],
  ['a\rb', '\r'],
  ['a\r\nb\nc\rd\r\n', '\r\n'],
  ['', '\n'],
])('finds the most common line ending of %j', (text, end) => {
  expect(usualEnd(text)).toBe(end)
  expect(toView(text)).not.toContain('\r')
})

it('converts a place to its offset in a text with one-character line endings', () => {
  const text = 'ab\r\ncd\re\nf'
  const letters = ['a', 'b', 'c', 'd', 'e', 'f']
  const places = findPlaces(
    text,
    letters.map((letter) => text.indexOf(letter)),
  )
  const view = toView(text)
  expect(places.map((place) => view[offsetOf(view, place)])).toEqual(letters)
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

it('finds the places of many offsets in any order', () => {
  expect(findPlaces('ab\r\ncd\re\nf', [9, 0, 4, 7, 3])).toEqual([
    { line: 4, column: 1 },
    { line: 1, column: 1 },
    { line: 2, column: 1 },
    { line: 3, column: 1 },
    { line: 1, column: 4 },
  ])
})

it('reads a line of ten megabytes once for all places on it', () => {
  const text = `[${'1,'.repeat(5_000_000)}1]\n`
  const offsets = Array.from({ length: 200_000 }, (_, index) => index * 50)
  const workMs = measureWork(() =>
    expect(findPlaces(text, offsets).at(-1)).toEqual({ line: 1, column: 9_999_951 }),
  )
  // Reading it once per place took minutes.
  expect(workMs).toBeLessThan(10_000)
})
