// Which windows are latchkey's own: an app that finds itself in one does not start (threat T27).
import { expect, it } from 'vitest'
import { isOwnWindow, isSignInPopup, isSignInPopupOf } from '../../../src/protocol/storageKeys.ts'
import { closeUrl } from '../../../src/protocol/popups.ts'
import { popupName, signInPopup } from '../../../src/protocol/storageKeys.ts'

const CLIENT = { authHost: 'https://auth.test', clientId: 'admin' }

it.each<[string, boolean, boolean]>([
  ['agent-iframe', true, false],
  [popupName(CLIENT, 'link', 'AbCdEf'), true, false],
  [signInPopup(CLIENT, 'AbCdEf'), true, true],
  [`${signInPopup(CLIENT, 'AbCdEf')} 2`, true, false],
  [' popup sign-in of somebody else', false, false],
  ['agent-iframe-2', false, false],
  ['', false, false],
])('%j: own %s, a sign-in %s', (name, isOwn, isSignIn) => {
  expect([isOwnWindow(name), isSignInPopup(name)]).toEqual([isOwn, isSignIn])
})

it.each<[string, boolean]>([
  [signInPopup(CLIENT, 'AbCdEf'), true],
  [signInPopup({ ...CLIENT, clientId: 'shop' }, 'AbCdEf'), false],
  [signInPopup({ ...CLIENT, clientId: 'admin2' }, 'AbCdEf'), false],
  [signInPopup({ ...CLIENT, authHost: 'https://auth2.test' }, 'AbCdEf'), false],
  [popupName(CLIENT, 'link', 'AbCdEf'), false],
  [`of somebody else ${signInPopup(CLIENT, 'AbCdEf')}`, false],
])('%j: a sign-in window of this app %s', (name, isSignIn) => {
  expect(isSignInPopupOf(CLIENT, name)).toBe(isSignIn)
})

it('the page that ends a window is the server’s, and knows the client alone', () => {
  expect(closeUrl(CLIENT)).toBe('https://auth.test/oauth/close?client_id=admin')
})
