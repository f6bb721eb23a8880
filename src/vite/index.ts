// The entry latchkey/vite, also latchkey/early/vite: a Vite plugin that puts the early script into the page, and says at build time what is set up wrongly.
import { hashOf } from '../setup/policy.ts'
import { type Configured, resolveConfig, scriptsFor } from '../protocol/earlyScripts.ts'
import { createPlugin, type LatchkeyPlugin, type LatchkeyPluginOptions, type ReadScript } from './plugin.ts'

export type { Configured, PluginConfig } from '../protocol/earlyScripts.ts'
export type { LatchkeyPlugin, LatchkeyPluginOptions, PageContext, ViteConfig, ViteServer } from './plugin.ts'
export type { BundleFile } from './preload.ts'

/** Written in when the package is built. */
declare const EARLY_TEXTS: Readonly<Record<'inline' | 'oidc', string>>

const read: ReadScript = (name) => EARLY_TEXTS[name]

/**
 * Puts `latchkey/early` into every page, in development and in the build, with the values of your `createAuth`. Preloads
 * latchkey's own files, and warns of what is set up wrongly as far as that can be seen before the app runs.
 *
 * @param config what `createAuth` gets, or a function of Vite's variables that returns it
 * @throws AuthError in a build: what `createAuth` would throw in the browser
 * @example
 * // vite.config.ts
 * import { latchkey } from 'latchkey/vite'
 * import { authConfig } from './src/authConfig'
 *
 * export default { plugins: [latchkey(authConfig)] }
 */
export function latchkey(config: Configured, options: LatchkeyPluginOptions = {}): LatchkeyPlugin {
  return createPlugin(config, options, read)
}

/**
 * The hashes of the scripts that the plugin puts into a page, for `script-src` of a Content-Security-Policy, with their
 * quotes. They change with the version of latchkey only: the values in the attributes are no part of them.
 *
 * @throws AuthError what `createAuth` throws for this config
 * @example
 * earlyHashes(authConfig) // ["'sha256-…'"]
 */
export function earlyHashes(config: Configured, env: Readonly<Record<string, string>> = {}): string[] {
  return scriptsFor(resolveConfig(config, env)).map(({ name }) => hashOf(read(name)))
}
