// What a page needs only after sign-in, or for a sign-in with further options: one file in the build, so it is one request.
import { loginParameters } from '../protocol/loginParameters.ts'
import { getResourceToken } from './signedIn/resourceTokens.ts'
import { handOver, signInByPopup } from './signIn/popupAnswer.ts'
import { challengeError, judgeReturn, stepUp } from './signIn/stepUp.ts'

export const later = {
  loginParameters,
  getResourceToken,
  handOver,
  signInByPopup,
  challengeError,
  judgeReturn,
  stepUp,
}
