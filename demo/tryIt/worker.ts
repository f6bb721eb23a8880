// The service worker of the demo on the documentation site: answers what goes to the servers below its own path, and nothing else.
import { SERVER_FOLDER } from './constants.ts'
import { createServers, type Memory, type Servers } from './servers.ts'

interface LastingEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}
/** What is used of a service worker; its types cannot stand beside those of pages. */
interface WorkerScope extends Pick<EventTarget, 'addEventListener'> {
  readonly registration: { readonly scope: string }
  readonly clients: { claim(): Promise<void> }
  skipWaiting(): Promise<void>
}
const worker = globalThis as unknown as WorkerScope
const authHost = worker.registration.scope + SERVER_FOLDER

const start = (name: string, work: () => Promise<unknown>) =>
  worker.addEventListener(name, (event) => (event as LastingEvent).waitUntil(work()))
start('install', () => worker.skipWaiting())
start('activate', () => worker.clients.claim())
start('message', () => worker.clients.claim())

/** Read once in a worker's life: the browser stops one that has nothing to do, and starts it anew. */
let starting: Promise<Servers> | undefined

worker.addEventListener('fetch', (event) => {
  const { request, respondWith } = event as LastingEvent & {
    request: Request
    respondWith(response: Promise<Response>): void
  }
  if (request.url.startsWith(`${authHost}/`)) respondWith.call(event, answer(request))
})

async function answer(request: Request): Promise<Response> {
  starting ??= withStore('readonly', (store) => store.get(authHost)).then((memory) =>
    createServers(authHost, memory as Memory | undefined),
  )
  const servers = await starting
  const response = await servers.answer(request)
  const isRead = request.method === 'GET' && request.mode !== 'navigate'
  if (!isRead) await withStore('readwrite', (store) => store.put(servers.memory(), authHost))
  return response
}

function withStore(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('latchkey-demo', 1)
    opening.addEventListener('upgradeneeded', () => void opening.result.createObjectStore('memory'))
    opening.addEventListener('error', () => reject(opening.error as Error))
    opening.addEventListener('success', () => {
      const { result: database } = opening
      const transaction = database.transaction('memory', mode)
      const request = work(transaction.objectStore('memory'))
      transaction.addEventListener('complete', () => resolve(request.result))
      transaction.addEventListener('abort', () => reject(transaction.error as Error))
      transaction.addEventListener('complete', () => database.close())
    })
  })
}
