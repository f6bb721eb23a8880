// Checks the options of one sign-in and turns them into parameters of the authorize request. Loads when used.
import { isRecord } from '../base/json.ts'
import { invalidArgument } from '../base/sessionErrors.ts'
import { OWN_PARAMETERS } from './signIn.ts'

/** Options of one sign-in for the server. */
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

const isText = (value: unknown): value is string =>
  typeof value === 'string' && !/[\u0000-\u001f\u007f]/.test(value)
const areTexts = (value: unknown): boolean => [value].flat().every(isText)
const isTextOrNull = (value: unknown) => value === null || isText(value)
const areTextsOrNull = (value: unknown) => value === null || areTexts(value)
const isWholeNumber = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0

const TEXT = 'a text without control characters'
const TEXTS = `${TEXT}, or a list of such texts`

type Option = readonly [isRight: (value: unknown) => boolean, expected: string, wireName?: string]

/** The check of each option, and its name on the wire. A missing one does not compile. */
const OPTIONS: Record<keyof SignInWishes, Option> = {
  prompt: [isTextOrNull, TEXT, 'prompt'],
  loginHint: [isTextOrNull, TEXT, 'login_hint'],
  uiLocales: [areTextsOrNull, TEXTS, 'ui_locales'],
  acrValues: [areTextsOrNull, TEXTS, 'acr_values'],
  maxAgeInSeconds: [isWholeNumber, 'a whole number of seconds, 0 or more', 'max_age'],
  display: [(value) => value === 'page' || value === 'popup', "'page' or 'popup'"],
  parameters: [isRecord, 'texts by name'],
}

/** Only what was given. @throws AuthError `invalid-argument` */
export function loginParameters(wishes: SignInWishes): FurtherParameters {
  const own: Record<string, string> = {}
  for (const [name, [isRight, expected, wireName]] of Object.entries(OPTIONS)) {
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
