// The part of the browser that tabs talk through: channels, locks, sealed texts (architecture rule 3).
import type { ChannelPort, SealPort, TabsPort } from './platform.ts'

/** What this browser has of it. */
export function createBrowserTabs(): TabsPort {
  // Old browsers and pages that are not secure contexts lack some of these, whatever the types say; Node 20, where tests of
  // apps run, has no navigator.
  const { locks } = (globalThis.navigator ?? {}) as { locks?: LockManager }
  const { subtle } = (globalThis.crypto ?? {}) as { subtle?: SubtleCrypto }
  return {
    openChannel: typeof BroadcastChannel === 'undefined' ? undefined : openChannel,
    lock: locks && createLock(locks),
    countHolders:
      locks &&
      (async (name) => ((await locks.query()).held ?? []).filter((lock) => lock.name === name).length),
    update: typeof indexedDB === 'undefined' ? undefined : updateShared,
    seal: subtle && createSeal(subtle),
    watchFrame,
  }
}

function openChannel(name: string, listen: (message: unknown) => void): ChannelPort {
  const channel = new BroadcastChannel(name)
  channel.addEventListener('message', (event) => listen(event.data))
  return {
    post: (message) => channel.postMessage(message),
    close: () => channel.close(),
  }
}

function createLock(locks: LockManager): NonNullable<TabsPort['lock']> {
  return (name, { signal, isOptional, isShared }, work) =>
    locks.request(
      name,
      {
        mode: isShared ? 'shared' : 'exclusive',
        // The browser refuses a signal together with ifAvailable.
        ...(isOptional ? { ifAvailable: true } : signal && { signal }),
      },
      (lock) => work(lock !== null),
    )
}

function watchFrame(name: string, listen: () => void): () => void {
  const frame = globalThis.document?.querySelector<HTMLIFrameElement>(`iframe[name="${name}"]`)
  if (!frame) return () => {}
  const { contentWindow } = frame
  const observer = new MutationObserver(() => {
    // A frame that was only moved has a new window.
    if (frame.contentWindow === contentWindow) return
    observer.disconnect()
    listen()
  })
  // However high up it is that something is replaced.
  for (let place: Node | null = frame.parentNode; place; place = place.parentNode)
    observer.observe(place, { childList: true })
  return () => observer.disconnect()
}

const STORE = 'shared'
const KEY = 'value'

// IndexedDB is the one storage that a lock orders across processes (measured; see decisions/).
function updateShared<Value>(name: string, change: (value: unknown) => Value): Promise<Value> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(name, 1)
    const fail = () => reject(opening.error ?? new Error('IndexedDB is not available'))
    opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(STORE))
    opening.addEventListener('error', fail)
    opening.addEventListener('blocked', fail)
    opening.addEventListener('success', () => {
      const database = opening.result
      const transaction = database.transaction(STORE, 'readwrite')
      const store = transaction.objectStore(STORE)
      let changed: Value
      const reading = store.get(KEY)
      reading.addEventListener('success', () => {
        changed = change(reading.result)
        store.put(changed, KEY)
      })
      transaction.addEventListener('complete', () => {
        database.close()
        resolve(changed)
      })
      transaction.addEventListener('abort', () => {
        database.close()
        reject(transaction.error ?? new Error('IndexedDB gave up'))
      })
    })
  })
}

const CURVE = { name: 'ECDH', namedCurve: 'P-256' }

function createSeal(subtle: SubtleCrypto): SealPort {
  const shared = (privateKey: CryptoKey, publicKey: CryptoKey, use: 'encrypt' | 'decrypt') =>
    subtle.deriveKey(
      { name: 'ECDH', public: publicKey },
      privateKey,
      { name: 'AES-GCM', length: 256 },
      false,
      [use],
    )
  const readKey = (text: string) => subtle.importKey('raw', fromBase64(text), CURVE, true, [])
  const writeKey = async (key: CryptoKey) => toBase64(await subtle.exportKey('raw', key))
  // A key pair seals one text only, so one fixed initialisation vector is never used twice with a key.
  const algorithm = { name: 'AES-GCM', iv: new Uint8Array(12) }

  return {
    async createKey() {
      const { privateKey, publicKey } = await subtle.generateKey(CURVE, false, ['deriveKey'])
      return {
        publicKey: await writeKey(publicKey),
        async open(sealed) {
          const [senderKey = '', data = ''] = sealed.split('.')
          const key = await shared(privateKey, await readKey(senderKey), 'decrypt')
          return new TextDecoder().decode(await subtle.decrypt(algorithm, key, fromBase64(data)))
        },
      }
    },
    async seal(text, publicKey) {
      const own = await subtle.generateKey(CURVE, false, ['deriveKey'])
      const key = await shared(own.privateKey, await readKey(publicKey), 'encrypt')
      const data = await subtle.encrypt(algorithm, key, new TextEncoder().encode(text))
      return `${await writeKey(own.publicKey)}.${toBase64(data)}`
    },
  }
}

const toBase64 = (data: ArrayBuffer) =>
  btoa(Array.from(new Uint8Array(data), (byte) => String.fromCharCode(byte)).join(''))
const fromBase64 = (text: string) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
