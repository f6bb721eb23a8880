// Holds German and Dutch to the English texts: none is missing, none is left in English, all fill the same places.
import { describe, expect, it } from 'vitest'
import { DUTCH, DUTCH_EDITOR } from '../../../examples/texts/dutch.ts'
import { GERMAN, GERMAN_EDITOR } from '../../../examples/texts/german.ts'
import { FAULT_SENTENCES } from '../../../src/editor/faultSentences.ts'
import { SHELL_MESSAGES } from '../../../src/editor/messages.ts'
import { TOOL_NAMES } from '../../../src/editor/toolNames.ts'
import { OUTLINE_MESSAGES } from '../../../src/editor/tools/outlineLook.ts'
import { TOOL_MESSAGES } from '../../../src/editor/tools/toolMessages.ts'
import { ENGLISH, type MessageName, textOf } from '../../../src/protocol/messages.ts'
import { AuthError } from '../../../src/errors.ts'
import { userText } from '../../../src/protocol/userText.ts'

const VALUES = { seconds: '§sec§', time: '§tim§', browser: '§bro§', count: '§cou§', text: '§tex§' }
const places = (text: string) => (text.match(/§\w+§/g) ?? []).toSorted()
const names = Object.keys(ENGLISH) as MessageName[]

const editor: Readonly<Record<string, unknown>> = {
  ...SHELL_MESSAGES,
  ...TOOL_NAMES,
  ...TOOL_MESSAGES,
  ...OUTLINE_MESSAGES,
  faults: FAULT_SENTENCES,
}
/** A text, or what its function makes of recognisable values. */
const said = (text: unknown): string =>
  typeof text === 'function' ? (text as (...values: string[]) => string)('§one§', '§two§') : String(text)
const sentence = (say: (typeof FAULT_SENTENCES)['empty']) =>
  say({
    detail: '§detail§',
    count: 7,
    related: 9,
    relatedColumn: 8,
    keyword: '§keyword§',
    expected: '§expected§',
    found: '§found§',
  })

// Words that are the same in more than one language.
const SHARED = new Set(['JSON'])

it.each(names)('English says %s', (name) => {
  expect(textOf({}, name, VALUES).trim()).not.toBe('')
})

describe.each([
  ['German', GERMAN, GERMAN_EDITOR],
  ['Dutch', DUTCH, DUTCH_EDITOR],
] as const)('%s', (_language, texts, editorTexts) => {
  it('has every text of the toaster and the gate, and no other', () => {
    expect(Object.keys(texts).toSorted()).toEqual(names.toSorted())
  })

  it.each(names)('says %s in its own words, with the same places', (name) => {
    const own = textOf(texts, name, VALUES)
    const english = textOf({}, name, VALUES)
    expect(own.trim()).not.toBe('')
    expect(own).not.toBe(english)
    expect(places(own)).toEqual(places(english))
  })

  it('says one and many of what is counted', () => {
    expect(textOf(texts, 'waitingToasts', { count: 1 })).not.toBe(
      textOf(texts, 'waitingToasts', { count: 2 }),
    )
  })

  it('has every text of the editor, and no other', () => {
    expect(Object.keys(editorTexts).toSorted()).toEqual(Object.keys(editor).toSorted())
    expect(Object.keys(editorTexts.faults).toSorted()).toEqual(Object.keys(FAULT_SENTENCES).toSorted())
  })

  it.each(Object.keys(editor).filter((name) => name !== 'faults'))(
    'says the editor’s %s, with the same places',
    (name) => {
      const own = said((editorTexts as Readonly<Record<string, unknown>>)[name])
      const english = said(editor[name])
      expect(own.trim()).not.toBe('')
      if (!SHARED.has(english)) expect(own).not.toBe(english)
      expect(places(own)).toEqual(places(english))
    },
  )

  it.each(Object.keys(FAULT_SENTENCES) as (keyof typeof FAULT_SENTENCES)[])(
    'says the fault %s, with its detail',
    (code) => {
      const own = sentence(editorTexts.faults[code]!)
      const english = sentence(FAULT_SENTENCES[code])
      if (code !== 'schema') expect(own).not.toBe(english)
      for (const value of ['§detail§', '7', '9', '8', '§found§'])
        expect(own.includes(value)).toBe(english.includes(value))
    },
  )
})

describe('a text for the user', () => {
  it('a text is put together from what there is', () => {
    expect(textOf({}, 'waitingToasts', { count: 3 })).toBe('3 more')
    expect(textOf({}, 'waitingToasts', {})).toBe('{count} more')
    expect(textOf({}, 'sessionClash', { time: '10:00' })).toContain('another browser (10:00)')
    expect(textOf({}, 'sessionClash', { browser: 'c0ff', time: '10:00' })).toContain(
      'another browser (c0ff, 10:00)',
    )
    expect(textOf({ signIn: 'Anmelden' }, 'signIn')).toBe('Anmelden')
    expect(textOf({ signIn: (() => 7) as never }, 'signIn')).toBe('Sign in')
    expect(
      textOf(
        {
          signIn: () => {
            throw new Error('no')
          },
        },
        'signIn',
      ),
    ).toBe('Sign in')
  })

  it.each<[Partial<AuthError>, string]>([
    [{ code: 'offline' }, 'errorOffline'],
    [{ code: 'network' }, 'errorNetwork'],
    [{ code: 'timeout' }, 'errorTimeout'],
    [{ code: 'rate-limited' }, 'errorBusy'],
    [{ code: 'not-authenticated' }, 'errorNotSignedIn'],
    [{ code: 'login-required' }, 'errorNotSignedIn'],
    [{ code: 'invalid-grant' }, 'errorNotSignedIn'],
    [{ code: 'popup-blocked' }, 'errorPopupBlocked'],
    [{ code: 'popup-closed' }, 'errorPopupClosed'],
    [{ code: 'popup-timeout' }, 'errorPopupClosed'],
    [{ code: 'storage-unavailable' }, 'errorStorage'],
    [{ code: 'redirect-loop' }, 'errorRedirectLoop'],
    [{ code: 'internal' }, 'errorOther'],
    [{ code: 'unexpected-status', status: 401 }, 'errorNotSignedIn'],
    [{ code: 'forbidden', status: 403 }, 'errorForbidden'],
    [{ code: 'unexpected-status', status: 499 }, 'errorOther'],
    [{ code: 'unexpected-status', status: 500 }, 'errorBusy'],
  ])('the error %j is told as %s', (members, name) => {
    const { code = 'internal', status } = members
    const error = new AuthError(code, 'technical words', {
      remedy: 'do',
      ...(status !== undefined && { status }),
    })
    expect(userText(error, (wanted) => wanted)).toBe(name)
  })

  it('any other error is told as that, without its words', () => {
    expect(userText(new Error('https://auth.test/?token=x'), (wanted) => wanted)).toBe('errorOther')
  })
})
