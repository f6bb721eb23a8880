// The network between the pages of a fake browser and their server: what is slow, lost, refused or silent.
import type { FakeBrowser } from '../../../src/testing/fakeBrowser.ts'
import { browserWorks } from '../../../src/testing/fakeTabs.ts'
import type { FakeHost } from '../../../src/testing/fakeHost.ts'
import type { RealtimeLink, RealtimeTransport } from '../../../src/protocol/realtimeTransport.ts'
import type { FakeAuthServer } from '../../../src/testing/authServer.ts'
import type { Book } from './wholeSessionBook.ts'

/** `lost`: the server has done it, and its answer does not arrive. */
export const SERVER_FAULTS = [
  'none',
  'down',
  'busy',
  'refuses',
  'page',
  'lost',
  'unreachable',
  'silent',
] as const
export type ServerFault = (typeof SERVER_FAULTS)[number]

/** What its network reads of a browser. */
interface Networked {
  readonly inside: FakeBrowser
  readonly server: FakeAuthServer
  readonly book: Pick<Book, 'allowReuse'>
  readonly fault: ServerFault
  readonly latencyMs: number
}

/** For `fetch` of a page. */
export function createNetwork(browser: Networked, { platform }: FakeHost): typeof fetch {
  return (input, init) =>
    new Promise((resolve, reject) => {
      const body = typeof init?.body === 'string' ? init.body : '{}'
      let isOver = false
      const end = (settle: () => void) => {
        if (isOver) return
        isOver = true
        settle()
      }
      // Given up: whatever the server has done about it, nobody knows.
      init?.signal?.addEventListener('abort', () => end(() => reject(init.signal!.reason as Error)))
      const arrive = (response: Response) => end(() => resolve(response))
      const answer = async () => {
        const { fault } = browser
        if (!platform.isOnline() || fault === 'unreachable') throw new TypeError('Failed to fetch')
        if (fault === 'silent') return
        const early = refusalOf(fault)
        if (fault === 'refuses' && /"code"|(^|&)code=/.test(body)) browser.book.allowReuse()
        const response = early ?? (await readAll(browser, input, init))
        if (fault === 'lost') throw new TypeError('Failed to fetch')
        if (browser.latencyMs > 0) platform.setTimer(() => arrive(response), browser.latencyMs)
        else arrive(response)
      }
      answer().catch((error: unknown) =>
        end(() => reject(new TypeError('Failed to fetch', { cause: error }))),
      )
    })
}

function refusalOf(fault: ServerFault): Response | undefined {
  switch (fault) {
    case 'down':
      return Response.json({ error: 'server_error' }, { status: 503 })
    case 'busy':
      return Response.json({}, { status: 429, headers: { 'retry-after': '40' } })
    case 'refuses':
      return Response.json({ error: 'invalid_grant' }, { status: 400 })
    case 'page':
      return new Response('<h1>Sign in to the network</h1>', { headers: { 'content-type': 'text/html' } })
    case 'none':
    case 'lost':
    case 'unreachable':
    case 'silent':
      return undefined
  }
}

/** The whole answer at once: nothing of it is read later, when a fake page rests already. */
function readAll(browser: Networked, ...request: Parameters<typeof fetch>): Promise<Response> {
  const read = async () => {
    const response = await browser.server.fetch(...request)
    const bytes = new Uint8Array(await response.arrayBuffer())
    const body = {
      getReader() {
        const left = [bytes]
        return { read: async () => ({ value: left.pop() }), cancel: async () => {} }
      },
    }
    return Object.defineProperty(response, 'body', { value: body })
  }
  return browserWorks(browser.inside).track(read())
}

/** The real-time connections of one page. */
export interface Connections {
  readonly transport: RealtimeTransport
  /** The page is gone, with a goodbye or without: its connections are cut, and nothing of it hears any more. */
  drop(): void
}

export function createConnections(transport: RealtimeTransport): Connections {
  const links = new Set<RealtimeLink>()
  return {
    transport: {
      open(options) {
        const link = transport.open(options)
        links.add(link)
        return link
      },
    },
    drop() {
      for (const link of links) link.close()
    },
  }
}
