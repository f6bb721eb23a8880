// The checked configuration as the devtools show it: with defaults, without keys and tokens.
import { parseJson, recordOf } from '../base/json.ts'
import type { Settings } from '../protocol/config.ts'

/** Names and values as text. */
export type SettingsView = Readonly<Record<string, string>>

/** `metadata` is what is kept of the server's, as text; `isBound`: whether its access token is bound to a key. */
export function viewSettings(
  { server, initToken, realtime, ...settings }: Settings,
  { metadata, isBound }: { metadata?: string | undefined; isBound?: boolean | undefined } = {},
): SettingsView {
  const endpoints = Object.entries(recordOf(recordOf(parseJson(metadata))['document'])).filter(
    ([name, value]) => name.endsWith('_endpoint') && typeof value === 'string',
  )
  const shown = {
    'server.protocol': server.protocol,
    'server.id': server.id,
    ...Object.fromEntries(endpoints.map(([name, value]) => [`server.${name}`, value])),
    ...(isBound !== undefined && { 'server.bound': isBound }),
    ...settings,
    authHost: server.authHost,
    initToken: initToken === undefined ? undefined : 'set',
    realtime: realtime && ('open' in realtime ? 'a transport of the app’s own' : 'messaging service'),
    ...(realtime && { 'realtime.isProtected': realtime.isProtected }),
  }
  return Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, textOf(value)]))
}

function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (value === undefined) return 'not set'
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'object')
    return (Array.isArray(value) ? value : Object.keys(value!)).join(', ') || 'none'
  // A query may contain keys.
  return (value as string | number).toString().replace(/[?#].*$/, '')
}
