// What loads later of the browser: leaving with a form, the opener of a window, the name of a tab at rest.
import { tellOfStay } from './browserStay.ts'
import type { TabName } from './platform.ts'

/** Leaves with a form, for what is too long for an address. `onForbidden`: the page's policy does not allow it. */
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

/** Notifies the page that has opened this window, and no other page that may be there meanwhile. */
export const tellBrowserOpener = (message: unknown): void =>
  (globalThis.opener as Window | null | undefined)?.postMessage(message, location.origin)

/** The name of this tab while a page is at rest: the next page can read it, and no other tab. On no disk, as far as is known. */
export const browserTabName: TabName = {
  // A frame belongs to another page, and a window that was opened may be named and read by its opener. Whether WebKit
  // writes the name to a disk is not known.
  get: () =>
    parent === window && !window.opener && !navigator.vendor.startsWith('Apple') ? window.name : undefined,
  set(name) {
    window.name = name
  },
}
