// The realms of the walks through Keycloak: clients, users, organizations, an identity provider, levels of a sign-in.
import { PASSWORD } from '../server.ts'
import { adaOf, type Admin } from './admin.ts'

/** What ada's device makes codes of. */
export const OTP_SECRET = 'a-secret-of-ada-for-codes'

export const realmOf = (name: string, redirectUris: readonly string[], more: object = {}) => ({
  realm: name,
  enabled: true,
  accessTokenLifespan: 60,
  revokeRefreshToken: true,
  clients: [clientOf('admin', redirectUris)],
  users: usersOf(name),
  ...more,
})

const usersOf = (realm: string) =>
  [
    ['ada', 'Ada', 'Lovelace'],
    ['bob', 'Bob', 'Hope'],
  ].map(([username, firstName, lastName]) => ({
    username,
    firstName,
    lastName,
    enabled: true,
    emailVerified: true,
    email: `${username}@example.com`,
    credentials: [{ type: 'password', value: PASSWORD }],
    realmRoles: [`default-roles-${realm}`],
  }))

const clientOf = (clientId: string, redirectUris: readonly string[], attributes: object = {}) => ({
  clientId,
  publicClient: true,
  standardFlowEnabled: true,
  consentRequired: true,
  redirectUris,
  webOrigins: [new URL(redirectUris[0]!).origin],
  attributes: { 'pkce.code.challenge.method': 'S256', 'post.logout.redirect.uris': '+', ...attributes },
})

/** `password` is level 1 of a sign-in, `code` is level 2: the name is that of the flow, of its setting, and of the `acr`. */
function levels() {
  const forms = { password: 'auth-username-password-form', code: 'auth-otp-form' }
  const names = Object.keys(forms)
  const flow = (alias: string, steps: readonly object[]) => ({
    alias,
    providerId: 'basic-flow',
    topLevel: alias === 'by level',
    authenticationExecutions: steps.map((step, priority) => ({ requirement: 'REQUIRED', ...step, priority })),
  })
  const inner = (flowAlias: string, requirement: string) => ({
    flowAlias,
    authenticatorFlow: true,
    requirement,
  })
  const isAsked = { authenticator: 'conditional-level-of-authentication' }
  const [ada] = usersOf('levels')
  const device = {
    type: 'otp',
    secretData: JSON.stringify({ value: OTP_SECRET }),
    credentialData: JSON.stringify({ subType: 'totp', digits: 6, period: 30, algorithm: 'HmacSHA1' }),
  }
  return {
    browserFlow: 'by level',
    authenticationFlows: [
      flow('by level', [
        { authenticator: 'auth-cookie', requirement: 'ALTERNATIVE' },
        inner('levels', 'ALTERNATIVE'),
      ]),
      flow(
        'levels',
        names.map((name) => inner(name, 'CONDITIONAL')),
      ),
      ...Object.entries(forms).map(([name, authenticator]) =>
        flow(name, [{ ...isAsked, authenticatorConfig: name }, { authenticator }]),
      ),
    ],
    authenticatorConfig: names.map((alias, index) => ({
      alias,
      config: { 'loa-condition-level': String(index + 1), 'loa-max-age': '36000' },
    })),
    attributes: { 'acr.loa.map': JSON.stringify({ password: 1, code: 2 }) },
    users: [{ ...ada, credentials: [...ada!.credentials, device] }],
  }
}

interface RealmOptions {
  readonly base: string
  readonly redirectUris: readonly string[]
  readonly toldAt: string
}

/**
 * `staff` is the realm of every case; `firms` has organizations, and is the identity provider behind `guests`; in `levels` a
 * password is level 1 of a sign-in, and a code is level 2.
 */
export async function makeRealms(admin: Admin, { base, redirectUris, toldAt }: RealmOptions): Promise<void> {
  const told = { 'backchannel.logout.url': toldAt, 'backchannel.logout.session.required': 'true' }
  const ours = clientOf('admin', redirectUris, told)
  const pushed = clientOf('pushed', redirectUris, { 'require.pushed.authorization.requests': 'true' })
  await admin('POST', '', realmOf('staff', redirectUris, { clients: [ours, pushed] }))
  await admin('POST', '', realmOf('levels', redirectUris, levels()))

  const broker = {
    clientId: 'broker',
    secret: PASSWORD,
    redirectUris: [`${base}/realms/guests/broker/home/*`],
    attributes: { 'post.logout.redirect.uris': '+' },
  }
  // A page that asks for consent would not be silent.
  const clients = [{ ...ours, consentRequired: false }, broker]
  await admin('POST', '', realmOf('firms', redirectUris, { organizationsEnabled: true, clients }))
  const ada = await adaOf(admin, 'firms')
  for (const alias of ['acme', 'globex', 'initech']) {
    const domains = [{ name: `${alias}.example` }]
    const { id } = await admin('POST', '/firms/organizations', { name: alias, alias, domains })
    if (alias !== 'initech') await admin('POST', `/firms/organizations/${id}/members`, ada)
  }

  const home = { alias: 'home', providerId: 'keycloak-oidc', enabled: true }
  const found = await admin<object>('POST', '/firms/identity-provider/import-config', {
    providerId: home.providerId,
    fromUrl: `${base}/realms/firms/.well-known/openid-configuration`,
  })
  const secret = { clientId: broker.clientId, clientSecret: PASSWORD, clientAuthMethod: 'client_secret_post' }
  const identityProviders = [{ ...home, config: { ...found, ...secret } }]
  await admin('POST', '', realmOf('guests', redirectUris, { clients: [ours], users: [], identityProviders }))
}
