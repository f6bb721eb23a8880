// Holds German and Dutch to the English texts: none is missing, none is left in English, all fill the same places.
import { describe, expect, it } from 'vitest'
import { DUTCH, DUTCH_EDITOR } from '../../../examples/texts/dutch.ts'
import { GERMAN, GERMAN_EDITOR } from '../../../examples/texts/german.ts'
import { FAULT_SENTENCES, placeFaults, toJsonFault } from '../../../src/editor/faultSentences.ts'
import { createValidator } from '../../../src/editor/schemaValidator.ts'
import { type EditorMessages, SHELL_MESSAGES, withTexts } from '../../../src/editor/messages.ts'
import type { FaultSentence, JsonFaultCode } from '../../../src/editor/types.ts'
import { TOOL_MESSAGES, TOOL_NAMES } from '../../../src/editor/tools/toolMessages.ts'
import { ENGLISH, type MessageName, textOf } from '../../../src/protocol/messages.ts'
import { AuthError, authorizationRefused } from '../../../src/base/errors.ts'
import { invalidMetadata, noMetadata } from '../../../src/protocol/servers/oidcErrors.ts'
import { userText } from '../../../src/protocol/userText.ts'
import { SCHEMA_CASES } from '../../editor/schemaCases.ts'

const VALUES = { seconds: '§sec§', time: '§tim§', browser: '§bro§', count: '§cou§', text: '§tex§' }
const places = (text: string) => (text.match(/§\w+§/g) ?? []).toSorted()
const names = Object.keys(ENGLISH) as MessageName[]

const editor: Readonly<Record<string, unknown>> = {
  ...SHELL_MESSAGES,
  ...TOOL_NAMES,
  ...TOOL_MESSAGES,
  faults: FAULT_SENTENCES,
}
/** A text, or what its function makes of recognisable values, and of one, of many and of none. */
const said = (text: unknown): string[] =>
  typeof text === 'function'
    ? [
        ['§one§', '§two§'],
        ['', '§two§'],
        ['§one§', ''],
        [1, 1, 0],
        [2, 2, 2],
      ].map((values) => (text as (...values: unknown[]) => string)(...values))
    : [String(text)]

type FaultAbout = Parameters<FaultSentence>[0]
const ABOUT: FaultAbout = {
  detail: '§detail§',
  count: 7,
  related: 9,
  relatedColumn: 8,
  keyword: '',
  expected: '§expected§',
  found: '§found§',
  key: '§key§',
  allowed: ['§allowed§'],
  foundType: '',
}
/** What changes the sentence of a fault. */
const VARIANTS: Partial<Record<JsonFaultCode, readonly Partial<FaultAbout>[]>> = {
  'control-character': [{ detail: '000A' }],
  incomplete: ['deep', 'large', 'many', 'reference', 'schema'].map((detail) => ({ detail })),
  'missing-bracket': [{ detail: '{' }],
  'unexpected-end': [{ count: 1 }],
}

/** The faults of each keyword's texts, as the judge hands them to the page. */
const schemaFaults = Object.entries(SCHEMA_CASES).flatMap(([keyword, cases]) =>
  cases.map(([text, schema]) => {
    const [fault] = placeFaults(text, createValidator(JSON.stringify(schema))(text))
    return [keyword, text, fault!] as const
  }),
)

// Words that are the same in more than one language.
const SHARED = new Set(['JSON'])
/** The end of a list, and of a sentence. All others begin with a capital. */
const PARTS = new Set(['moreProblems', 'cannotLoadCheck'])
const isSmall = (text: string | undefined) => /^\p{Ll}/u.test(text ?? '')

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
      for (const [index, english] of said(editor[name]).entries()) {
        expect(own[index]!.trim()).not.toBe('')
        if (!PARTS.has(name)) expect([english, own[index]].filter(isSmall)).toEqual([])
        if (!SHARED.has(english)) expect(own[index]).not.toBe(english)
        expect(places(own[index]!)).toEqual(places(english))
      }
    },
  )

  it.each((Object.keys(FAULT_SENTENCES) as JsonFaultCode[]).filter((code) => code !== 'schema'))(
    'says the fault %s, with its detail',
    (code) => {
      for (const variant of [{}, ...(VARIANTS[code] ?? [])]) {
        const own = editorTexts.faults[code]!({ ...ABOUT, ...variant })
        const english = FAULT_SENTENCES[code]({ ...ABOUT, ...variant })
        expect(own).not.toBe(english)
        expect([english, own].filter(isSmall)).toEqual([])
        for (const value of ['§detail§', '7', '9', '8', '§found§', '000A'])
          expect(own.includes(value)).toBe(english.includes(value))
      }
    },
  )

  it.each(schemaFaults)(
    'says %s of a schema about %s in its own words, with what it is about',
    (_, _text, fault) => {
      const own = toJsonFault(fault, editorTexts.faults).message
      const english = toJsonFault(fault).message
      expect(own).not.toBe(english)
      // What stands in the text is written as it stands there.
      if (fault.foundType !== '' || !own.startsWith(fault.found!))
        expect([english, own].filter(isSmall)).toEqual([])
      // Nor is a part of it left in English.
      expect(own).not.toMatch(/an object|a list|a text|a number|\b(or|not|key)\b/)
      const { keyword, key = '', expected = '', found = '', allowed = [], foundType } = fault
      const places = [
        key,
        ...(keyword === 'enum' ? allowed : keyword === 'type' ? [] : [expected]),
        ...(foundType ? [] : [found]),
      ]
      for (const place of places) expect(own.includes(place)).toBe(english.includes(place))
    },
  )

  it.each(['array', 'boolean', 'integer', 'number', 'object', 'string'])(
    'has a name for the type %s',
    (type) => {
      const say = (name: string) => editorTexts.faults.schema!({ ...ABOUT, keyword: 'type', allowed: [name] })
      expect(say('§type§')).toContain('§type§')
      expect(say(type)).not.toBe(say('§type§').replace('§type§', type))
    },
  )
})

it('a fault whose sentence throws is said in English', () => {
  const schema = () => {
    throw new Error('no')
  }
  const [, , fault] = schemaFaults[0]!
  expect(toJsonFault(fault, { schema }).message).toBe(toJsonFault(fault).message)
})

it.each<[string, unknown]>([
  ['a number', 7],
  ['nothing', undefined],
])('a fault of which %s is said is said in English', (_what, said) => {
  const [, , fault] = schemaFaults[0]!
  expect(toJsonFault(fault, { schema: (() => said) as never }).message).toBe(toJsonFault(fault).message)
})

describe('a text of the editor', () => {
  const fails = () => {
    throw new Error('no')
  }
  it.each<[string, EditorMessages]>([
    ['throws', { copied: 'Kopiert', countErrors: fails }],
    ['gives no text', { copied: 'Kopiert', countErrors: (() => 7) as never }],
    ['is no function where one is needed', { copied: 'Kopiert', countErrors: '3 Fehler' as never }],
    ['is missing', { copied: 'Kopiert', countErrors: undefined as never }],
  ])('that %s is the English one, and all others are as they were given', (_what, messages) => {
    const say = withTexts(TOOL_MESSAGES, messages)
    expect([say.copied, say.countErrors(3), say.countErrors(3, true)]).toEqual([
      'Kopiert',
      '3 errors',
      '3+ errors',
    ])
  })

  it('that is a function where none is needed is the English one', () => {
    expect(withTexts(TOOL_MESSAGES, { copied: fails as never }).copied).toBe('Copied')
  })
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
    [{ code: 'conflict' }, 'errorConflict'],
    [{ code: 'not-authenticated' }, 'errorNotSignedIn'],
    [{ code: 'login-required' }, 'errorNotSignedIn'],
    [{ code: 'invalid-grant' }, 'errorNotSignedIn'],
    [{ code: 'popup-blocked' }, 'errorPopupBlocked'],
    [{ code: 'popup-closed' }, 'errorPopupClosed'],
    [{ code: 'popup-timeout' }, 'errorPopupClosed'],
    [{ code: 'storage-unavailable' }, 'errorStorage'],
    [{ code: 'redirect-loop' }, 'errorRedirectLoop'],
    [{ code: 'internal' }, 'errorOther'],
    [{ code: 'client-refused', status: 401 }, 'errorSetup'],
    [{ code: 'clock-skew' }, 'errorClock'],
    [{ code: 'invalid-link-map' }, 'errorInvalid'],
    [{ code: 'step-up-required', status: 401 }, 'errorStepUp'],
    [{ code: 'unexpected-answer', status: 502 }, 'errorBusy'],
    [{ code: 'unexpected-status', status: 404 }, 'errorNotFound'],
    [{ code: 'unexpected-status', status: 401 }, 'errorNotAccepted'],
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

  it.each([
    ['temporarily_unavailable', 'errorBusy'],
    ['server_error', 'errorBusy'],
    ['invalid_scope', 'errorDenied'],
  ])('%s of the sign-in page is told as %s', (error, name) => {
    expect(userText(authorizationRefused(error), (wanted) => wanted)).toBe(name)
  })

  it('a page in place of the metadata, from a proxy or a portal, is not told as a mistake in the set-up', () => {
    expect(userText(noMetadata('https://login.example.com'), (wanted) => wanted)).toBe('errorAnswer')
    expect(userText(invalidMetadata('token_endpoint'), (wanted) => wanted)).toBe('errorSetup')
  })

  it.each([
    [401, 'errorNotAccepted'],
    [403, 'errorForbidden'],
    [409, 'errorConflict'],
    [422, 'errorInvalid'],
    [503, 'errorBusy'],
    [418, 'errorOther'],
  ])("a %i of the app's own API is told as %s, whichever client it uses", (status, name) => {
    const ofetch = Object.assign(new Error('[GET] "/api?x=1"'), { status, data: {} })
    const ky = Object.assign(new Error('Request failed'), { response: { status } })
    expect([ofetch, ky].map((error) => userText(error, (wanted) => wanted))).toEqual([name, name])
  })

  it.each([400, 422])(
    "a %i of latchkey's own calls is told with what to do and the server's words",
    (status) => {
      const toldOf = (body: unknown) =>
        userText(new AuthError('unexpected-status', 'technical words', { status, body }))
      const toDo = 'Something you entered is not valid. Correct it, then try again.'
      expect(toldOf({ error: 'invalid_request', error_description: 'requestCode has 3 characters' })).toBe(
        `${toDo} requestCode has 3 characters`,
      )
      expect(toldOf({ error: 'invalid_request' })).toBe(toDo)
      expect(toldOf('<html>Request blocked</html>')).toBe(toDo)
    },
  )

  it("a 409 of latchkey's own calls is told with the server's words: a code that is used is nobody's change", () => {
    const toldOf = (body: unknown) =>
      userText(new AuthError('unexpected-status', 'technical words', { status: 409, body }))
    expect(toldOf({ error_description: 'This code has been used before.' })).toBe(
      'Something you entered is not valid. Correct it, then try again. This code has been used before.',
    )
    expect(toldOf({})).toBe(userText(new AuthError('conflict', 'technical words')))
    const error = new AuthError('unexpected-status', 'technical words', {
      status: 409,
      body: { detail: 'This code has been used before.' },
    })
    expect(userText(error, () => '')).toBe('This code has been used before.')
  })

  it('any other error is told as that, without its words', () => {
    expect(userText(new Error('https://auth.test/?token=x'), (wanted) => wanted)).toBe('errorOther')
  })
})
