// Finds a free local port.
import { createServer } from 'node:net'

/** Below the ephemeral range: a server that restarts finds its port free. */
const [LOWEST, HIGHEST] = [20_000, 30_000]

export async function findFreePort(): Promise<number> {
  const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST))
  return new Promise((resolve) => {
    const server = createServer()
    server.on('error', () => resolve(findFreePort()))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(port)))
  })
}
