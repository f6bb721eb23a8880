// The first script of a page: removes codes and tokens from the URL before a router, analytics or anything else reads them.
import { FRAME_NAME } from '../base/constants.ts'
import {
  ANSWER_PARAMETERS,
  isTokenShaped,
  splitAddress,
  TOKEN_PARAMETERS,
  withoutParameters,
} from '../protocol/address.ts'
import { isOwnWindow, NAME_PREFIX, SIGN_IN_POPUP } from '../protocol/storageKeys.ts'
import { windowName } from '../session/platform/browserFrame.ts'
import { EARLY, emptyTabName } from '../session/platform/browserShared.ts'
import type { Early } from '../session/platform/platform.ts'
import { beginSession } from './beginSession.ts'
import { bringBack } from './bringBack.ts'

/** No state of latchkey is longer. */
const LARGEST_STATE_LENGTH = 64

// A server, which renders the same entry, has no URL.
const address = (globalThis as { location?: Location }).location?.href ?? ''
const [, asked] = splitAddress(address)
const states = new URLSearchParams(asked).getAll('state')
// A state that comes twice counts as none, as in start-up.
const isOwn = states.length === 1 && isAwaited(states[0]!)
// The page that opened the hidden frame reads the response from the frame's address.
const isInFrame = address && windowName() === FRAME_NAME
const taken: string[] = []
const clean = withoutParameters(isInFrame ? '' : address, (name, value, piece) => {
  const isSecret =
    (isOwn && ANSWER_PARAMETERS.includes(name)) || (TOKEN_PARAMETERS.includes(name) && isTokenShaped(value))
  if (isSecret) taken.push(piece)
  return isSecret
})

// The script may be inline and imported on the same page: both share one object.
const left = ((globalThis as { [EARLY]?: Early })[EARLY] ??= {})
if (address) emptyTabName(left)
if (taken.length > 0) {
  history.replaceState(history.state, '', clean)
  // Start-up reads it once, and restores other clients' parameters.
  left.address = () => {
    delete left.address
    const [path, query, hash] = splitAddress(location.href)
    // While the code is sent, the URL is that of before the sign-in: its query is no part of the response.
    const isUntouched = left.attempts ?? query === splitAddress(clean)[1]
    const whole = isUntouched ? asked : (query ? `${query}&` : '?') + taken.join('&')
    return path + whole + hash
  }
}
// The options are on the script element; an imported module has none.
const options = address ? document.currentScript?.dataset : undefined
if (options?.['clientId']) {
  if (document.readyState !== 'loading')
    console.warn('[latchkey] latchkey/early: too late, put it first in <head>')
  // Start-up reports what is missing.
  if (!left.attempts && !isOwnWindow(windowName())) {
    if (!isOwn) beginSession(options, left).catch(() => {})
    // Codes are single-use: if the browser reports no network, start-up probes the server first.
    else if (navigator.onLine) bringBack(options, left, taken).catch(() => {})
  }
}

/**
 * Whether this tab has an attempt with that state in session storage, of any client. A sign-in popup passes on every
 * response.
 */
function isAwaited(state: string): boolean {
  try {
    return (
      state.length <= LARGEST_STATE_LENGTH &&
      Object.keys(sessionStorage).some((key) => {
        const record = key.startsWith(NAME_PREFIX) ? (sessionStorage[key] as string) : ''
        return record.includes(`"${state}":{`) || record.includes(`${SIGN_IN_POPUP}"`)
      })
    )
  } catch {
    return false
  }
}
