// The early scripts of a page for a config of createAuth, with their attributes.
import { type AuthOptions, parseConfig, type ServerConfig, type Settings } from './config.ts'
import type { ServerProfile } from './servers/profile.ts'

/** The argument of `createAuth`. */
export type PluginConfig = AuthOptions &
  ServerConfig & {
    /** Not read: claims are for the app. */
    claims?: unknown
  }

/** The config of `createAuth`, or a function of the variables that `import.meta.env` has in the app. */
export type Configured = PluginConfig | ((env: Readonly<Record<string, string>>) => PluginConfig)

type Attributes = Readonly<Record<string, string>>
export type EarlyScript = { readonly name: 'inline' | 'oidc'; readonly attributes: Attributes }

/** Only a profile without `metadata` in its options has `discovery`. */
type Discovering = ServerProfile & { readonly discovery?: { readonly url: string } | undefined }

/** @throws AuthError as `createAuth` does */
export function resolveConfig(config: Configured, env: Readonly<Record<string, string>>): Settings {
  return parseConfig(
    (typeof config === 'function' ? config(env) : config) as Parameters<typeof parseConfig>[0],
  )
}

export function scriptsFor(settings: Settings): readonly EarlyScript[] {
  const { clientId, scopes, redirectUri, rememberMe } = settings
  const { id, authHost, discovery }: Discovering = settings.server
  if (authHost !== undefined) {
    const attributes = {
      'data-auth-host': authHost,
      'data-client-id': clientId,
      'data-scopes': scopes.join(' '),
      ...(redirectUri !== undefined && { 'data-redirect-uri': redirectUri }),
      ...(rememberMe && { 'data-remember-me': 'true' }),
    }
    return [{ name: 'inline', attributes }]
  }
  // Without attributes, the script only removes the response from the URL.
  const cleaning: EarlyScript = { name: 'inline', attributes: {} }
  if (!discovery) return [cleaning]
  const attributes = { 'data-issuer': id, 'data-client-id': clientId, 'data-discovery-url': discovery.url }
  return [{ name: 'oidc', attributes }, cleaning]
}

const escape = (value: string) =>
  value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

export function scriptElement(text: string, attributes: Attributes, nonce?: string): string {
  const all = Object.entries({ ...(nonce !== undefined && { nonce }), ...attributes })
  return `<script${all.map(([name, value]) => ` ${name}="${escape(value)}"`).join('')}>${text}</script>`
}

/** The start of the head, before any code. The encoding must stay in the first 1024 bytes of the page. */
const HEAD_START = /<head\b[^>]*>(?:\s*(?:<!--[\s\S]*?-->|<meta\b[^>]*>))*/i
/** For a page without `<head>`. An element before the doctype would switch the page to quirks mode. */
const PAGE_START = /^(?:\s*(?:<!--[\s\S]*?-->|<(?:!doctype|html|meta)\b[^>]*>))*/i

/** Inserts script elements before everything that runs. */
export function withScripts(html: string, elements: string): string {
  const start = HEAD_START.test(html) ? HEAD_START : PAGE_START
  return html.replace(start, (found) => found + elements)
}
