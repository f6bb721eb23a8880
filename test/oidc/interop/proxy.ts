// What an operator puts in front of a server that lacks headers which browsers need.
import { once } from 'node:events'
import { createServer, request as forward } from 'node:http'

export interface Proxy {
  end(): void
}

/** Adds the headers to every response. `hasPreflight`: responds to preflights in the server's place. */
export async function startProxy(
  port: number,
  inner: number,
  { headers, hasPreflight = false }: { headers: Readonly<Record<string, string>>; hasPreflight?: boolean },
): Promise<Proxy> {
  const proxy = createServer((incoming, outgoing) => {
    const { method, url } = incoming
    if (hasPreflight && method === 'OPTIONS') {
      outgoing.writeHead(204, headers).end()
      return
    }
    const onward = forward(
      { host: '127.0.0.1', port: inner, method, path: url, headers: incoming.headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, { ...answer.headers, ...headers })
        answer.pipe(outgoing)
      },
    )
    onward.on('error', () => outgoing.destroy())
    incoming.pipe(onward)
  })
  await once(proxy.listen(port, '127.0.0.1'), 'listening')
  return {
    end() {
      proxy.close()
      proxy.closeAllConnections()
    },
  }
}
