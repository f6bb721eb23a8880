// The stand-ins of providers that cannot be run here, each with the options that an app uses for it.
import { auth0 as auth0Stand } from '../../../demo/servers/oidc/traits/auth0.ts'
import { cognito as cognitoStand } from '../../../demo/servers/oidc/traits/cognito.ts'
import {
  azureB2c as b2cStand,
  ENTRA_TENANT,
  entra as entraStand,
  entraExternal,
  entraOrganizations,
} from '../../../demo/servers/oidc/traits/entra.ts'
import { keycloak as keycloakStand } from '../../../demo/servers/oidc/traits/keycloak.ts'
import { okta as oktaStand } from '../../../demo/servers/oidc/traits/okta.ts'
import type { Provider, Trait } from '../../../demo/servers/oidc/traits/trait.ts'
import { startStandIn } from '../../../demo/servers/oidc/startStandIn.ts'
// What the session loads later, loaded now: the fake clock waits for requests, not for files.
import '../../../src/protocol/servers/dpop.ts'
import '../../../src/session/later.ts'
import { actAtOidcProvider } from './browser.ts'
import { createRig, type Rig } from './rig.ts'
import type { RunningServer } from './server.ts'
import { auth0, cognito, entra, keycloak, okta, type OpenIdConnectOptions } from '../../../src/oidc/index.ts'

/** A provider, and what an app says of it. */
export interface StandInCase {
  readonly provider: Provider
  readonly preset: OpenIdConnectOptions
  readonly scopes: readonly string[]
}

export const STAND_INS = {
  keycloak: {
    provider: keycloakStand,
    preset: keycloak({ url: 'https://login.example.com', realm: 'staff' }),
    scopes: ['openid', 'profile'],
  },
  entra: {
    provider: entraStand,
    preset: entra({ tenant: ENTRA_TENANT }),
    scopes: ['openid', 'profile', 'offline_access'],
  },
  entraOrganizations: {
    provider: entraOrganizations,
    preset: entra({ tenant: 'organizations', tenants: [ENTRA_TENANT] }),
    scopes: ['openid', 'profile', 'offline_access'],
  },
  entraExternalId: {
    provider: entraExternal,
    preset: {
      issuer: `https://${ENTRA_TENANT}.ciamlogin.com/${ENTRA_TENANT}/v2.0`,
      discoveryUrl: `https://example.ciamlogin.com/${ENTRA_TENANT}/v2.0/.well-known/openid-configuration`,
      loginHintClaim: ['login_hint', 'preferred_username'],
      logoutHintClaim: 'login_hint',
    },
    scopes: ['openid', 'profile', 'offline_access'],
  },
  azureB2c: {
    provider: b2cStand,
    preset: {
      issuer: `https://example.b2clogin.com/${ENTRA_TENANT}/v2.0/`,
      discoveryUrl: `https://example.b2clogin.com/${ENTRA_TENANT}/b2c_1_signin/v2.0/.well-known/openid-configuration`,
    },
    scopes: ['openid', 'offline_access'],
  },
  auth0: {
    provider: auth0Stand,
    preset: auth0({ domain: 'example.eu.auth0.com', audience: 'https://api.example.com' }),
    scopes: ['openid', 'profile', 'offline_access'],
  },
  okta: {
    provider: oktaStand,
    preset: okta({ domain: 'example.okta.com', authorizationServer: 'default' }),
    scopes: ['openid', 'profile', 'offline_access'],
  },
  cognito: {
    provider: cognitoStand,
    preset: cognito({
      region: 'eu-west-1',
      userPoolId: 'eu-west-1_AbCdEf',
      domain: 'example.auth.eu-west-1.amazoncognito.com',
    }),
    scopes: ['openid', 'profile'],
  },
} satisfies Record<string, StandInCase>

/** The test that holds what a provider does every day. */
export const WHOLE_SESSION = 'keeps a whole session, with what this provider does every day'

export const APP = 'http://localhost:5173/'

/** A stand-in as the walks through a session know servers. */
export async function startServer(
  { provider, preset, scopes }: StandInCase,
  traits?: readonly Trait[],
): Promise<RunningServer> {
  const running = await startStandIn(provider, { ...(traits && { traits }) })
  return {
    options: preset,
    clientId: running.clientId,
    scopes,
    tokenPath: provider.paths.token,
    isForgetful: true,
    fetch: running.fetch,
    act: (page, browser, says) =>
      actAtOidcProvider(page, browser, { says, isLogout: page.text.includes('op.logoutForm') }),
    pause: running.pause,
    stop: running.close,
  }
}

/** Works in a browser at a stand-in whose everyday traits have these around them. */
export async function inRig(
  which: StandInCase,
  more: readonly Trait[],
  work: (rig: Rig) => Promise<string>,
): Promise<string> {
  const everyday = which.provider.everyday.filter((one) => !more.includes(one))
  const server = await startServer(which, [...more, ...everyday])
  const rig = createRig(server, APP)
  try {
    return await work(rig)
  } finally {
    rig.close()
    await server.stop()
  }
}
