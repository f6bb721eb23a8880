// Puts `latchkey/early` into the demo's pages as its Vite plugin does, from the sources of this repository.
import { buildEarlyScript } from '../../scripts/earlyScript.ts'
import { openIdConnect } from '../../src/oidc/index.ts'
import { hashOf } from '../../src/setup/policy.ts'
import type { ReadScript } from '../../src/vite/plugin.ts'
import {
  type PluginConfig,
  resolveConfig,
  scriptElement,
  scriptsFor,
  withScripts,
} from '../../src/protocol/earlyScripts.ts'
import { type AppConfig, configAt } from './appConfig.ts'

/** What the plugin gets: the same that the app passes to `createAuth`. */
export function earlyConfig({ auth, provider }: AppConfig): PluginConfig {
  const { authHost = '', ...settings } = auth
  return { ...settings, ...(provider ? { server: openIdConnect(provider) } : { authHost }) }
}

/** The scripts as the package has them. */
export async function readEarlyScripts(): Promise<ReadScript> {
  const { NODE_ENV: before } = process.env
  const [inline, oidc] = await Promise.all([buildEarlyScript(), buildEarlyScript('oidc')])
  // Vite leaves `production` there, and the development server would serve React, and the query devtools, in that form.
  if (before === undefined) delete process.env['NODE_ENV']
  else process.env['NODE_ENV'] = before
  const texts = { inline: inline.text, oidc: oidc.text }
  return (name) => texts[name]
}

/** For an app that was built before its servers had an address. */
export async function createEarlyHead(config: AppConfig) {
  const read = await readEarlyScripts()
  return {
    /** For `script-src` of the policy; the attributes do not count in them. */
    hashes: `${hashOf(read('inline'))} ${hashOf(read('oidc'))}`,
    /** The page with the script before everything else, for the host of the request. */
    addTo(page: string, host = 'localhost'): string {
      const settings = resolveConfig(earlyConfig(configAt(config, host.replace(/:\d+$/, ''))), {})
      const elements = scriptsFor(settings).map(({ name, attributes }) =>
        scriptElement(read(name), attributes),
      )
      return withScripts(page, elements.join(''))
    },
  }
}
