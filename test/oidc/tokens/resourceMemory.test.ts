// Where tokens for single resources are kept: beside what the profile remembers of the sign-in, until they are over.
import { expect, it } from 'vitest'
import { resourceTokenOf, withResourceToken } from '../../../src/session/features/resourceTokens.ts'

const API = 'https://api.test/'
const NOW = 1000
const before = { 'token 1001 https://other.test/': 'o1', 'token 1000 https://old.test/': 'o2', idToken: 'i1' }

it('a new one stands beside those that live, and those that are over go', () => {
  const added = { resource: API, token: 'a1', untilMs: 2000.4 }
  const memory = withResourceToken(before, NOW, added)
  expect(memory).toEqual({
    idToken: 'i1',
    'token 1001 https://other.test/': 'o1',
    'token 2000 https://api.test/': 'a1',
  })
  expect(resourceTokenOf(memory, API)).toEqual({ token: 'a1', untilMs: 2000 })
  expect(resourceTokenOf(memory, 'https://old.test/')).toBeUndefined()
})

it('a newer one takes the place of the one before', () => {
  const first = withResourceToken({}, NOW, { resource: API, token: 'a1', untilMs: 2000 })
  const second = withResourceToken(first, NOW, { resource: API, token: 'a2', untilMs: 3000 })
  expect(second).toEqual({ 'token 3000 https://api.test/': 'a2' })
})

it('above 64, the one that expires first goes, wherever it stands', () => {
  const untils = Array.from({ length: 64 }, (_, index) => 2000 + ((index * 37 + 37) % 64))
  const full = Object.fromEntries(untils.map((untilMs) => [`token ${untilMs} ${API}${untilMs}`, 't']))
  const memory = withResourceToken(full, NOW, { resource: API, token: 'new', untilMs: 3000 })
  expect(Object.keys(full).filter((name) => !(name in memory))).toEqual([`token 2000 ${API}2000`])
  expect(Object.keys(memory)).toHaveLength(64)
})

it('of hundreds, those stay that live longest, and the one that came last', () => {
  let memory = {}
  for (let count = 0; count < 300; count += 1) {
    const added = { resource: `${API}${count}`, token: `t${count}`, untilMs: 2000 + count }
    memory = withResourceToken(memory, NOW, added)
  }
  expect(Object.keys(memory)).toHaveLength(64)
  expect(resourceTokenOf(memory, `${API}236`)?.token).toBe('t236')
  const short = withResourceToken(memory, NOW, { resource: API, token: 'short', untilMs: 1500 })
  expect(resourceTokenOf(short, API)?.token).toBe('short')
  expect(Object.keys(short)).toHaveLength(64)
})
