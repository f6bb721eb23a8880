// The contestants, their modes, and what each needs of the server.
import type { Builder } from './app.ts'
import { buildEarlyScript } from '../../scripts/earlyScript.ts'
import {
  type PluginConfig,
  resolveConfig,
  scriptElement,
  scriptsFor,
} from '../../src/protocol/earlyScripts.ts'
import { openIdConnect } from '../../src/protocol/servers/openIdConnect.ts'
import type { ServerPaths } from './provider.ts'

export interface Contestant {
  /** The name in the tables. */
  name: string
  /** Folder in `pages/`. */
  page: string
  /** The bundler. Default: Vite. */
  builder?: Builder
  /** The mode of the page, which reads it as `config.mode`. */
  mode?: string
  /** The imports that its bundle is measured by: a page that signs in, gets tokens and signs out. */
  imports: string
  /** Packages whose version is shown with the name; none for what is built here. */
  packages: readonly string[]
  /** The parts to measure, if the rest equals the contestant above. */
  parts?: readonly VisitPart[]
  /** Its setup and the source of that setup. */
  note: string
  paths?: ServerPaths
  /** The path of its issuer. */
  issuerPath?: string
  redirectPaths?: readonly string[]
  /** Inline script of its page, before the app's files. */
  head?(config: { origin: string; clientId: string }): Promise<string>
  /** Refresh tokens are JWTs around the provider's own: Keycloak issues such tokens, and keycloak-js decodes them. */
  readsRefreshTokens?: boolean
}

export const STANDARD_PATHS: ServerPaths = { authorization: '/oauth/authorize', token: '/oauth/token' }

const OIDC_CONTEXT_IMPORTS = `import { AuthProvider, useAuth } from 'react-oidc-context'
globalThis.app = [AuthProvider, useAuth]`
const LATCHKEY = {
  page: 'latchkey',
  imports: `import { createAuth, AuthProvider, useAuth, useLogin, useLogout } from 'latchkey'
globalThis.app = [createAuth, AuthProvider, useAuth, useLogin, useLogout]`,
  packages: [],
} as const
const LATCHKEY_OIDC = {
  ...LATCHKEY,
  page: 'latchkeyOidc',
  imports: `${LATCHKEY.imports}
import { openIdConnect } from 'latchkey/oidc'
globalThis.server = openIdConnect`,
} as const
const AUTH0 = {
  page: 'auth0',
  imports: `import { Auth0Provider, useAuth0 } from '@auth0/auth0-react'
globalThis.app = [Auth0Provider, useAuth0]`,
  packages: ['@auth0/auth0-react', '@auth0/auth0-spa-js'],
  paths: { authorization: '/authorize', token: '/oauth/token' },
  issuerPath: '/',
} as const

const MSAL = {
  page: 'msal',
  imports: `import { PublicClientApplication } from '@azure/msal-browser'
import { MsalProvider, useIsAuthenticated, useMsal } from '@azure/msal-react'
globalThis.app = [PublicClientApplication, MsalProvider, useIsAuthenticated, useMsal]`,
  packages: ['@azure/msal-react', '@azure/msal-browser'],
  redirectPaths: ['/', '/redirect.html'],
} as const
const MSAL_NOTE =
  '`protocolMode` OIDC with the server’s metadata in the configuration, so without a discovery request; its redirect page for hidden frames.'
/** The page names its first file only; what that one imports is requested after it. */
const BY_ESBUILD = {
  builder: 'esbuild',
  parts: ['scripts', 'cold', 'coldAllFiles', 'reload', 'firstCall'],
  note: 'The first one built by esbuild with splitting: the page names one file, and nothing else is named ahead.',
} as const

/** The differences of a page that starts differently. */
const VISITS = ['cold', 'coldAllFiles', 'coldAgain', 'reload', 'knownBrowser'] as const
/** The parts that a contestant is limited to, by their names in `parts.ts`. */
export type VisitPart = (typeof VISITS)[number] | 'scripts' | 'firstCall'

/** As the Vite plugin writes them. */
async function earlyScripts(config: PluginConfig): Promise<string> {
  const elements = scriptsFor(resolveConfig(config, {})).map(async ({ name, attributes }) => {
    const { text } = await buildEarlyScript(name === 'oidc' ? 'oidc' : 'index')
    return scriptElement(text, attributes)
  })
  return (await Promise.all(elements)).join('')
}
const SCOPES = ['openid', 'profile', 'offline_access']
const oidcEarly: Contestant['head'] = ({ origin, clientId }) =>
  earlyScripts({ server: openIdConnect({ issuer: origin }), clientId, scopes: SCOPES })
const firmEarly: Contestant['head'] = ({ origin, clientId }) =>
  earlyScripts({ authHost: origin, clientId, scopes: SCOPES })

/** A page without sign-in: the cost that every page has. */
export const REACT_ALONE: Contestant = {
  name: 'React alone',
  page: 'reactAlone',
  imports: '',
  packages: [],
  note: '',
}

// To add a mode or a library: an entry here, and a folder in pages/ if the page differs.
export const CONTESTANTS: readonly Contestant[] = [
  {
    ...LATCHKEY_OIDC,
    name: 'latchkey (openIdConnect)',
    head: oidcEarly,
    note: 'As in the quick start, with the scripts of its Vite plugin inline in the page; the bundle does not count them. Like most providers, this one lists no `web_message`: its hidden frame ends at a page of the app, a round trip more. `autoLogout` off where the clock is turned, so that nobody is signed out. The page carries TanStack Query too, which the bundle does not count.',
  },
  {
    ...LATCHKEY_OIDC,
    ...BY_ESBUILD,
    head: oidcEarly,
    name: 'latchkey (openIdConnect) by esbuild',
  },
  {
    ...LATCHKEY_OIDC,
    name: 'latchkey (openIdConnect) without the Vite plugin',
    parts: VISITS,
    note: 'The first one without the scripts in the page.',
  },
  {
    ...LATCHKEY_OIDC,
    name: 'latchkey (openIdConnect) with autoLogin: false',
    mode: 'button',
    head: oidcEarly,
    parts: VISITS,
    note: 'The first one with a button: the hidden frame looks for a session before anybody can press it.',
  },
  {
    ...LATCHKEY,
    name: 'latchkey (authHost)',
    head: firmEarly,
    note: 'The same with a server of the latchkey contract.',
  },
  {
    ...LATCHKEY,
    ...BY_ESBUILD,
    head: firmEarly,
    name: 'latchkey (authHost) by esbuild',
  },
  {
    ...LATCHKEY,
    name: 'latchkey (authHost) without the Vite plugin',
    parts: VISITS,
    note: 'The same without the script in the page.',
  },
  {
    ...LATCHKEY,
    name: 'latchkey (authHost) with autoLogin: false',
    mode: 'button',
    head: firmEarly,
    parts: VISITS,
    note: 'The same with a button.',
  },
  {
    ...AUTH0,
    name: 'auth0-react',
    note: 'As in its README: tokens in memory, renewed through hidden frames. Addresses `/authorize` and `/oauth/token`, issuer with a slash, as Auth0 has them.',
  },
  {
    ...AUTH0,
    name: 'auth0-react (refresh tokens)',
    mode: 'refresh',
    note: '`useRefreshTokens` and `useRefreshTokensFallback`: tokens in memory, refreshed in its worker, hidden frames where there is no refresh token.',
  },
  {
    name: 'react-oidc-context',
    page: 'oidcContext',
    imports: OIDC_CONTEXT_IMPORTS,
    packages: ['react-oidc-context', 'oidc-client-ts'],
    redirectPaths: ['/', '/silent.html'],
    note: 'As in its README, on oidc-client-ts: the user, refresh token included, in session storage (its default), a page of its own for silent sign-in.',
  },
  {
    name: 'react-oidc-context (memory)',
    page: 'oidcContext',
    mode: 'memory',
    imports: OIDC_CONTEXT_IMPORTS,
    packages: ['react-oidc-context', 'oidc-client-ts'],
    redirectPaths: ['/', '/silent.html'],
    note: '`userStore` is `InMemoryWebStorage`; the page calls `signinSilent()` once when nobody is signed in.',
  },
  {
    name: 'oidc-spa',
    page: 'oidcSpa',
    imports: `import { oidcEarlyInit } from 'oidc-spa/entrypoint'
import { oidcSpa } from 'oidc-spa/react-spa'
globalThis.app = [oidcEarlyInit, oidcSpa]`,
    packages: ['oidc-spa'],
    note: 'As in its guide: `oidcEarlyInit` in a first script that loads the app behind it, tokens in memory.',
  },
  {
    ...MSAL,
    name: 'msal-react',
    note: `Tokens in session storage (its default). ${MSAL_NOTE}`,
  },
  {
    ...MSAL,
    name: 'msal-react (ssoSilent)',
    mode: 'silent',
    note: `Tokens in session storage, \`ssoSilent()\` once when nobody is signed in; its memory mode refuses redirects. ${MSAL_NOTE}`,
  },
  {
    name: 'keycloak-js',
    page: 'keycloak',
    imports: `import Keycloak from 'keycloak-js'
globalThis.app = Keycloak`,
    packages: ['keycloak-js'],
    redirectPaths: ['/', '/silent-check-sso.html'],
    readsRefreshTokens: true,
    note: 'As in its guide: `check-sso` with a silent page, tokens in memory; against a server that is not Keycloak by its `oidcProvider` option, so without the frames that only Keycloak has; refresh tokens wrapped as JWTs, which it decodes. It has no React of its own: the page keeps the state.',
  },
]
