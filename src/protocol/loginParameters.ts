// Checks the options of one sign-in and turns them into parameters of the authorize request. Loads when used.
import { isRecord } from '../base/json.ts'
import { invalidArgument } from '../base/sessionErrors.ts'
import { OWN_PARAMETERS } from './signIn.ts'

/** What an app can ask the server for at one sign-in. */
export interface SignInWishes {
  /** Passed to the server: 'login' asks for the credentials again, 'create' opens the registration. */
  prompt?: 'login' | 'consent' | 'select_account' | 'create' | undefined
  /** The expected user, prefilled on the sign-in page: an email address or a user name. */
  loginHint?: string | undefined
  /** Languages of the sign-in page, best first: 'fr-CA fr en', or a list such as `navigator.languages`. */
  uiLocales?: string | readonly string[] | undefined
  /** How strongly the user is to sign in, in the server's own words, best first. */
  acrValues?: string | readonly string[] | undefined
  /** Longest time since the user last gave their credentials, whole seconds; 0 asks for them in any case. */
  maxAgeInSeconds?: number | undefined
  /** 'popup': in a window, without leaving the page; call it inside the user's click. Default 'page'. */
  display?: 'page' | 'popup' | undefined
  /** Further parameters of the server; those of the sign-in itself, such as `client_id`, are refused. */
  parameters?: Readonly<Record<string, string | readonly string[]>> | undefined
}

/** Parameters by name; a list is sent item by item. */
export type FurtherParameters = Readonly<Record<string, string | readonly string[]>>

interface Option {
  /** Its name on the wire; `undefined`: it is not sent. */
  wireName: string | undefined
  isRight(value: unknown): boolean
  expected: string
}

const isText = (value: unknown): value is string =>
  typeof value === 'string' && !/[\u0000-\u001f\u007f]/.test(value)

const areTexts = (value: unknown): boolean => [value].flat().every(isText)

const TEXT = {
  isRight: (value: unknown) => value === null || isText(value),
  expected: 'a text without control characters',
}
const TEXTS = {
  isRight: (value: unknown) => value === null || areTexts(value),
  expected: `${TEXT.expected}, or a list of such texts`,
}

/** Every option of a sign-in: how it is sent, and what it must be. One that is missing here does not compile. */
const OPTIONS = {
  prompt: { wireName: 'prompt', ...TEXT },
  loginHint: { wireName: 'login_hint', ...TEXT },
  uiLocales: { wireName: 'ui_locales', ...TEXTS },
  acrValues: { wireName: 'acr_values', ...TEXTS },
  maxAgeInSeconds: {
    wireName: 'max_age',
    isRight: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
    expected: 'a whole number of seconds, 0 or more',
  },
  display: {
    wireName: undefined,
    isRight: (value) => value === 'page' || value === 'popup',
    expected: "'page' or 'popup'",
  },
  parameters: { wireName: undefined, isRight: isRecord, expected: 'texts by name' },
} satisfies Record<keyof SignInWishes, Option>

/** Only what was given. @throws AuthError `invalid-argument` */
export function loginParameters(wishes: SignInWishes): FurtherParameters {
  const own: Record<string, string> = {}
  for (const [name, { wireName, isRight, expected }] of Object.entries<Option>(OPTIONS)) {
    const value: unknown = wishes[name as keyof SignInWishes]
    check(name, value === undefined || isRight(value), expected)
    // An empty text asks for nothing.
    if (wireName !== undefined) own[wireName] = [value].flat().join(' ')
  }
  const { parameters = {} } = wishes
  for (const [name, value] of Object.entries(parameters)) {
    check(
      'parameters',
      !(OWN_PARAMETERS.test(name) || Object.hasOwn(own, name)),
      `without ${name}, which the sign-in sets itself or login() has an option for`,
    )
    check('parameters', isText(name) && areTexts(value), `texts by name; ${JSON.stringify(name)} is not`)
  }
  return { ...parameters, ...Object.fromEntries(Object.entries(own).filter(([, value]) => value)) }
}

function check(name: string, isRight: boolean, expected: string): void {
  if (!isRight) throw invalidArgument(`login: ${name} is wrong`, `${name} must be ${expected}.`)
}
