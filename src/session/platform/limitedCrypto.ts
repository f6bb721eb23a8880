// The browser's crypto with a time limit: an extension or a policy may make it hang.
import { timedOut } from '../../base/errors.ts'
import type { CryptoPort } from '../../protocol/pkce.ts'
import { PROOF_WAIT_MS } from '../../base/sessionConstants.ts'
import { within } from '../../base/within.ts'
import type { Platform } from './platform.ts'

/** Read on each use: some pages have none. */
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
      return (
        subtle &&
        new Proxy(subtle, {
          get: (target, name: 'sign') => limit(target[name].bind(target)),
        })
      )
    },
  }
}
