// What the page of every contestant has in common: its button, its status, its count of renders, what the bench may call.
import { useEffect, useLayoutEffect } from 'react'
import { createRoot } from 'react-dom/client'

/** Where the server is and which way of the library is meant; written into the page by its server. */
export const config = window.benchConfig

const page = { renders: 0, signedInAtMs: undefined }
window.peer = page

/** `signIn()`, `ask()` for a token, `renew()` whatever the token's age, `call()` and `signOut()` where the bench asks for it. */
export function offer(calls) {
  Object.assign(page, calls)
}

/** The one component that uses the session: counted after every render, whatever caused it. */
export function Desk({ status, signIn }) {
  useEffect(() => {
    page.renders += 1
  })
  useLayoutEffect(() => {
    document.documentElement.dataset.status = status
    if (status === 'authenticated') page.signedInAtMs ??= performance.timeOrigin + performance.now()
  }, [status])
  return status === 'unauthenticated' ? (
    <button type="button" onClick={() => signIn()}>
      Sign in
    </button>
  ) : (
    <p>{status}</p>
  )
}

export function show(element) {
  createRoot(document.querySelector('#root')).render(element)
}
