// The checked configuration as the devtools show it: with defaults, without keys and tokens.
import { parseJson, recordOf } from '../base/json.ts'
import type { Settings } from '../protocol/config.ts'

/** Names and values as text. */
export type SettingsView = Readonly<Record<string, string>>

/** `metadata` is what is kept of the server's, as text; `isBound`: whether its access token is bound to a key. */
export function viewSettings(
  settings: Settings,
  { metadata, isBound }: { metadata?: string | undefined; isBound?: boolean | undefined } = {},
): SettingsView {
  const { realtime, hooks, messages } = settings
  const isService = realtime !== undefined && !('open' in realtime)
  return {
    'server.protocol': settings.server.protocol,
    'server.id': settings.server.id,
    ...endpoints(metadata),
    ...(isBound !== undefined && { 'server.bound': isBound ? 'yes' : 'no' }),
    authHost: settings.server.authHost ?? 'none',
    clientId: settings.clientId,
    scopes: list(settings.scopes),
    autoLogin: onOff(settings.autoLogin),
    autoLogout: onOff(settings.autoLogout),
    autoRefreshToken: onOff(settings.autoRefreshToken),
    checkSessionOnWake: onOff(settings.checkSessionOnWake),
    idleTimeoutInMinutes: String(settings.idleTimeoutInMinutes),
    iframeTimeoutInSeconds: String(settings.iframeTimeoutInSeconds),
    uniqueSession: onOff(settings.uniqueSession),
    rememberMe: onOff(settings.rememberMe),
    redirectUri: address(settings.redirectUri, 'the page’s origin and /'),
    audience: settings.audience,
    initToken: settings.initToken === undefined ? 'not set' : 'set',
    redirectionsUrl: address(settings.redirectionsUrl, 'none'),
    allowedEnvironmentHosts: list(settings.allowedEnvironmentHosts),
    apiOrigins: list(settings.apiOrigins),
    sessionType: settings.sessionType,
    deviceId: settings.deviceId ?? 'none',
    firmChannel: settings.firmChannel ? 'a function' : 'firm_{firmId}',
    realtime:
      realtime === undefined
        ? 'tabs of this browser only'
        : isService
          ? 'messaging service'
          : 'a line of the app’s own',
    ...(isService && { 'realtime.isProtected': onOff(realtime.isProtected) }),
    hooks: list(Object.keys(hooks)),
    messages: `${Object.keys(messages).length} replaced`,
  }
}

/** Where the server is asked; nothing else of its metadata. */
const endpoints = (metadata: string | undefined): SettingsView =>
  Object.fromEntries(
    Object.entries(recordOf(recordOf(parseJson(metadata))['document']))
      .filter(([name, value]) => name.endsWith('_endpoint') && typeof value === 'string')
      .map(([name, value]) => [`server.${name}`, address(String(value), 'none')]),
  )

const onOff = (value: boolean) => (value ? 'on' : 'off')
const list = (values: readonly string[]) => (values.length === 0 ? 'none' : values.join(', '))

// A query may contain keys.
const address = (value: string | undefined, otherwise: string) => value?.replace(/[?#].*$/, '') ?? otherwise
