// The first script of a page with an OpenID Connect provider: looks for the session, or for the metadata, while the app's files are on their way, and keeps the app from starting in its own frame.
import { FRAME_NAME, METADATA_LIFETIME_MS } from '../base/constants.ts'
import { parseJson, recordOf } from '../base/json.ts'
import { discoveryUrl, withoutBareSlash } from '../protocol/servers/metadata.ts'
import { metadataKey } from '../protocol/storageKeys.ts'
import { EARLY } from '../session/platform/browserShared.ts'
import { windowName } from '../session/platform/browserFrame.ts'
import type { Early } from '../session/platform/platform.ts'
import { beginOidcSession } from './beginOidcSession.ts'
import { isFrameRuledOut, seemsHeldElsewhere } from './ruledOut.ts'

const {
  issuer,
  clientId = '',
  discoveryUrl: url = discoveryUrl(issuer ?? ''),
} = document.currentScript?.dataset ?? {}

// The silent check ends at the app's own page, and all that counts is its address: nothing of it needs to run.
if (windowName() === FRAME_NAME) stop()
else if (issuer) {
  try {
    begin({ authHost: withoutBareSlash(issuer), clientId })
  } catch {
    // Start-up says what there is to say about a storage that cannot be read.
  }
}

function begin(client: { authHost: string; clientId: string }): void {
  if (seemsHeldElsewhere(client)) return
  const left = ((globalThis as { [EARLY]?: Early })[EARLY] ??= {})
  const kept = recordOf(parseJson(sessionStorage.getItem(metadataKey(client)) ?? ''))
  // What start-up keeps from the page before in this tab.
  if (!(Date.now() - Number(kept['atMs']) < METADATA_LIFETIME_MS)) askForMetadata(left)
  // A response in the address comes first.
  else if (!left.frame && !/[?&#]state=/.test(location.href) && !isFrameRuledOut(client))
    beginOidcSession(kept, left).catch(() => {})
}

/** As the session's own request; who asks for the same address first gets the response. */
function askForMetadata(left: Early): void {
  const { fetch: otherwise } = left
  const controller = new AbortController()
  const { signal } = controller
  const response = fetch(url, {
    headers: { accept: 'application/json' },
    credentials: 'omit',
    redirect: 'manual',
    cache: 'no-store',
    signal,
  })
  response.catch(() => {})
  left.fetch = (input, init) => {
    if (input !== url) return otherwise?.(input, init)
    left.fetch = otherwise
    init?.signal?.addEventListener('abort', () => controller.abort())
    // A request that has failed meanwhile is made again.
    return response.catch(() => fetch(input, init))
  }
}
