// Holds what people read to plain English: no sentence over 30 words, none of the words that stop a reader.
import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bannedIn, countWords, sentencesOf } from './readingText.ts'

const MOST_WORDS = 30

const pages = ['*.md', 'docs/**/*.md', 'decisions/*.md', 'demo/**/README.md', 'examples/*/README.md']
  .flatMap((pattern) => globSync(pattern))
  .map((path) => path.replaceAll('\\', '/'))
  .toSorted()

const faultsOf = (page: string): string[] =>
  sentencesOf(page).flatMap((sentence) => {
    const count = countWords(sentence)
    const faults = [...bannedIn(sentence), ...(count > MOST_WORDS ? [`${count} words`] : [])]
    return faults.map((fault) => `${fault}: ${sentence}`)
  })

describe('the check', () => {
  const words = (count: number) => `Word${' word'.repeat(count - 1)}`

  it('counts sentences of paragraphs, items and cells by themselves, and sees no code and no link target', () => {
    expect(faultsOf(`${words(30)}. ${words(30)}!`)).toEqual([])
    expect(faultsOf(`- ${words(30)}\n- ${words(30)}`)).toEqual([])
    expect(faultsOf(`| ${words(30)} | ${words(30)} |`)).toEqual([])
    expect(
      faultsOf(`\`\`\`ts\n${words(31)} answers\n\`\`\`\n[a](answers.md) \`answers\` <!-- ours -->`),
    ).toEqual([])
    expect(faultsOf(`> GET /api/userinfo answered 403`)).toEqual([])
    expect(faultsOf(`${words(16)} [${words(2)}](a.md) \`a b c\`\nword ${words(11)}`)).toEqual([
      expect.stringMatching(/^31 words: /) as unknown,
    ])
    expect(faultsOf(`| a | ${words(31)} |`)).toEqual([expect.stringMatching(/^31 words: /) as unknown])
  })

  it.each([
    'It answers an object.',
    'The proof key is new.',
    'It is told to leave.',
    'A key of ours.',
    'In that moment it ends.',
    'One session a user.',
    'Hooks, a page each.',
    'It goes on by itself.',
    'Codes go out of the address.',
    'The frame was for nothing.',
    'See the spec, §4.',
    'Contract: §2.',
  ])('finds "%s"', (sentence) => {
    expect(faultsOf(sentence)).toHaveLength(1)
  })
})

it('checks every page', () => {
  expect(pages.length).toBeGreaterThan(90)
})

it.each(pages)('%s is plain', (path) => {
  expect(faultsOf(readFileSync(path, 'utf8'))).toEqual([])
})
