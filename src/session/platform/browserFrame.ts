// The hidden frame in a real page: what it says, and how it is seen to fail.
import type { Platform } from './platform.ts'

/** Name of the frame or popup that the page itself is in; '' in a tab of its own. */
export const windowName = (): string => (parent === window && !window.opener ? '' : window.name)

/** Opens the frame; every listener is there before its address is. */
export function openFrame({ name, url, origin, listen }: Parameters<Platform['openFrame']>[0]) {
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
  // On the way back to the page's own origin the whole address is named, with the state that went out.
  const state = new URL(url).searchParams.get('state') ?? origin
  const onViolation = ({ effectiveDirective, disposition, blockedURI }: SecurityPolicyViolationEvent) => {
    const isFrameRule = /^(frame|child|default)-src/.test(effectiveDirective)
    const isOurs = blockedURI.startsWith(origin) || blockedURI.includes(state)
    if (disposition === 'enforce' && isFrameRule && isOurs) listen({ type: 'csp' })
  }
  const observer = new MutationObserver(() => {
    if (!frame.isConnected) listen({ type: 'removed' })
  })
  const remove = () => {
    removeEventListener('message', onMessage)
    document.removeEventListener('securitypolicyviolation', onViolation)
    observer.disconnect()
    frame.remove()
  }
  addEventListener('message', onMessage)
  document.addEventListener('securitypolicyviolation', onViolation)
  frame.addEventListener('load', () => listen({ type: 'loaded' }))
  frame.src = url
  // `latchkey/early` in a head: the body has not come yet.
  const parent = document.body ?? document.documentElement
  parent.append(frame)
  // However high up it is that something is replaced.
  for (const place of [document, document.documentElement, parent])
    observer.observe(place, { childList: true })
  return { frame, remove }
}

/** Opens the frame. At any other origin than the page's the browser does not tell where it is. */
export const openReadableFrame: Platform['openFrame'] = (options) => {
  const { frame, remove } = openFrame(options)
  return {
    remove,
    address() {
      try {
        const { location, performance } = frame.contentWindow!
        // A router or `latchkey/early` in the page that came back may have changed its URL: the navigation entry keeps the first one.
        return performance.getEntriesByType('navigation')[0]?.name ?? location.href
      } catch {
        return undefined
      }
    },
  }
}
