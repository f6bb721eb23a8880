// The pages that open in a window of their own, and the message that ends one (spec §2, contract §4 "popups").
import { memberOf } from '../json.ts'
import type { Settings } from './config.ts'

/** Pages of the authorization server that open in a popup. */
export type PopupPage = 'link' | 'unlink' | 'reauthenticate' | 'adminconsent' | 'changepassword'

/** Where a popup waits while its one-time parameters are fetched. */
export const BLANK = 'about:blank'

const CLOSE_MESSAGE = 'closeMe'

/** Address of a popup's page; it carries no token. */
export function popupUrl(
  { authHost, clientId }: Pick<Settings, 'authHost' | 'clientId'>,
  page: PopupPage,
  parameters: Readonly<Record<string, string>> = {},
): string {
  const path = page === 'changepassword' ? '/oauth/changepassword' : `/cloudprovider/${page}`
  return `${authHost}${path}?${new URLSearchParams({ client_id: clientId, ...parameters })}`
}

/** Address of the page that ends what a popup has half done, and says closeMe; it carries no token. */
export const closeUrl = ({ authHost, clientId }: Pick<Settings, 'authHost' | 'clientId'>): string =>
  `${authHost}/oauth/close?${new URLSearchParams({ client_id: clientId })}`

/** Whether a message says that its popup is over: 'closeMe', or an object whose type, name or message is it. */
export function isCloseMessage(data: unknown): boolean {
  if (data === CLOSE_MESSAGE) return true
  return ['type', 'name', 'message'].some((name) => memberOf(data, name) === CLOSE_MESSAGE)
}
