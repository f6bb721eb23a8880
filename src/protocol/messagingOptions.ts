// Checks the keys and figures of the messaging service.
import { invalidConfig } from '../errors.ts'
import type { MessagingOptions } from './realtimeOptions.ts'

const ORIGIN = /^[a-z0-9.-]+(?::\d{1,5})?$|^\[[0-9a-f:]+\](?::\d{1,5})?$/i

/** @throws AuthError `invalid-config` */
export function assertMessagingOptions(options: MessagingOptions): void {
  for (const name of ['publishKey', 'subscribeKey'] as const) {
    const key = options[name]
    if (typeof key !== 'string' || !/^[\w-]{1,128}$/.test(key))
      throw invalidConfig(`realtime.${name}`, 'a key')
  }
  const { origin } = options
  if (origin !== undefined && !(typeof origin === 'string' && ORIGIN.test(origin)))
    throw invalidConfig('realtime.origin', "a host without a scheme: 'ps.example.com:443'")
  const figures = [
    'presenceTimeoutInSeconds',
    'transactionTimeoutMs',
    'subscribeTimeoutMs',
    'cacheSize',
    'fileUploadPublishRetryLimit',
  ] as const
  for (const name of figures) {
    const figure = options[name]
    if (figure !== undefined && !(Number.isFinite(figure) && figure > 0))
      throw invalidConfig(`realtime.${name}`, 'a positive number')
  }
}
