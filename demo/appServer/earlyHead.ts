// Puts `latchkey/early` inline into the page, with attributes that tell it which session to look for.
import { buildEarlyScript } from '../../scripts/earlyScript.ts'
import { type AppConfig, configAt } from './appConfig.ts'

export interface EarlyHead {
  /** For `script-src` of the policy; the attributes do not count in them. */
  readonly hashes: string
  /** The page with the script before everything else, for the host of the request. */
  addTo(page: string, host: string | undefined): string
}

export async function createEarlyHead(config: AppConfig): Promise<EarlyHead> {
  const [whole, metadata] = await Promise.all([buildEarlyScript(), buildEarlyScript('oidc')])
  return {
    hashes: `${whole.hash} ${metadata.hash}`,
    addTo(page, host = 'localhost') {
      const { auth, provider } = configAt(config, host.replace(/:\d+$/, ''))
      const { authHost, clientId, scopes } = auth
      const scripts = provider
        ? // Without attributes the first one only takes the response out of the address.
          `<script data-issuer="${provider.issuer}" data-client-id="${clientId}">${metadata.text}</script><script>${whole.text}</script>`
        : `<script data-auth-host="${authHost}" data-client-id="${clientId}" data-scopes="${scopes.join(' ')}">${whole.text}</script>`
      return page.replace('<head>', () => `<head>${scripts}`)
    },
  }
}
