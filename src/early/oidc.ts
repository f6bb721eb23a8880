// The first script of a page with an OpenID Connect provider: asks for its metadata while the app's files are on their way, and keeps the app from starting in its own frame (contract §11).
import { FRAME_NAME, METADATA_LIFETIME_MS } from '../constants.ts'
import { listOf, parseJson, recordOf } from '../json.ts'
import { discoveryUrl, withoutBareSlash } from '../protocol/servers/metadata.ts'
import { metadataKey, sessionMarkerKey } from '../protocol/storageKeys.ts'
import { EARLY } from '../session/platform/browserEarly.ts'
import { windowName } from '../session/platform/browserFrame.ts'
import type { Early } from '../session/platform/platform.ts'

const {
  issuer,
  clientId = '',
  discoveryUrl: url = discoveryUrl(issuer ?? ''),
} = document.currentScript?.dataset ?? {}

// The silent check ends at the app's own page, and all that counts is its address: nothing of it needs to run.
if (windowName() === FRAME_NAME) stop()
else if (issuer && navigator.onLine && isWanted({ authHost: withoutBareSlash(issuer), clientId })) ask()

/** Whether start-up will ask for the metadata: it is not kept from the page before, and no other tab seems to have it. */
function isWanted(client: { authHost: string; clientId: string }): boolean {
  try {
    const { tabs } = recordOf(parseJson(localStorage.getItem(sessionMarkerKey(client)) ?? ''))
    const { atMs } = recordOf(parseJson(sessionStorage.getItem(metadataKey(client)) ?? ''))
    return listOf(tabs).length === 0 && !(Date.now() - Number(atMs) < METADATA_LIFETIME_MS)
  } catch {
    // Start-up says what there is to say about a storage that cannot be read.
    return false
  }
}

/** As the session's own request; who asks for the same address first gets the response. */
function ask(): void {
  const left = ((globalThis as { [EARLY]?: Early })[EARLY] ??= {})
  const { fetch: otherwise } = left
  const response = fetch(url, {
    headers: { accept: 'application/json' },
    credentials: 'omit',
    redirect: 'error',
    cache: 'no-store',
  })
  response.catch(() => {})
  left.fetch = (input, init) => {
    if (input !== url) return otherwise?.(input, init)
    left.fetch = otherwise
    // A request that has failed meanwhile is made again.
    return response.catch(() => fetch(input, init))
  }
}
