// Puts what an app asks of one sign-in into parameters of the authorize request, and refuses what nobody can mean; loads when used.
import { isRecord } from '../json.ts'
import { invalidArgument } from '../sessionErrors.ts'
import { OWN_PARAMETERS } from './signIn.ts'

/** What an app can ask the server for at one sign-in. */
export interface SignInWishes {
  /** Passed to the server: 'login' asks for the credentials again. */
  prompt?: 'login' | 'consent' | 'select_account' | undefined
  /** Who is to sign in, filled in on the sign-in page: an email address or a user name. */
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

/** Only what was given. @throws AuthError `invalid-argument` */
export function loginParameters(wishes: SignInWishes): FurtherParameters {
  const { prompt, loginHint, uiLocales, acrValues, maxAgeInSeconds, display, parameters = {} } = wishes
  const seconds = maxAgeInSeconds === undefined ? undefined : String(maxAgeInSeconds)
  const check = (name: keyof SignInWishes, isRight: boolean, expected: string) => {
    if (!isRight) throw invalidArgument(`login: ${name} is wrong`, `${name} must be ${expected}.`)
  }
  check('prompt', isText(prompt ?? ''), TEXT)
  check('loginHint', isText(loginHint ?? ''), TEXT)
  check('uiLocales', areTexts(uiLocales ?? ''), TEXTS)
  check('acrValues', areTexts(acrValues ?? ''), TEXTS)
  check(
    'maxAgeInSeconds',
    maxAgeInSeconds === undefined || (Number.isSafeInteger(maxAgeInSeconds) && maxAgeInSeconds >= 0),
    'a whole number of seconds, 0 or more',
  )
  check('display', ['page', 'popup', undefined].includes(display), "'page' or 'popup'")
  check('parameters', isRecord(parameters), 'texts by name')
  const own: Record<string, string | undefined> = {
    prompt,
    login_hint: loginHint,
    ui_locales: joined(uiLocales),
    acr_values: joined(acrValues),
    max_age: seconds,
  }
  for (const [name, value] of Object.entries(parameters)) {
    check(
      'parameters',
      !(OWN_PARAMETERS.test(name) || Object.hasOwn(own, name)),
      `without ${name}, which the sign-in sets itself or login() has an option for`,
    )
    check('parameters', isText(name) && areTexts(value), `texts by name; ${JSON.stringify(name)} is not`)
  }
  // An empty text asks for nothing.
  return { ...parameters, ...Object.fromEntries(Object.entries(own).filter(isGiven)) }
}

const TEXT = 'a text without control characters'
const TEXTS = 'a text without control characters, or a list of such texts'

const isText = (value: unknown): value is string =>
  typeof value === 'string' && !/[\u0000-\u001f\u007f]/.test(value)

const areTexts = (value: unknown): boolean => [value].flat().every(isText)

const joined = (value: string | readonly string[] | undefined): string | undefined =>
  value === undefined ? undefined : [value].flat().join(' ')

const isGiven = (entry: [string, string | undefined]): entry is [string, string] => Boolean(entry[1])
