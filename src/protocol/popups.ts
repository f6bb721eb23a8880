// Builds the URLs of the popups and recognises the message that ends one.
import { memberOf } from '../base/json.ts'
import type { Client } from './storageKeys.ts'

/** Pages of the authorization server that open in a popup. */
export type PopupPage = 'link' | 'unlink' | 'reauthenticate' | 'adminconsent' | 'changepassword'

/** The page of a popup while its one-time parameters are fetched. */
export const BLANK = 'about:blank'

const CLOSE_MESSAGE = 'closeMe'

/** Returns the URL of a popup's page. It contains no token. */
export function popupUrl(
  { authHost, clientId }: Client,
  page: PopupPage,
  parameters: Readonly<Record<string, string>> = {},
): string {
  const path = page === 'changepassword' ? '/oauth/changepassword' : `/cloudprovider/${page}`
  return `${authHost}${path}?${new URLSearchParams({ client_id: clientId, ...parameters })}`
}

/** Returns the URL of the page that cleans up an unfinished popup and then sends `closeMe`. It contains no token. */
export const closeUrl = ({ authHost, clientId }: Client): string =>
  `${authHost}/oauth/close?${new URLSearchParams({ client_id: clientId })}`

/** Whether a message ends its popup: 'closeMe', or an object whose type, name or message is 'closeMe'. */
export function isCloseMessage(data: unknown): boolean {
  if (data === CLOSE_MESSAGE) return true
  return ['type', 'name', 'message'].some((name) => memberOf(data, name) === CLOSE_MESSAGE)
}

/** Shown in a window that cannot be closed. Not in messages.ts, so that the page of such a window loads no other text. */
export const CLOSE_WINDOW = 'You can close this window.'
