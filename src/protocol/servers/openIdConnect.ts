// The profile of any standard OpenID Connect provider: code flow with PKCE for a public client (OpenID Connect Core, RFC 9700).
import { fault, invalidConfig } from '../../base/errors.ts'
import { createAttemptKey, createVerifier, type CryptoPort } from '../pkce.ts'
import { readMetadata, withoutBareSlash } from './metadata.ts'
import { readAnswer, STATE_LENGTH } from './oidcAnswer.ts'
import { parseOptions, type OidcProfile, type OpenIdConnectOptions } from './oidcOptions.ts'
import { openServer } from './openedServer.ts'
import { discoveryRequest } from './oidcRequests.ts'
import type { ServerProfile } from './profile.ts'
import { askOwnOrigin } from './receiveTokens.ts'

/**
 * The server profile of an OpenID Connect provider.
 *
 * @throws AuthError `invalid-config`, `invalid-metadata`, `issuer-mismatch`, `not-supported`
 * @example
 * createAuth({ server: openIdConnect({ issuer: 'https://login.example.com' }), clientId: 'admin', scopes: ['openid'] })
 */
export function openIdConnect(options: OpenIdConnectOptions): ServerProfile {
  return oidcProfile(options)
}

export function oidcProfile(options: OpenIdConnectOptions): OidcProfile {
  const settings = parseOptions(options)
  const { issuer, inline, discoveryUrl: url, dpop = 'off' } = settings
  const { audience, resource } = settings.parameters ?? {}

  const profile: OidcProfile = {
    id: withoutBareSlash(issuer),
    asked: [audience, resource, dpop === 'off' ? '' : 'dpop'].flat().join(' ').trim(),
    protocol: 'OpenID Connect',
    authHost: undefined,
    supports: (feature) => feature === 'userInfo' || feature === 'resourceTokens',
    checkClient({ scopes }) {
      if (!scopes.includes('openid')) throw invalidConfig('scopes', "a list with 'openid' in it")
    },
    createKey,
    readAnswer,
    settings,
    discovery: inline ? undefined : discoveryRequest(url, settings),
    readMetadata: (document, onUnusable) => inline ?? readMetadata(document, issuer, url, onUnusable),
    open(client, ports) {
      if (dpop === 'off') return openServer(profile, client, ports)
      return openServer(profile, client, ports, async () => {
        const { bindToKey } = await import('./dpop.ts')
        const proofPorts = { ...ports, askTime: () => askOwnOrigin(ports) }
        return (tokens, metadata) => bindToKey(tokens, metadata, dpop, proofPorts)
      })
    },
  }
  return profile
}

async function createKey(crypto: CryptoPort) {
  const key = await createAttemptKey(crypto)
  if (key.challenge.method === 'plain')
    throw fault(
      'proof-key-unavailable',
      'The page is not a secure context',
      'Serve it over https, or from localhost.',
    )
  const draw = () => createVerifier(crypto).slice(0, STATE_LENGTH)
  return { ...key, state: draw(), nonce: draw() }
}
