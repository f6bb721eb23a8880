// Sends the code in the URL, after the sign-in page, while the app's files load.
import { takeFirstTabLock } from '../base/firstTabLock.ts'
import { ATTEMPT_LIFETIME_MS, CODE_LIFETIME_MS } from '../base/constants.ts'
import type { Attempt } from '../protocol/signIn.ts'
import { codeLock } from '../protocol/storageKeys.ts'
import { createBrowserLock } from '../session/platform/browserTabs.ts'
import { createBrowserStorage } from '../session/platform/browserStorage.ts'
import type { Early } from '../session/platform/platform.ts'
import { createTabStorage } from '../session/signIn/tabStorage.ts'
import type { Options } from './beginSession.ts'
import { sendFirmCode } from './sendCode.ts'

/** Sends it only if start-up would, and as start-up would: once for this tab and its copies. */
export async function bringBack(options: Options, left: Early, pieces: readonly string[]): Promise<void> {
  const { clientId = '', redirectUri = `${location.origin}/` } = options
  const authHost = new URL(options['authHost']!).origin
  const answer: Readonly<Record<string, string>> = Object.fromEntries(new URLSearchParams(pieces.join('&')))
  const { state = '', code, error, iss = authHost } = answer
  const records = createTabStorage(
    createBrowserStorage(() => sessionStorage),
    { authHost, clientId },
  )
  const attempt = Object(records.read().attempts[state]) as Attempt
  if (
    code &&
    !error &&
    // No parameter may come twice.
    Object.keys(answer).length === pieces.length &&
    iss === authHost &&
    attempt.authHost + attempt.clientId + attempt.redirectUri === authHost + clientId + redirectUri &&
    Date.now() - attempt.createdAtMs <= ATTEMPT_LIFETIME_MS
  ) {
    // A reload from now on leads there too; throws for another origin.
    history.replaceState(history.state, '', attempt.returnTo)
    records.takeAttempt(state)
    left.attempts = { [state]: attempt }
    const lockName = codeLock({ authHost, clientId }, state)
    const lock = createBrowserLock()
    const setTimer = (callback: () => void, delayMs: number) => {
      const timer = setTimeout(callback, delayMs)
      return () => clearTimeout(timer)
    }
    const claiming = takeFirstTabLock({ lock, setTimer }, lockName, CODE_LIFETIME_MS)
    left.claim = (name) => {
      if (name !== lockName) return undefined
      delete left.claim
      return claiming
    }
    if (await claiming) {
      left.sentAtMs = Date.now()
      sendFirmCode(left, authHost, code, attempt)
    }
  }
}
