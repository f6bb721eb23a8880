// Gets codes as an app does: a browser goes to the server and comes back to the redirect URI, where this listens.
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'

const PATIENCE_MS = 5 * 60_000

export type Visits = Awaited<ReturnType<typeof openVisits>>

/** @throws where the redirect URI is none that can be listened at */
export async function openVisits(redirectUri: string, tell: (line: string) => void) {
  const { protocol, hostname, port, pathname, origin } = new URL(redirectUri)
  if (protocol !== 'http:' || port === '')
    throw new TypeError('signing in needs a redirect URI like http://localhost:5173/')
  let waiting: ((address: URL) => void) | undefined
  // The browser's request stays open until its next target is known.
  let held: ServerResponse | undefined
  const server = createServer((request, response) => {
    const address = new URL(request.url ?? '/', origin)
    if (address.pathname !== pathname || !waiting) {
      response.writeHead(404).end()
      return
    }
    held = response
    waiting(address)
    waiting = undefined
  })
  await once(server.listen(Number(port), hostname.replaceAll(/[[\]]/g, '')), 'listening')

  return {
    /** Sends the browser somewhere; gives the address with which it comes back. @throws where it does not in time */
    visit: (address: string, patienceMs = PATIENCE_MS) =>
      new Promise<URL>((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting = undefined
          const seconds = Math.round(patienceMs / 1000)
          reject(new Error(`no browser has come back to ${redirectUri} within ${seconds} seconds`))
        }, patienceMs)
        waiting = (returned) => {
          clearTimeout(timer)
          resolve(returned)
        }
        if (held) held.writeHead(303, { location: address, 'cache-control': 'no-store' }).end()
        else tell(`Open this in a browser and sign in:\n\n${address}\n`)
        held = undefined
      }),
    end: () =>
      new Promise<void>((resolve) => {
        const html = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }
        held
          ?.writeHead(200, { ...html, connection: 'close' })
          .end('<!doctype html><title>Checked</title><p>The check is done. You can close this page.</p>')
        server.close(() => resolve())
        server.closeIdleConnections()
      }),
  }
}
