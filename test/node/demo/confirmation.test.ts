// The demo's authorization server asks who changes a link map to confirm that it is they (RFC 9470).

// @module-tag thorough

import { expect, it } from 'vitest'
import { authorizeUrl, createProofKey, follow, signInAs } from '../../../demo/authServer/visitor.ts'
import { claimsOf, CLIENT_ID, sceneForEachTest, type SignedIn, text } from './authServerScene.ts'

const scene = sceneForEachTest({ asksToConfirm: true })

const CONFIRM = { scope: 'openid', acr_values: 'confirmed', max_age: '300' }

const write = async (token: string) =>
  scene.call('PUT', `/cloudprovider/linkmap?client_id=${CLIENT_ID}`, { token, body: [] })

async function confirm({ visitor }: SignedIn, account = 'anna') {
  const { verifier, challenge } = createProofKey()
  const at = await signInAs(visitor, account, scene.authorize(challenge, CONFIRM))
  const { body } = await scene.exchange(at, verifier)
  return { verifier, accessToken: text(body, 'access_token'), refreshToken: text(body, 'refresh_token') }
}

it('refuses a change with a challenge that says what it wants, and changes nothing', async () => {
  const { accessToken } = await scene.signIn('anna')
  const before = scene.server.accounts.linkMap('firm-noorderlicht')
  const { status, headers, body } = await write(accessToken)
  expect([status, body['error']]).toEqual([401, 'insufficient_user_authentication'])
  expect(headers.get('www-authenticate')).toBe(
    'Bearer error="insufficient_user_authentication", acr_values="confirmed", max_age="300"',
  )
  expect(headers.get('access-control-expose-headers')).toContain('WWW-Authenticate')
  expect(scene.server.accounts.linkMap('firm-noorderlicht')).toEqual(before)
})

it('takes the change of who has confirmed, in the same session, and after a renewal', async () => {
  const signedIn = await scene.signIn('anna')
  const { accessToken, refreshToken, verifier } = await confirm(signedIn)
  const { acr, auth_time, sessionId } = claimsOf(accessToken)
  expect([acr, sessionId]).toEqual(['confirmed', claimsOf(signedIn.accessToken)['sessionId']])
  expect(Math.abs(Number(auth_time) - Date.now() / 1000)).toBeLessThan(10)
  expect((await write(accessToken)).status).toBe(200)
  const { body } = await scene.refresh(refreshToken, verifier)
  expect((await write(text(body, 'access_token'))).status).toBe(200)
})

it('shows who is signed in first, and asks again however fresh the session is', async () => {
  const { visitor } = await scene.signIn('anna')
  const start = await visitor.fetch(authorizeUrl(scene.authorize(createProofKey().challenge, CONFIRM)))
  const { response } = await follow(visitor, start, scene.server.origin)
  const page = await response.text()
  expect(page).toContain('<h1>Confirm that it is you</h1>')
  expect(page.indexOf('value="anna"')).toBeLessThan(page.indexOf('Somebody else'))
  expect(page.split('value="anna"')).toHaveLength(2)
})

it('does not ask a silent look at the session, and tells nothing stronger than there was', async () => {
  const { visitor } = await scene.signIn('anna')
  const { verifier, challenge } = createProofKey()
  const url = authorizeUrl(scene.authorize(challenge, { ...CONFIRM, prompt: 'none' }))
  const { url: at } = await follow(visitor, await visitor.fetch(url), scene.server.origin)
  const { body } = await scene.exchange(at, verifier)
  const token = text(body, 'access_token')
  expect(claimsOf(token)['acr']).toBeUndefined()
  expect((await write(token)).status).toBe(401)
})

it('keeps a refusal for who may not change it at all', async () => {
  const { accessToken } = await scene.signIn('bram')
  const { status, body } = await write(accessToken)
  expect([status, body['error']]).toEqual([403, 'access_denied'])
})
