// A signed-in page whose calls go out for real and are answered by msw, with the handlers that an app's own stories would use.
import { http, HttpResponse, type HttpHandler } from 'msw'
import { setupWorker } from 'msw/browser'
import {
  createAuthHandlers,
  createCloudHandlers,
  createFakeCloudServer,
  type FakeCloudServer,
  type FakeCloudServerOptions,
  type FakePopup,
} from 'latchkey/testing'
import { type StartedPage, startPage } from './startedPage.tsx'

/** A page, and the servers that msw answers for. */
export interface MswPage extends StartedPage {
  readonly cloud: FakeCloudServer
}

export interface MswPageOptions {
  cloud?: FakeCloudServerOptions
  /** Stand before the usual answers. */
  handlers?: HttpHandler[]
  /** What the user does in a window that opens. Default: nothing. */
  inPopup?(popup: FakePopup, page: MswPage): void
  /** Does what went before: a network that is down, popups that are blocked. */
  prepare?(page: MswPage): void
}

const AUTH_HOST = 'https://auth.test'
const worker = setupWorker()
const starting = { isStarted: false }

/** Starts a session; its calls go through the browser's own fetch to msw. */
export async function startMswPage(options: MswPageOptions = {}): Promise<MswPage> {
  const page = await startPage()
  const cloud = createFakeCloudServer(page.server, options.cloud)
  const full: MswPage = { ...page, cloud }
  if (!starting.isStarted) {
    starting.isStarted = true
    await worker.start({ quiet: true })
  }
  worker.resetHandlers(
    ...(options.handlers ?? []),
    ...createCloudHandlers(page.server, cloud),
    ...createAuthHandlers(page.server),
  )
  page.host.fetch = async (input, init) => fetch(input, init)
  const { openPopup } = page.host.platform
  Object.assign(page.host.platform, {
    openPopup: (request: Parameters<NonNullable<typeof openPopup>>[0]) => {
      const port = openPopup?.(request)
      const popup = page.host.popups.at(-1)
      // As soon as a user can: what the page has asked for meanwhile tells of what was so before.
      const act = () =>
        full.client.isFetching() > 0 ? void setTimeout(act, 50) : options.inPopup?.(popup!, full)
      if (port && popup) setTimeout(act, 50)
      return port
    },
  })
  options.prepare?.(full)
  return full
}

/** An answer that every call to a path gets. */
export const answer = (
  method: 'get' | 'put' | 'post' | 'delete',
  path: string,
  respond: () => Response | Promise<Response>,
): HttpHandler => http[method](AUTH_HOST + path, respond)

export const json = (status: number, body: object): Response => HttpResponse.json(body as never, { status })
export const portal = (): Response => HttpResponse.html('<h1>Hotel network</h1>')
export const never = (): Promise<Response> => new Promise(() => {})
