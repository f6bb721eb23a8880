// What docs/security.md warns of is so.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createAuth } from '../../../src/session/createAuth.ts'
import { CONFIG, createScene, startScene } from '../session/sessionScene.ts'

it('names base-uri wherever a policy is advised, and the demo has it', () => {
  const files = ['docs/security.md', 'docs/recipes.md', 'demo/appServer/startBuiltServer.ts']
  expect(files.filter((file) => !readFileSync(file, 'utf8').includes("base-uri 'none'"))).toEqual([])
})

it('every page of the origin gets the session from the tabs: it asks nobody else, and no one is asked', async () => {
  const first = await startScene()
  const token = await first.auth.getAccessToken()
  const other = createScene({
    address: 'https://app.test/another/page/with/a/hole',
    host: { browser: first.host.browser },
    config: { autoLogin: false },
  })
  void other.auth.start()
  await other.host.settle()
  await first.host.clock.advance(1_000)
  expect(await other.auth.getAccessToken()).toBe(token)
  expect([other.host.requests, other.host.frames]).toEqual([[], []])
})

it('a token is taken whatever its signature is', async () => {
  const { host, server } = createScene()
  const serverFetch = server.fetch
  host.fetch = async (input, init) => {
    const answer = await serverFetch(input, init)
    const body = (await answer.json()) as { access_token?: string }
    const forged = body.access_token?.replace(/[^.]+$/, 'forged')
    return Response.json({ ...body, ...(forged && { access_token: forged }) }, { status: answer.status })
  }
  const auth = createAuth(CONFIG, { platform: host.platform })
  void auth.start()
  await host.settle()
  expect(auth.getState().status).toBe('authenticated')
  expect(await auth.getAccessToken()).toMatch(/\.forged$/)
})
