// Okta, from its documentation.
import { idTokens, type Provider, tokens } from './trait.ts'

const SITE = 'okta/okta-developer-docs packages/@okta/vuepress-site'

export const okta: Provider = {
  name: 'Okta',
  issuer: 'https://example.okta.com/oauth2/default',
  paths: {
    authorization: '/oauth2/default/v1/authorize',
    token: '/oauth2/default/v1/token',
    userinfo: '/oauth2/default/v1/userinfo',
    revocation: '/oauth2/default/v1/revoke',
    end_session: '/oauth2/default/v1/logout',
    jwks: '/oauth2/default/v1/keys',
  },
  everyday: [
    {
      name: 'a refresh without scope brings no ID token',
      source: `${SITE}/docs/guides/refresh-tokens/main/index.md, "Use a refresh token", 2026-08-21`,
      wrap: tokens((_body, form) =>
        form.has('refresh_token') && !form.get('scope')?.includes('openid') ? { id_token: undefined } : {},
      ),
    },
    {
      name: 'the ID token has amr, idp, ver and auth_time, and no sid',
      source: `${SITE}/docs/reference/api/oidc/index.md, "ID token payload": no sid among them, read 2026-11-26`,
      wrap: idTokens(({ iat, auth_time }) => ({
        amr: ['pwd'],
        idp: '00o1',
        ver: 1,
        sid: undefined,
        auth_time: auth_time ?? iat,
      })),
    },
  ],
}
