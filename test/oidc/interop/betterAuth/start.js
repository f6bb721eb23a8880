// Starts better-auth with its OAuth provider as a process of its own: node start.js PORT BASE REDIRECT_URI...
import { createServer } from 'node:http'
import { memoryAdapter } from '@better-auth/memory-adapter'
import { oauthProvider } from '@better-auth/oauth-provider'
import { betterAuth } from 'better-auth'
import { toNodeHandler } from 'better-auth/node'
import { jwt } from 'better-auth/plugins'

const [port, base, ...redirectUris] = process.argv.slice(2)
const tables = [
  'user',
  'session',
  'account',
  'verification',
  'jwks',
  'oauthClient',
  'oauthAccessToken',
  'oauthRefreshToken',
  'oauthConsent',
  'oauthResource',
  'oauthClientResource',
  'oauthClientAssertion',
]
const auth = betterAuth({
  baseURL: base,
  secret: 'not-a-secret-not-a-secret-not-a-secret',
  database: memoryAdapter(Object.fromEntries(tables.map((table) => [table, []]))),
  emailAndPassword: { enabled: true },
  trustedOrigins: redirectUris.map((uri) => new URL(uri).origin),
  telemetry: { enabled: false },
  rateLimit: { enabled: false },
  disabledPaths: ['/token'],
  plugins: [
    jwt(),
    oauthProvider({
      loginPage: '/login',
      consentPage: '/consent',
      accessTokenExpiresIn: 60,
      idTokenExpiresIn: 60,
      silenceWarnings: { oauthAuthServerConfig: true, openidConfig: true },
    }),
  ],
})
await auth.api.signUpEmail({
  body: { name: 'Ada', email: 'ada@example.test', password: 'not-a-secret' },
})
const { adapter } = await auth.$context
await adapter.create({
  model: 'oauthClient',
  data: {
    clientId: 'admin',
    name: 'admin',
    public: true,
    tokenEndpointAuthMethod: 'none',
    grantTypes: ['authorization_code', 'refresh_token'],
    responseTypes: ['code'],
    redirectUris,
    postLogoutRedirectUris: redirectUris,
    scopes: ['openid', 'profile', 'email', 'offline_access'],
    requirePKCE: true,
    skipConsent: true,
    enableEndSession: true,
    disabled: false,
    createdAt: new Date(),
    updatedAt: new Date(),
  },
})
createServer(toNodeHandler(auth)).listen(Number(port), '127.0.0.1', () => console.log('ready'))
