// The first script of a page with an OpenID Connect provider: fetches the metadata and looks for the session while the app's files load, and stops the app in the hidden frame.
import { FRAME_NAME, REMEMBERED_METADATA_LIFETIME_MS } from '../base/constants.ts'
import { parseJson, recordOf } from '../base/json.ts'
import type { Remembered } from '../protocol/servers/frameOfNextPage.ts'
import { discoveryUrl, type Metadata, withoutBareSlash } from '../protocol/servers/metadata.ts'
import { hintsKey, metadataKey, sessionMarkerKey } from '../protocol/storageKeys.ts'
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

// The silent check ends at the app's own page, of which only the URL is read: nothing of it needs to run.
if (windowName() === FRAME_NAME) stop()
else if (issuer) {
  try {
    begin({ authHost: withoutBareSlash(issuer), clientId })
  } catch {
    // Start-up reports a storage that cannot be read.
  }
}

function begin(client: { authHost: string; clientId: string }): void {
  if (seemsHeldElsewhere(client)) return
  const left = ((globalThis as { [EARLY]?: Early })[EARLY] ??= {})
  // Back from the sign-in page, the app still has the metadata.
  if (/[?&#]state=/.test(location.href)) return
  const { metadata, codes } = askForMetadata(left)
  const read = (storage: Storage, key: string) => recordOf(parseJson(storage.getItem(key) ?? ''))
  const remembered = read(localStorage, metadataKey(client)) as unknown as Remembered
  if (
    remembered.frameUrl &&
    Date.now() - remembered.atMs < REMEMBERED_METADATA_LIFETIME_MS &&
    !left.frame &&
    // Without a sign of a session start-up goes to the sign-in page.
    localStorage.getItem(sessionMarkerKey(client)) &&
    !isFrameRuledOut(client)
  ) {
    const { login: hint } = read(sessionStorage, hintsKey(client))
    beginOidcSession({ remembered, hint, authHost: client.authHost, metadata, codes }, left).catch(() => {})
  }
}

/** Like the session's own request; the first one for the same URL gets the response. */
function askForMetadata(left: Early): { metadata: Promise<Metadata>; codes: Early } {
  /** The response to the code. */
  const codes: Early = { fetch: left.fetch }
  const controller = new AbortController()
  const { signal } = controller
  let response: Promise<Response> | undefined = fetch(url, {
    headers: { accept: 'application/json' },
    credentials: 'omit',
    redirect: 'manual',
    cache: 'no-store',
    signal,
  })
  const metadata = response.then((asked) => asked.clone().json() as Promise<Metadata>)
  metadata.catch(() => {})
  left.fetch = (input, init) => {
    const asked = response
    if (input !== url || !asked) return codes.fetch?.(input, init)
    response = undefined
    init?.signal?.addEventListener('abort', () => controller.abort())
    // A request that has failed meanwhile is made again.
    return asked.catch(() => fetch(input, init))
  }
  return { metadata, codes }
}
