// The part of the browser that loads later: leaving with a form, the opener, the name of the tab.
import { tellOfStay } from './browserShared.ts'
import type { TabName } from './platform.ts'

/** Leaves with a form, for parameters too long for a URL. `onForbidden`: the page's CSP forbids it. */
export function submitBrowserForm(
  url: string,
  fields: Readonly<Record<string, string>>,
  onForbidden: () => void,
): void {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = url
  for (const [name, value] of Object.entries(fields))
    form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }))
  document.body.append(form)
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
    if (effectiveDirective === 'form-action') onForbidden()
  })
  tellOfStay()
  form.submit()
}

/** The target origin keeps the message from another page that may be in the opener meanwhile. */
export const tellBrowserOpener = (message: unknown): void =>
  (globalThis.opener as Window | null | undefined)?.postMessage(message, location.origin)

/** The name of this tab, which the tab's next page can read, and no other tab. Not written to disk, as far as is known. */
export const browserTabName: TabName = {
  // A frame belongs to another page, and an opened window may be named and read by its opener. WebKit might write the name
  // to disk.
  get: () =>
    parent === window && !window.opener && !navigator.vendor.startsWith('Apple') ? window.name : undefined,
  set(name) {
    window.name = name
  },
}
