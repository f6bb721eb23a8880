// The browser's crypto with a limit: an extension or a policy that makes it hang holds no sign-in for ever.
import { timedOut } from '../../base/errors.ts'
import type { CryptoPort } from '../../protocol/pkce.ts'
import { PROOF_WAIT_MS } from '../../base/sessionConstants.ts'
import { within } from '../../base/within.ts'
import type { Platform } from './platform.ts'

const METHODS = ['digest', 'generateKey', 'exportKey', 'importKey', 'sign', 'verify'] as const

/** Asked for anew each time it is used: the browser has none in some pages. */
export function limitedCrypto(platform: Pick<Platform, 'crypto' | 'setTimer'>): CryptoPort {
  const { crypto } = platform
  const limit =
    <Given extends unknown[], Result>(work: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      const result = await within(platform, PROOF_WAIT_MS, () => work(...given))
      if (result === 'late') throw timedOut('The crypto of the browser')
      return result
    }
  return {
    randomBytes: crypto.randomBytes,
    isSecureContext: crypto.isSecureContext,
    get subtle() {
      const { subtle } = crypto
      if (!subtle) return undefined
      const limited = METHODS.map((name) => [
        name,
        limit((subtle[name] as () => Promise<unknown>).bind(subtle)),
      ])
      return Object.fromEntries(limited) as typeof subtle
    },
  }
}
