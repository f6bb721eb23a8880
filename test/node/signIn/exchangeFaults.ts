// How an exchange of a code fails: by the network, by the server, by what it answers.
import { neverAnswers } from '../../../src/testing/fakeHost.ts'

export const EXCHANGE_FAULTS: [what: string, answer: typeof fetch][] = [
  ['the connection breaks', async () => Promise.reject(new TypeError('Failed to fetch'))],
  ['the server is down', async () => new Response('<h1>503</h1>', { status: 503 })],
  ['the server is busy', async () => new Response('', { status: 429, headers: { 'retry-after': '9' } })],
  ['the code is refused', async () => Response.json({ error: 'invalid_grant' }, { status: 400 })],
  ['a portal answers', async () => new Response('<html>sign in to the Wi-Fi</html>')],
  ['the answer is empty', async () => new Response('')],
  ['the token cannot be read', async () => Response.json({ access_token: 'x', expires_in: 600 })],
  ['nothing ever comes', neverAnswers],
]
