// The first script of a page with an OpenID Connect provider: asks for the metadata, and looks for the session, while the app's files are on their way, and keeps the app from starting in its own frame.
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
  // Back from the sign-in page, the app has the metadata that it left with.
  if (/[?&#]state=/.test(location.href)) return
  const { metadata, codes } = askForMetadata(left)
  const read = (storage: Storage, key: string) => recordOf(parseJson(storage.getItem(key) ?? ''))
  const remembered = read(localStorage, metadataKey(client)) as unknown as Remembered
  if (
    remembered.frameUrl &&
    Date.now() - remembered.atMs < REMEMBERED_METADATA_LIFETIME_MS &&
    !left.frame &&
    // Otherwise nothing speaks for a session: start-up goes to the sign-in page.
    localStorage.getItem(sessionMarkerKey(client)) &&
    !isFrameRuledOut(client)
  ) {
    const { login: hint } = read(sessionStorage, hintsKey(client))
    beginOidcSession({ remembered, hint, authHost: client.authHost, metadata, codes }, left).catch(() => {})
  }
}

/** As the session's own request; who asks for the same address first gets the response. */
function askForMetadata(left: Early): { metadata: Promise<Metadata>; codes: Early } {
  /** What is left beside it. */
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
