// Puts `latchkey/early` inline into the page, with attributes that tell it which session to look for.
import { buildEarlyScript } from '../../scripts/earlyScript.ts'
import { type AppConfig, configAt } from './appConfig.ts'

export interface EarlyHead {
  /** For `script-src` of the policy; the attributes do not count in it. */
  readonly hash: string
  /** The page with the script before everything else, for the host of the request. */
  addTo(page: string, host: string | undefined): string
}

export async function createEarlyHead(config: AppConfig): Promise<EarlyHead> {
  const { text, hash } = await buildEarlyScript()
  return {
    hash,
    addTo(page, host = 'localhost') {
      const { authHost, clientId, scopes } = configAt(config, host.replace(/:\d+$/, '')).auth
      // Of another server's session the script knows nothing: it only clears the address.
      const attributes =
        authHost === undefined
          ? ''
          : ` data-auth-host="${authHost}" data-client-id="${clientId}" data-scopes="${scopes.join(' ')}"`
      return page.replace('<head>', () => `<head><script${attributes}>${text}</script>`)
    },
  }
}
