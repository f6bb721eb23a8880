// What a page needs only after sign-in, or for a sign-in with further options: one file in the build, so it is one request.
import { popupBlocked, popupClosed, popupTimeout } from '../popupErrors.ts'
import { addWords } from '../protocol/forbidden.ts'
import { loginParameters } from '../protocol/loginParameters.ts'
import { passThrough } from './signedIn/passthroughPage.ts'
import { getResourceToken } from './signedIn/resourceTokens.ts'
import { watchSessionEnd } from './signedIn/sessionEnd.ts'
import { handOver, signInByPopup } from './signIn/popupAnswer.ts'
import { meetClaims } from './signIn/meetClaims.ts'
import { challengeError, judgeReturn, stepUp } from './signIn/stepUp.ts'
import { judgeSwitch, switchTo } from './signIn/switchTo.ts'
import { watchWindow } from './watchWindow.ts'

export const later = {
  addWords,
  loginParameters,
  getResourceToken,
  handOver,
  signInByPopup,
  challengeError,
  judgeReturn,
  judgeSwitch,
  stepUp,
  switchTo,
  watchSessionEnd,
  meetClaims,
  passThrough,
  watchWindow,
  popupBlocked,
  popupClosed,
  popupTimeout,
}
