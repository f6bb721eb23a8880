// What a text of a server becomes before anybody sees it: one line of at most 300 characters.
import { expect, it } from 'vitest'
import { cleanText } from '../../../src/protocol/redaction.ts'

it.each<[string, string, string]>([
  ['spaces around it', ' a  b ', 'a b'],
  ['nothing to be seen', ' \n\t\u0000 ', ''],
  ['300 characters', 'x'.repeat(300), 'x'.repeat(300)],
  ['a character of two halves where it is cut', `${'x'.repeat(298)}💥 and more`, `${'x'.repeat(298)}…`],
  ['301 characters', 'x'.repeat(301), `${'x'.repeat(299)}…`],
  ['its first letter after 1,200 spaces', `${' '.repeat(1200)}x`, ''],
  ['its first letter after 1,199 spaces', `${' '.repeat(1199)}x`, 'x'],
])('with %s', (_what, text, cleaned) => {
  expect(cleanText(text)).toBe(cleaned)
})
