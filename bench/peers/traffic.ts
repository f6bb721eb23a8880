// Counts what a server has sent, heads of answers included.
import type { ServerResponse } from 'node:http'

export function countBytes(response: ServerResponse, counter: { sentBytes: number }): void {
  const { socket } = response
  const before = socket?.bytesWritten ?? 0
  response.once('finish', () => {
    Object.assign(counter, { sentBytes: counter.sentBytes + (socket?.bytesWritten ?? before) - before })
  })
}
