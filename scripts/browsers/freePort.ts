// Finds a port of this computer that nobody listens on.
import { createServer } from 'node:net'

/** Below those that systems give to whoever asks for any: a server that stops for a moment finds its port again. */
const [LOWEST, HIGHEST] = [20_000, 30_000]

export async function findFreePort(): Promise<number> {
  const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST))
  return new Promise((resolve) => {
    const server = createServer()
    server.on('error', () => resolve(findFreePort()))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(port)))
  })
}
