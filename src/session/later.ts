// What a page needs only after sign-in, or for a sign-in with further options: one file in the build, so it is one request.
import { popupBlocked, popupClosed, popupTimeout } from '../popupErrors.ts'
import { addWords } from '../protocol/forbidden.ts'
import { loginParameters } from '../protocol/loginParameters.ts'
import { passThrough } from './features/passthrough/passthroughPage.ts'
import { getResourceToken } from './features/resourceTokens.ts'
import { watchSessionEnd } from './features/sessionEnd/watchSessionEnd.ts'
import { handOver, signInByPopup } from './features/popupSignIn/popupAnswer.ts'
import { meetClaims } from './features/stepUp/meetClaims.ts'
import { challengeError, stepUp } from './features/stepUp/stepUp.ts'
import { judgeReturn, switchTo } from './features/switchTo.ts'
import { watchWindow } from './features/watchWindow.ts'

export const later = {
  addWords,
  loginParameters,
  getResourceToken,
  handOver,
  signInByPopup,
  challengeError,
  judgeReturn,
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
