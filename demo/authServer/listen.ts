// Opens a server on loopback and closes it with everything that is still connected.
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Listening = Awaited<ReturnType<typeof listenOnLoopback>>

const HOSTS: readonly string[] = ['127.0.0.1', 'localhost']

export async function listenOnLoopback(options: { host: string; port: number }, listener: RequestListener) {
  const { host } = options
  if (!HOSTS.includes(host)) {
    throw new TypeError(`host must be one of ${HOSTS.join(', ')}: this server is for loopback only`)
  }
  // Node closes idle connections after 5 s, which a browser may notice in the very moment it sends the next request.
  const http = createServer({ keepAliveTimeout: 65_000 }, listener)
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject)
    http.listen(options.port, '127.0.0.1', resolve)
  })
  const { port } = http.address() as AddressInfo
  return {
    origin: `http://${host}:${port}`,
    host: `${host}:${port}`,
    port,
    close: () =>
      new Promise<void>((resolve) => {
        http.close(() => resolve())
        http.closeAllConnections()
      }),
  }
}
