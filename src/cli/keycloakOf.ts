// Tells Keycloak by its issuer, for which latchkey/oidc has a preset.

/** As a literal between single quotes of a source. */
export const quoted = (value: string): string => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** The call of the preset, as it stands in a source; `undefined` for another provider. */
export function keycloakOf(issuer: string): string | undefined {
  const [, url, realm] = /^(https?:\/\/.+)\/realms\/([^/]+)\/?$/.exec(issuer) ?? []
  if (url === undefined || realm === undefined) return undefined
  try {
    return `keycloak({ url: ${quoted(url)}, realm: ${quoted(decodeURIComponent(realm))} })`
  } catch {
    return undefined
  }
}
