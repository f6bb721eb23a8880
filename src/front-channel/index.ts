// The entry latchkey/front-channel: for the page that a provider opens in a frame when its user has signed out there.
import { createBrowserStorage } from '../session/platform/browserStorage.ts'
import { createBrowserTabs } from '../session/platform/browserTabs.ts'
import { endNamedSession } from './endNamedSession.ts'

/** The client whose session may end. */
export interface FrontChannelClient {
  /** As in `openIdConnect({ issuer })`. */
  issuer: string
  /** The client id of this app there. */
  clientId: string
}

/**
 * Ends the session in all tabs of this browser if `iss` and `sid` in the page's address name it (OpenID Connect Front-Channel
 * Logout 1.0). The tabs run their `beforeLogout` hook and show that the user has signed out; nothing is sent to the provider.
 * Returns whether it has ended. An address that names another session, or none, changes nothing.
 *
 * In a frame of another site browsers keep the app's storage apart, so it works only where provider and app are on one site.
 *
 * @example
 * import { endSession } from 'latchkey/front-channel'
 *
 * endSession({ issuer: 'https://id.example.com', clientId: 'admin' })
 */
export function endSession({ issuer, clientId }: FrontChannelClient): boolean {
  const platform = {
    address: () => location.href,
    localStorage: createBrowserStorage(() => localStorage),
    tabs: createBrowserTabs,
    crypto: {
      randomBytes: (length: number) => crypto.getRandomValues(new Uint8Array(length)),
      isSecureContext,
    },
  }
  return endNamedSession(platform, { issuer, clientId })
}
