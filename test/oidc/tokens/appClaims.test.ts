// What an app reads for itself from the tokens of an OpenID Connect provider.
import { describe, expect, it } from 'vitest'
import type { AuthState } from '../../../src/session/state.ts'
import { signedIn, start } from '../session/sessionPages.ts'
import { createOidcScene } from '../session/sessionScene.ts'
import { jwt } from '../scene.ts'

const userOf = (state: AuthState) => (state.status === 'authenticated' ? state.user : undefined)

describe('the app’s own claims', () => {
  it('are read from the ID token, and from an access token that is a JWT', async () => {
    const access = { scope: 'admin:read' }
    const scene = createOidcScene({
      config: { claims: (idToken, token) => ({ by: idToken['sub'], scope: token?.['scope'] ?? 'none' }) },
    })
    const first = await signedIn(scene)
    expect(userOf(first.auth.getState())).toMatchObject({ userId: 'ada', by: 'ada', scope: 'none' })

    scene.provider.answer = { access_token: jwt(access) }
    await first.auth.renew({ force: true })
    // No ID token came: who it is stays as it was, and what the access token says is new.
    expect(userOf(first.auth.getState())).toMatchObject({ userId: 'ada', by: 'ada', scope: 'admin:read' })
  })

  it('further members of what openIdConnect({ claims }) returns stand on the user, too', async () => {
    const scene = createOidcScene({
      options: { claims: ({ sub }) => ({ userId: String(sub), roles: ['admin'] }) },
    })
    const { auth } = await signedIn(scene)
    expect(userOf(auth.getState())).toMatchObject({ userId: 'ada', roles: ['admin'] })
  })

  it('that throws refuses the sign-in with its message', async () => {
    const scene = createOidcScene({
      config: {
        claims: () => {
          throw new Error('email is no text')
        },
      },
    })
    const { auth } = await signedIn(scene)
    expect(auth.getState()).toMatchObject({
      status: 'failed',
      error: { code: 'invalid-claims', message: 'claims: email is no text' },
    })
  })

  it('that are equal after a refresh leave the state the same object: 0 renders', async () => {
    const scene = createOidcScene({ config: { claims: ({ sub }) => ({ roles: [`${String(sub)}-role`] }) } })
    const { auth } = await signedIn(scene)
    const before = auth.getState()
    let renderCount = 0
    auth.subscribe(() => (renderCount += auth.getState() === before ? 0 : 1))
    await auth.renew({ force: true })
    expect([auth.getState() === before, renderCount]).toEqual([true, 0])
  })
})

it('claims that cannot be read at a renewal by the hidden frame fail the renewal; the session stays', async () => {
  let isWrong = false
  const scene = createOidcScene({
    config: {
      claims() {
        if (isWrong) throw new Error('no roles')
        return {}
      },
    },
  })
  scene.provider.user = 'ada'
  scene.provider.answer = { refresh_token: undefined }
  const { auth } = await start(scene)
  isWrong = true
  await expect(auth.renew({ force: true })).rejects.toMatchObject({ code: 'invalid-claims' })
  expect(auth.getState().status).toBe('authenticated')
})
