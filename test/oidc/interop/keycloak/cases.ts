// What only Keycloak shows of a session: what an administrator does there, back-channel logout, brokering, DPoP's clocks.
import { openIdConnect } from '../../../../src/protocol/servers/openIdConnect.ts'
import {
  anotherUser,
  goneSession,
  logoutInOrder,
  owedLogout,
  signedOutAndAsked,
  stepUp,
} from '../furtherCases.ts'
import { describe, must, mustBe, type Rig, type SessionCase } from '../rig.ts'
import { outlive, renewal } from '../sessionCases.ts'
import { adminOf } from './admin.ts'

/** When Keycloak has told the app's server that a session has ended (OpenID Connect Back-Channel Logout). */
export const toldAtMs: number[] = []

export const KEYCLOAK_CASES: readonly SessionCase[] = [
  stepUp,
  logoutInOrder,
  goneSession,
  owedLogout,
  anotherUser,
  {
    title: 'a session that an administrator ended',
    async run(rig) {
      const tab = await rig.signedIn()
      await rig.endSession()
      const code = await renewal(rig, tab)
      await outlive(rig, tab)
      must(describe(tab).startsWith('unauthenticated, expired'), `${code}; ${describe(tab)}`)
      return `${code}; expired with its token`
    },
  },
  {
    title: 'keys that were rotated',
    async run(rig) {
      const admin = adminOf(rig.server)
      const tab = await rig.signedIn()
      const { id } = await admin('GET', '/staff')
      await admin('POST', '/staff/components', {
        name: 'newer',
        providerId: 'rsa-generated',
        providerType: 'org.keycloak.keys.KeyProvider',
        parentId: id,
        config: { priority: ['200'] },
      })
      must((await renewal(rig, tab)) === 'renewed', describe(tab))
      const next = await rig.next(tab, tab.host.address)
      mustBe(next, 'authenticated')
      return 'renewed and reloaded; the old key is still there'
    },
  },
  {
    title: 'a client whose sign-ins must be pushed',
    async run(rig) {
      const server = openIdConnect({ ...rig.server.options, pushedRequests: 'required' })
      const tab = await rig.signedIn({ server, clientId: 'pushed' })
      must((await renewal(rig, tab)) === 'renewed', describe(tab))
      return rig.requests.filter((request) => request.includes('/par')).join(', ')
    },
  },
  {
    title: 'a logout with an identity provider behind it',
    async run(rig) {
      const issuer = rig.server.options.issuer.replace(/staff$/, 'guests')
      const server = openIdConnect({ issuer, parameters: { kc_idp_hint: 'home' } })
      const tab = await signedOutAndAsked(rig, await rig.signedIn({ server }))
      const { url, text } = await rig.look(tab)
      must(url.includes('/realms/firms/') && text.includes('username'), `the next sign-in: ${url}`)
      return 'the identity provider asks for the user again'
    },
  },
  ...[true, false].map((revokeRefreshToken) => ({
    title: `Revoke Refresh Token ${revokeRefreshToken ? 'on' : 'off'}: a refresh whose response is lost`,
    async run(rig: Rig) {
      const admin = adminOf(rig.server)
      await admin('PUT', '/staff', { realm: 'staff', revokeRefreshToken })
      try {
        const tab = await rig.signedIn()
        for (const _ of [1, 2]) must((await renewal(rig, tab)) === 'renewed', describe(tab))
        rig.hideTokens()
        await renewal(rig, tab)
        rig.showTokens()
        const before = rig.requests.length
        must((await renewal(rig, tab)) === 'renewed', describe(tab))
        return `renewed by ${rig.requests.slice(before).join(', ')}`
      } finally {
        await admin('PUT', '/staff', { realm: 'staff', revokeRefreshToken: true })
      }
    },
  })),
  {
    title: 'a logout reaches what hangs on the session',
    async run(rig) {
      const tab = await rig.signedIn()
      const before = toldAtMs.length
      await tab.auth.logout()
      await rig.follow(tab)
      must(toldAtMs.length === before + 1, `${toldAtMs.length - before} calls of back-channel logout`)
      return 'one call of back-channel logout'
    },
  },
  ...[16_000, -26_000].map((aheadMs) => ({
    title: `DPoP, a clock ${Math.abs(aheadMs) / 1000} s ${aheadMs > 0 ? 'ahead' : 'behind'}`,
    async run(rig: Rig) {
      rig.clock.jump(aheadMs)
      const server = openIdConnect({ ...rig.server.options, dpop: 'required' })
      const tab = await rig.signedIn({ server })
      await tab.auth.renew({ force: true })
      mustBe(tab, 'authenticated')
      return `signed in and renewed; ${rig.countTokenRequests()} token requests`
    },
  })),
]
