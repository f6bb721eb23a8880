// The entry latchkey/vite, also latchkey/early/vite: a Vite plugin that adds the early script to the page and reports setup mistakes at build time.
import { hashOf } from '../setup/policy.ts'
import { type Configured, resolveConfig, scriptsFor } from '../protocol/earlyScripts.ts'
import { createPlugin, type LatchkeyPlugin, type LatchkeyPluginOptions, type ReadScript } from './plugin.ts'

export type { Configured, PluginConfig } from '../protocol/earlyScripts.ts'
export type { LatchkeyPlugin, LatchkeyPluginOptions, PageContext, ViteConfig, ViteServer } from './plugin.ts'
export type { BundleFile } from './preload.ts'

/** Replaced when the package is built. */
declare const EARLY_TEXTS: Readonly<Record<'inline' | 'oidc', string>>

const read: ReadScript = (name) => EARLY_TEXTS[name]

/**
 * Puts `latchkey/early` into every page, in development and in the build, with the values of your `createAuth`. Preloads
 * latchkey's own files, and warns of setup mistakes that can be seen before the app runs.
 *
 * @param config The options of `createAuth`, or a function of Vite's variables that returns them
 * @throws AuthError in a build: the error that `createAuth` would throw in the browser
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
 * quotes. They only change with the version of latchkey: the values in the attributes do not count.
 *
 * @throws AuthError the error of `createAuth` for this config
 * @example
 * earlyHashes(authConfig) // ["'sha256-…'"]
 */
export function earlyHashes(config: Configured, env: Readonly<Record<string, string>> = {}): string[] {
  return scriptsFor(resolveConfig(config, env)).map(({ name }) => hashOf(read(name)))
}
