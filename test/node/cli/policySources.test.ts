// One reading of the sources of a policy: of the app's own page, and of who may frame the provider's.
import { expect, it } from 'vitest'
import { frameFault } from '../../../src/cli/check/headers.ts'
import { parseConfig } from '../../../src/protocol/config.ts'
import { policyFaults, readPolicy } from '../../../src/setup/policy.ts'
import { openIdConnect } from '../../../src/oidc/index.ts'

it.each([
  ['*', 'https://a.example.com', true],
  ['https:', 'https://a.example.com', true],
  ['HTTPS:', 'https://a.example.com', true],
  ['http:', 'https://a.example.com', true],
  ['https://a.example.com', 'https://a.example.com', true],
  ['HTTPS://A.Example.com', 'https://a.example.com', true],
  ['https://a.example.com/', 'https://a.example.com', true],
  ['https://a.example.com:443', 'https://a.example.com', true],
  ['http://a.example.com', 'https://a.example.com', true],
  ['a.example.com', 'https://a.example.com', true],
  ['a.example.com:*', 'https://a.example.com:8443', true],
  ['https://a.example.com:8443', 'https://a.example.com:8443', true],
  ['https://a.example.com', 'https://a.example.com:8443', false],
  ['https://a.example.com:8443', 'https://a.example.com', false],
  ['https://*.example.com', 'https://a.example.com', true],
  ['https://*.example.com', 'https://example.com', false],
  ['https://*.example.com', 'https://aexample.com', false],
  ['https://b.example.com', 'https://a.example.com', false],
  ["'none'", 'https://a.example.com', false],
  ["'self'", 'https://a.example.com', false],
])('%s names %s: %s', (source, origin, isAllowed) => {
  const headers = new Headers({ 'content-security-policy': `frame-ancestors ${source}` })
  expect(frameFault({ headers, status: 200 } as never, origin) === undefined).toBe(isAllowed)
  const settings = parseConfig({
    server: openIdConnect({ issuer: origin }),
    clientId: 'admin',
    scopes: ['openid'],
  })
  const faults = policyFaults(readPolicy(`connect-src ${source}`), settings, {
    hashes: [],
    hasNonce: false,
  })
  expect(faults.length === 0).toBe(isAllowed)
})
