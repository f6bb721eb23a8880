// The early script for servers and bundlers that put it into a page themselves.
import { type Configured, resolveConfig, scriptElement, scriptsFor } from '../protocol/earlyScripts.ts'

/** Written in when the package is built. */
declare const EARLY_TEXTS: Readonly<Record<'inline' | 'oidc', string>>

/** A script to put into a page, before everything that runs. */
export interface RenderedScript {
  /** The script, unchanged. */
  readonly text: string
  /** Attributes of the script element. */
  readonly attributes: Readonly<Record<string, string>>
}

/**
 * The scripts of `latchkey/early` for a config of `createAuth`, in their order.
 *
 * @throws AuthError what `createAuth` throws for this config
 * @example
 * // app/layout.tsx of Next
 * <head>
 *   {earlyScripts(authConfig).map(({ text, attributes }, index) => (
 *     <script key={index} {...attributes} dangerouslySetInnerHTML={{ __html: text }} />
 *   ))}
 * </head>
 */
export function earlyScripts(
  config: Configured,
  env: Readonly<Record<string, string>> = {},
): RenderedScript[] {
  return scriptsFor(resolveConfig(config, env)).map(({ name, attributes }) => ({
    text: EARLY_TEXTS[name],
    attributes,
  }))
}

/**
 * The same as HTML, for templates.
 *
 * @throws AuthError what `createAuth` throws for this config
 * @example
 * // webpack.config.js, with html-webpack-plugin and <%= early %> in the template
 * new HtmlWebpackPlugin({ templateParameters: { early: earlyHtml(authConfig) } })
 */
export function earlyHtml(config: Configured, env: Readonly<Record<string, string>> = {}): string {
  return earlyScripts(config, env)
    .map(({ text, attributes }) => scriptElement(text, attributes))
    .join('')
}
