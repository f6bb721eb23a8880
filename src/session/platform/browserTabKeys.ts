// The name of this tab while a page is at rest: the next page of the tab can read it, and no other tab. On no disk, as far as is known.
import type { TabName } from './platform.ts'

export const browserTabName: TabName = {
  // A frame belongs to another page, and a window that was opened may be named and read by its opener. Whether WebKit
  // writes the name to a disk is not known.
  get: () =>
    parent === window && !window.opener && !navigator.vendor.startsWith('Apple') ? window.name : undefined,
  set(name) {
    window.name = name
  },
}
