// A page whose user signs in, or confirms, in a window at an OpenID Connect provider; and an API that wants a stronger sign-in.
import type { AuthError } from '../../../src/base/errors.ts'
import type { AuthConfig } from '../../../src/protocol/config.ts'
import { createFakeStorage, type FakeStorage } from '../../../src/testing/fakeStorage.ts'
import type { FakePopup } from '../../../src/testing/fakeWindows.ts'
import { APP, jwt, METADATA } from '../scene.ts'
import { createOidcScene, json, type OidcScene, type Page } from '../session/sessionScene.ts'
import { bodyOf, holdResponses, urlOf } from '../../holdRequests.ts'

export interface WindowScene {
  readonly scene: OidcScene
  readonly page: Page
  /** The sign-in page sends the window back with an answer for this user. */
  answer(user?: string): Promise<FakePopup>
  /** Responses to these requests wait from now on, until the returned function is called. */
  hold(isMeant: (url: string, body: URLSearchParams) => boolean): () => void
}

/** Ada is signed in, by the frame. */
export async function openWindowScene(
  config: Partial<AuthConfig> = {},
  metadata: Record<string, unknown> = {},
): Promise<WindowScene> {
  const copies: FakeStorage[] = []
  const scene = createOidcScene({ config: { autoLogin: false, ...config } })
  scene.provider.user = 'ada'
  scene.provider.metadata = { ...METADATA, ...metadata }
  scene.provider.answer = { expires_in: 3600 }
  const page = scene.open(APP, {
    // A window begins with a copy of the page's session storage.
    onPopup: () => void copies.push(createFakeStorage(page.host.sessionStorage.entries())),
  })
  void page.auth.start()
  await page.host.settle()
  return {
    scene,
    page,
    async answer(user = 'ada') {
      const popup = page.host.popups.at(-1)!
      scene.provider.user = user
      const sessionStorage = copies.at(-1)!
      const window = scene.open(scene.provider.authorize(popup.urls.at(-1)!), { popup, sessionStorage })
      void window.auth.start()
      return popup
    },
    hold: (isMeant) => holdResponses(page.host, (url, body) => isMeant(url, new URLSearchParams(body))),
  }
}

/** What a promise came to: its value as 'ok', or the error's code. */
export const endOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'ok',
    (error: unknown) => (error as AuthError).code,
  )

const CHALLENGE = 'Bearer error="insufficient_user_authentication", acr_values="gold", max_age="300"'

/** The API takes the tokens of a step-up, and of each refresh that goes back to it, and no others. */
export async function openPayments(config?: Partial<AuthConfig>, metadata?: Record<string, unknown>) {
  const opened = await openWindowScene(config, metadata)
  const { page, scene } = opened
  const strong = new Set<string>()
  const real = page.host.fetch
  page.host.fetch = async (input, init) => {
    const url = urlOf(input)
    if (url.includes('/api/pay')) {
      const token = new Headers(init?.headers).get('authorization')?.slice('Bearer '.length) ?? ''
      return strong.has(token) ? json({ paid: true }) : json({}, 401, { 'www-authenticate': CHALLENGE })
    }
    const response = await real(input, init)
    if (!url.endsWith('/token')) return response
    const body = new URLSearchParams(bodyOf(init))
    const granted = (await response.clone().json()) as Record<'access_token' | 'refresh_token', string>
    if (body.has('code') || strong.has(body.get('refresh_token') ?? ''))
      strong.add(granted.access_token).add(granted.refresh_token)
    return response
  }
  const call = async () => page.auth.fetch('/api/pay', { method: 'POST' })
  return {
    ...opened,
    pay: async () => endOf(call()),
    /** Asks for the step-up in a window; resolves with its end. */
    async confirm() {
      const error = await call().catch((thrown: unknown) => thrown)
      const end = endOf(page.auth.stepUp(error as AuthError, { display: 'popup' }))
      await page.host.settle()
      scene.provider.changeIdToken = (claims) => jwt({ ...claims, acr: 'gold', auth_time: claims['iat'] })
      return { end }
    },
  }
}
