// Code for after sign-in, and for a sign-in with further options. One file in the build, so one request.
import type { Platform } from './platform/platform.ts'

export { popupBlocked, popupClosed, popupTimeout } from '../base/popupErrors.ts'
export { addWords } from '../protocol/challenge.ts'
export { loginParameters } from '../protocol/loginParameters.ts'
export { leave, openLeft } from './features/betweenPages/leave.ts'
export { passThrough, returnAddress } from './features/passthrough/passthroughPage.ts'
export { handOver, signInByPopup } from './features/popupSignIn/popupAnswer.ts'
export { getResourceToken } from './features/resourceTokens.ts'
export { watchSessionEnd } from './features/sessionEnd/watchSessionEnd.ts'
export { meetClaims } from './features/stepUp/meetClaims.ts'
export { challengeError, stepUp } from './features/stepUp/stepUp.ts'
export { validateReturn, keepOrganization, switchTo } from './features/switchTo.ts'
export { watchWindow } from './features/watchWindow.ts'
export { warnOfOthers } from './otherAuthObjects.ts'
export { untilBack } from './signedIn/untilBack.ts'
export { learnOfFrames } from './signIn/learnOfFrames.ts'
export { leaveSignedIn } from './signIn/leaveSignedIn.ts'
export { leaveByForm, settleBySignIn, settleOwedLogout } from './signedIn/owedLogout.ts'
export { isFocusElsewhere, listenElsewhere } from './platform/browserElsewhere.ts'

/** Warns developers that the response to a sign-in is missing. Of two auth objects that both redirect, only one gets a response. */
export function tellNotBack({ shared, tell }: Pick<Platform, 'shared' | 'tell'>): void {
  if (Object.keys(shared().returns).length > 0) return
  tell?.(
    'A sign-in of this tab has not come back: other code (a router, a service worker) took ?code=… out of the URL. ' +
      'Call auth.start() before your router.',
  )
}

/** Tells developers that no sign-in can come back to this page. */
export function tellOtherOrigin({ tell }: Pick<Platform, 'tell'>): void {
  tell?.(
    'redirectUri has another origin than this page: sign-ins come back there. Open the app there, or set redirectUri to this origin.',
  )
}
