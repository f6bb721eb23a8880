// A signed-in page with real requests to msw, through the handlers that an app's own stories would use.
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

/** A page and the servers that msw simulates. */
export interface MswPage extends StartedPage {
  readonly cloud: FakeCloudServer
}

export interface MswPageOptions {
  cloud?: FakeCloudServerOptions
  /** Handlers that take precedence over the usual ones. */
  handlers?: HttpHandler[]
  /** The user's action in a popup. Default: nothing. */
  inPopup?(popup: FakePopup, page: MswPage): void
  /** Sets up the situation: a network that is down, blocked popups. */
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
      // As early as a user can, but after running requests, which would return the previous state.
      const act = () =>
        full.client.isFetching() > 0 ? void setTimeout(act, 50) : options.inPopup?.(popup!, full)
      if (port && popup) setTimeout(act, 50)
      return port
    },
  })
  options.prepare?.(full)
  return full
}

/** The response to every call of a path. */
export const answer = (
  method: 'get' | 'put' | 'post' | 'delete',
  path: string,
  respond: () => Response | Promise<Response>,
): HttpHandler => http[method](AUTH_HOST + path, respond)

export const json = (status: number, body: object): Response => HttpResponse.json(body as never, { status })
export const portal = (): Response => HttpResponse.html('<h1>Hotel network</h1>')
export const never = (): Promise<Response> => new Promise(() => {})
