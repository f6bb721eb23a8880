// The part of the browser that a page's session outlives it with: whether workers can, and texts sealed with a one-time key.
import { ALGORITHM, fromBase64, toBase64 } from './browserTabs.ts'
import type { KeepPort } from './platform.ts'

/** `undefined` where the browser cannot. */
export function createBrowserKeep(): KeepPort | undefined {
  // Missing in pages that are not secure contexts, whatever the types say.
  const { subtle } = (globalThis.crypto ?? {}) as { subtle?: SubtleCrypto }
  return subtle && canOutlive() ? createKeep() : undefined
}

/** Parcel takes a text that stands in the call for a file to build. */
const NO_ADDRESS = 'http://:'

/** Whether a SharedWorker can outlive its last page. Asks without starting one: the address is none. */
function canOutlive(): boolean {
  let isRead = false
  const options: WorkerOptions & { extendedLifetime: boolean } = {
    get extendedLifetime() {
      isRead = true
      return true
    },
  }
  try {
    // oxlint-disable-next-line no-new -- It throws: only what it reads of the options counts.
    new SharedWorker(NO_ADDRESS, options)
  } catch {
    // No such worker in this browser, or the address.
  }
  return isRead
}

/** Seals with the browser's own crypto. */
export function createKeep(): KeepPort {
  const { subtle } = crypto
  return {
    async seal(text) {
      const key = await subtle.generateKey({ name: 'AES-GCM', length: 256 }, true, ['encrypt'])
      const sealed = await subtle.encrypt(ALGORITHM, key, new TextEncoder().encode(text))
      return { sealed: toBase64(sealed), key: toBase64(await subtle.exportKey('raw', key)) }
    },
    async open(sealed, key) {
      const opener = await subtle.importKey('raw', fromBase64(key), 'AES-GCM', false, ['decrypt'])
      return new TextDecoder().decode(await subtle.decrypt(ALGORITHM, opener, fromBase64(sealed)))
    },
  }
}
