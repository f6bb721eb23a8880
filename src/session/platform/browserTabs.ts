// The part of the browser for communication between tabs: channels, locks, encryption.
import type { ChannelPort, SealPort, TabsPort } from './platform.ts'

export function createBrowserTabs(): TabsPort {
  // Missing in pages that are not secure contexts, whatever the types say.
  const { subtle } = (globalThis.crypto ?? {}) as { subtle?: SubtleCrypto }
  return {
    openChannel: isUsable(() => new BroadcastChannel('latchkey').close()) ? openChannel : undefined,
    lock: createBrowserLock(),
    update: isUsable(() => indexedDB.open) ? updateShared : undefined,
    seal: subtle && createSeal(subtle),
  }
}

/** If site data is blocked, even reading one of these may throw. */
function isUsable(use: () => unknown): boolean {
  try {
    use()
    return true
  } catch {
    return false
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

const STORE = 'shared'
const KEY = 'value'

// Not localStorage: inside the lock, a tab of another process may still read the old value.
function updateShared<Value>(name: string, change: (value: unknown) => Value): Promise<Value> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(name, 1)
    const fail = () => reject(opening.error ?? new Error('IndexedDB is not available'))
    opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(STORE))
    opening.addEventListener('error', fail)
    opening.addEventListener('blocked', fail)
    opening.addEventListener('success', () => {
      const database = opening.result
      // Do not block a page that deletes or upgrades the database.
      database.addEventListener('versionchange', () => database.close())
      const end = (settle: () => void) => {
        database.close()
        settle()
      }
      try {
        const transaction = database.transaction(STORE, 'readwrite')
        const store = transaction.objectStore(STORE)
        let changed: Value
        const reading = store.get(KEY)
        reading.addEventListener('success', () => {
          changed = change(reading.result)
          store.put(changed, KEY)
        })
        transaction.addEventListener('complete', () => end(() => resolve(changed)))
        transaction.addEventListener('abort', () =>
          end(() => reject(transaction.error ?? new Error('IndexedDB gave up'))),
        )
      } catch (cause) {
        // A database of this name without the store, or one that is being deleted.
        end(() => reject(new Error('The database is not usable', { cause })))
      }
    })
  })
}

/** A key encrypts one text only, so a fixed IV is never used twice with a key. */
export const ALGORITHM = { name: 'AES-GCM', iv: new Uint8Array(12) }
const CURVE = { name: 'ECDH', namedCurve: 'P-256' }

export function createSeal(subtle: SubtleCrypto): SealPort {
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

  return {
    async createKey() {
      const { privateKey, publicKey } = await subtle.generateKey(CURVE, false, ['deriveKey'])
      return {
        publicKey: await writeKey(publicKey),
        async open(sealed) {
          const [senderKey = '', data = ''] = sealed.split('.')
          const key = await shared(privateKey, await readKey(senderKey), 'decrypt')
          return new TextDecoder().decode(await subtle.decrypt(ALGORITHM, key, fromBase64(data)))
        },
      }
    },
    async seal(text, publicKey) {
      const own = await subtle.generateKey(CURVE, false, ['deriveKey'])
      const key = await shared(own.privateKey, await readKey(publicKey), 'encrypt')
      const data = await subtle.encrypt(ALGORITHM, key, new TextEncoder().encode(text))
      return `${await writeKey(own.publicKey)}.${toBase64(data)}`
    },
  }
}

export const toBase64 = (data: ArrayBuffer) =>
  btoa(Array.from(new Uint8Array(data), (byte) => String.fromCharCode(byte)).join(''))
export const fromBase64 = (text: string) =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0))

/** `undefined` in old browsers and in pages that are not secure contexts, whatever the types say; Node 20 has no navigator. */
export function createBrowserLock(): TabsPort['lock'] {
  const { locks } = (globalThis.navigator ?? {}) as { locks?: LockManager }
  return (
    locks &&
    ((name, { signal, isOptional }, work) =>
      locks.request(
        name,
        // The browser refuses a signal together with ifAvailable.
        isOptional ? { ifAvailable: true } : { ...(signal && { signal }) },
        (lock) => work(lock !== null),
      ))
  )
}
