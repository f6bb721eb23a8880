// Counts what a server has sent, heads of answers included.
import type { ServerResponse } from 'node:http'

export function countBytes(response: ServerResponse, add: (bytes: number) => void): void {
  const { socket } = response
  const before = socket?.bytesWritten ?? 0
  response.once('finish', () => add((socket?.bytesWritten ?? before) - before))
}
