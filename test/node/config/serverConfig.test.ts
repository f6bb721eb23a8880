// The server of an app: exactly one of authHost and server, for the compiler and when it runs.
import { expect, it } from 'vitest'
import { AuthError } from '../../../src/base/errors.ts'
import { type AuthConfig, parseConfig } from '../../../src/protocol/config.ts'
import { openIdConnect } from '../../../src/protocol/servers/openIdConnect.ts'

const APP = { clientId: 'admin', scopes: ['openid'] }
const authHost = 'https://auth.example.com'
const server = openIdConnect({ issuer: 'https://login.example.com' })

const codeOf = (config: AuthConfig) => {
  try {
    parseConfig(config)
  } catch (error) {
    return error instanceof AuthError ? error.code : error
  }
  return 'taken'
}

it('one of the two is taken', () => {
  const configs: AuthConfig[] = [
    { ...APP, authHost },
    { ...APP, server },
    { ...APP, authHost, server: undefined },
  ]
  expect(configs.map(codeOf)).toEqual(['taken', 'taken', 'taken'])
})

it('the server refuses what it cannot sign in with', () => {
  expect(codeOf({ ...APP, scopes: ['profile'], server })).toBe('invalid-config')
  expect(codeOf({ ...APP, scopes: ['profile'], authHost })).toBe('taken')
})

it('both, and neither, are errors of the compiler, and of the running app', () => {
  // @ts-expect-error both
  const both: AuthConfig = { ...APP, authHost, server }
  // @ts-expect-error neither
  const neither: AuthConfig = { ...APP }
  // @ts-expect-error options of a provider are no profile: openIdConnect() makes one of them
  const options: AuthConfig = { ...APP, server: { issuer: 'https://login.example.com' } }
  expect([both, neither, options].map(codeOf)).toEqual(['invalid-config', 'missing-config', 'invalid-config'])
})

it('a transport of your own is held to its type: what opens no connection does not compile', () => {
  // @ts-expect-error a connection has publish, occupants, wake and close
  const none: AuthConfig = { ...APP, authHost, realtime: { open: () => 42 } }
  const own: AuthConfig = {
    ...APP,
    authHost,
    realtime: {
      open: () => ({
        isSpeaker: true,
        publish: async () => {},
        occupants: async () => [],
        close: () => {},
      }),
    },
  }
  expect([none, own].map(codeOf)).toEqual(['taken', 'taken'])
})
