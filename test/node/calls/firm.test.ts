// A change of a firm, an id in an address, a domain: what is refused before anything is sent.
import { describe, expect, it } from 'vitest'
import { errorOf, told } from '../thrownError.ts'
import { checkDomain, cloudAccessTokenPath } from '../../../src/protocol/endpoints.ts'
import { checkFirmUpdate } from '../../../src/queries/cloudProvider.ts'

describe('a firm, an id, a domain', () => {
  it.each([undefined, null, '', '  ', {}, [], true, Number.NaN, Number.POSITIVE_INFINITY])(
    'the cloud provider %j is none',
    (cloudProviderId) => {
      expect(
        errorOf(() => checkFirmUpdate({ id: 'f1', cloudProviderId: cloudProviderId as string })).code,
      ).toBe('cloud-provider-id-required')
    },
  )
  it.each(['x', 0, 7])('the cloud provider %j is one', (cloudProviderId) => {
    expect(checkFirmUpdate({ id: 'f1', cloudProviderId })).toEqual({ id: 'f1', cloudProviderId })
  })

  it('an id that cannot stand in an address is named with what to do', () => {
    const [code, message, remedy] = told(() => cloudAccessTokenPath('..'))
    expect([code, message, remedy]).toEqual([
      'invalid-argument',
      expect.stringMatching(/ cannot stand in an address$/),
      expect.stringMatching(/^Pass the .+ as the server gave it\.$/),
    ])
    for (const id of [Number.NaN, Number.POSITIVE_INFINITY, {}, true] as never[])
      expect(told(() => cloudAccessTokenPath(id))[0]).toBe('invalid-argument')
  })

  it('a domain that is none is named with an example', () => {
    expect(told(() => checkDomain('a b'))).toEqual([
      'invalid-argument',
      'domain is not a domain name',
      'Pass a name like firm.example.',
    ])
    expect(checkDomain('a'.repeat(253))).toHaveLength(253)
    expect(() => checkDomain('a'.repeat(254))).toThrow('domain is not a domain name')
  })
})
