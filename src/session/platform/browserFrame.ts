// The hidden frame in a real page: what it says, and how it is seen to fail (contract §4 "frame").
import type { Platform } from './platform.ts'

/** The browser has no event for a frame that has come to another address: it is looked at this often. */
const LOOK_EVERY_MS = 20
const NOWHERE = 'about:blank'

/** Name of the frame or popup that the page itself is in; '' in a tab of its own. */
export const windowName = (): string => (parent === window && !window.opener ? '' : window.name)

/** Opens the frame; every listener is there before its address is. `readAddress` tells where it has come to. */
export function openFrame(
  { name, url, origin, readsAddress, listen }: Parameters<Platform['openFrame']>[0],
  readAddress?: (frame: HTMLIFrameElement) => string | undefined,
) {
  const frame = document.createElement('iframe')
  frame.name = name
  frame.title = name
  frame.hidden = true
  frame.tabIndex = -1
  frame.ariaHidden = 'true'
  // Every listener before the address: an answer may come before the load event, and a refusal at once.
  const onMessage = (event: MessageEvent) => {
    if (event.origin === origin && event.source && event.source === frame.contentWindow) {
      listen({ type: 'message', data: event.data })
    }
  }
  const onViolation = (event: SecurityPolicyViolationEvent) => {
    const isFrameRule = /^(frame|child|default)-src/.test(event.effectiveDirective)
    if (event.disposition === 'enforce' && isFrameRule && event.blockedURI.startsWith(origin))
      listen({ type: 'csp' })
  }
  const observer = new MutationObserver(() => {
    if (!frame.isConnected) listen({ type: 'removed' })
  })
  // The page behind an answer is this very app: nobody waits until it has loaded a second time, or has moved on.
  let seen = NOWHERE
  const look = () => {
    const address = readAddress?.(frame) ?? NOWHERE
    if (address === NOWHERE || address === seen) return
    seen = address
    listen({ type: 'loaded', address })
  }
  const looking = readsAddress ? setInterval(look, LOOK_EVERY_MS) : undefined
  const remove = () => {
    clearInterval(looking)
    removeEventListener('message', onMessage)
    document.removeEventListener('securitypolicyviolation', onViolation)
    observer.disconnect()
    frame.remove()
  }
  addEventListener('message', onMessage)
  document.addEventListener('securitypolicyviolation', onViolation)
  frame.addEventListener('load', () => listen({ type: 'loaded', address: readAddress?.(frame) }))
  frame.src = url
  // `latchkey/early` in a head: the body has not come yet.
  const parent = document.body ?? document.documentElement
  parent.append(frame)
  // However high up it is that something is replaced.
  for (const place of [document, document.documentElement, parent])
    observer.observe(place, { childList: true })
  return { remove }
}

/** Where the frame is; `undefined` at any other origin, which the browser does not tell. */
export function addressOf({ contentWindow }: HTMLIFrameElement): string | undefined {
  try {
    return contentWindow?.location.href
  } catch {
    return undefined
  }
}
