// Starts the demo in a page that brings its servers along: the service worker first, then the app. Where there is none, a picture.
import { SERVER_FOLDER } from './constants.ts'

/** In the address of a frame that the documentation shows as one tab of two: somebody is signed in when it opens. */
const TAB = '#tab'
const PATIENCE_MS = 10_000

// Not awaited by this module: the screens import what they share with it.
startServers()
  .then(signInBeforehand)
  .then(() => import('../app/main.tsx'))
  .catch((error: unknown) => {
    console.info('The demo cannot run here:', error)
    // What stands there for browsers without scripts says it for those without service workers too.
    document.body.innerHTML = document.querySelector('noscript')?.textContent ?? ''
  })

/** As the sign-in page does it, once for both frames. */
async function signInBeforehand(): Promise<void> {
  if (location.hash !== TAB || sessionStorage.getItem('tab') !== null) return
  sessionStorage.setItem('tab', 'signed in')
  const { href } = new URL(import.meta.env.BASE_URL, location.origin)
  await fetch(`${href}${SERVER_FOLDER}/oauth/authorize?${new URLSearchParams({ redirect_uri: href })}`, {
    method: 'POST',
    body: new URLSearchParams({ account: 'anna' }),
    redirect: 'manual',
  })
}

/** @throws where service workers are missing or denied */
async function startServers(): Promise<void> {
  const workers = navigator.serviceWorker
  await workers.register(new URL(`${import.meta.env.BASE_URL}worker.js`, location.origin))
  await new Promise<void>((resolve, reject) => {
    if (workers.controller) resolve()
    workers.addEventListener('controllerchange', () => resolve(), { once: true })
    setTimeout(() => reject(new Error('The service worker did not take over')), PATIENCE_MS)
    // After a reload that went past the worker, it has to be asked.
    void workers.ready.then(({ active }) => active?.postMessage('claim'))
  })
}
