// The hidden frame in a real page: its messages and its failures.
import type { Platform } from './platform.ts'

/** Name of the frame or popup that the page itself is in; '' in a tab of its own. */
export const windowName = (): string => (parent === window && !window.opener ? '' : window.name)

export function openFrame({ name, url, origin, listen }: Parameters<Platform['openFrame']>[0]) {
  const frame = document.createElement('iframe')
  frame.name = name
  frame.title = name
  frame.hidden = true
  frame.tabIndex = -1
  frame.ariaHidden = 'true'
  // Every listener before the URL: a response may come before the load event, and a refusal at once.
  const onMessage = (event: MessageEvent) => {
    if (event.origin === origin && event.source && event.source === frame.contentWindow) {
      listen({ type: 'message', data: event.data })
    }
  }
  // For the redirect back to the page's own origin the whole URL is reported, with the state.
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
  // For `latchkey/early` in a head there is no body yet.
  const parent = document.body ?? document.documentElement
  parent.append(frame)
  // An ancestor may be replaced as well.
  for (const place of [document, document.documentElement, parent])
    observer.observe(place, { childList: true })
  return { frame, remove }
}

export const openReadableFrame: Platform['openFrame'] = (options) => {
  const { frame, remove } = openFrame(options)
  return {
    remove,
    address() {
      try {
        const { location, performance } = frame.contentWindow!
        // A router or `latchkey/early` in the frame may have changed its URL: the navigation entry keeps the first one.
        return performance.getEntriesByType('navigation')[0]?.name ?? location.href
      } catch {
        return undefined
      }
    },
  }
}
