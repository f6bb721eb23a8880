// Holds docs/security.md to the code: every statement names the tests that keep it, and what it warns of is so (C10; THREATS T29).
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createAuth } from '../../../src/session/createAuth.ts'
import { CONFIG, createScene, startScene } from '../session/sessionScene.ts'

/** Statement to the tests that keep it: file, and the beginning of the test's name. */
const KEPT_BY: Readonly<Record<string, readonly (readonly [file: string, name: string])[]>> = {
  'Some secrets stand in an address, once.': [
    ['test/e2e/secrets/secrets.test.ts', 'has no place that no flow needs'],
    ['test/e2e/secrets/secrets.test.ts', 'of a link are gone, also where there is a session already'],
  ],
  'Tokens stay in memory.': [
    ['test/dom/secrets/secrets.canary.test.tsx', 'is that of the documentation, row by row'],
    ['test/e2e/secrets/secrets.test.ts', 'is that of the documentation, row by row'],
    ['test/node/calls/secret.test.ts', 'shows nothing in %s'],
  ],
  'Between two pages of a tab': [
    [
      'test/node/sessionWorker/sessionWorker.test.ts',
      'the worker sees nothing that it could read, and session storage holds no token',
    ],
  ],
  'One code, one exchange.': [
    [
      'test/node/startUp/startUp.test.ts',
      'is exchanged once, with the verifier that was kept, and without a frame',
    ],
    ['test/node/startUp/startUp.test.ts', 'leaves the address and the storage before the request goes out'],
    ['test/node/signIn/conformance.test.ts', 'with the state of another is none of ours'],
    ['test/node/startUp/silentCheck.test.ts', 'of another issuer is refused'],
  ],
  'PKCE with S256.': [
    ['test/node/signIn/pkce.test.ts', 'favours no character: chi-square over 128,000 characters'],
    ['test/node/signIn/pkce.test.ts', 'is refused on a secure page without a hash'],
  ],
  'Messages are not trusted.': [
    ['test/dom/secrets/windowMessages.test.tsx', 'is ended by its own window and origin only'],
    ['test/oidc/signIn/popupSignIn.test.ts', 'popup-code-on-channel-is-useless-alone'],
  ],
  "Return addresses stay on the page's origin.": [
    ['test/node/passthrough/passthrough.test.ts', 'goes nowhere else, whatever the address looks like'],
    ['test/node/environments/redirection.test.ts', 'never %s beside %s'],
    [
      'test/node/environments/redirection.test.ts',
      'no host by the lists of the file where the app names hosts itself',
    ],
  ],
  'The bearer goes to named origins': [
    ['test/node/calls/appFetch.test.ts', 'never goes to %s'],
    [
      'test/node/calls/appFetch.test.ts',
      'is sent to the address that was judged, whatever a <base> makes of it',
    ],
    ['test/node/calls/call.test.ts', 'goes with the bearer, without cookies, without redirects'],
    ['test/e2e/calls/bearer.test.ts', 'does not follow a <base> that somebody put into the page'],
    ['test/e2e/calls/bearer.test.ts', 'is not carried along by a redirect to another origin'],
  ],
  'Tokens can be bound to a key': [
    ['test/oidc/tokens/dpop.test.ts', 'a stolen access token is worth nothing without the key'],
    ['test/oidc/tokens/dpop.test.ts', 'see a handle that no script can export'],
    ['test/oidc/tokens/dpopProvider.test.ts', 'a token that was carried away is refused'],
  ],
  'Errors come without secrets.': [
    ['test/node/calls/call.test.ts', 'loses its secrets on the way into an error'],
  ],
  'Real-time messages': [
    [
      'test/node/realtime/realtimeGarbage.test.ts',
      'reaches neither the hook nor the session where no service with access control is configured',
    ],
    ['test/node/uniqueSession/presenceSession.test.ts', 'nothing that an outsider sends logs anybody out'],
  ],
  'Data goes with its user': [
    ['test/dom/queryClient/strangersApp.test.tsx', 'shows the next user nothing of the one before'],
    ['test/dom/provider/authenticated.test.tsx', 'shows another user nothing of the one before'],
  ],
  'Script that runs in your page': [],
  "Any script of the page's origin can ask the tabs for the session": [
    ['test/node/pages/security.test.ts', 'every page of the origin gets the session from the tabs'],
    ['test/node/tabs/tabs.test.ts', 'never sends a token over the channel in the clear'],
  ],
  'The signature of the access token is not checked in the browser.': [
    ['test/node/pages/security.test.ts', 'a token is taken whatever its signature is'],
  ],
  'Plain http': [
    [
      'test/node/signIn/pkce.test.ts',
      'is the plain verifier only on a page that is not secure and has no hash',
    ],
    [
      'test/node/signIn/pkce.test.ts',
      'goes on with the plain verifier where the page is not secure, explicitly, and warns once',
    ],
  ],
  'A stolen, unlocked computer': [],
  'A server that does not enforce': [],
  Clickjacking: [
    ['test/node/early/earlyOidc.test.ts', 'stops the page in its own frame'],
    ['test/e2e/oidc/openIdConnect.test.ts', 'draws nothing in its own frame, however long that stays'],
  ],
}

it('makes no statement without a test that keeps it', () => {
  const [, said = ''] = /## Where secrets may be([\s\S]*)## What your deployment/.exec(
    readFileSync('docs/security.md', 'utf8'),
  )!
  const statements = [...said.matchAll(/^- \*\*(.+?)\*\*/gm)].map(([, statement]) => statement)
  expect(statements).toEqual(Object.keys(KEPT_BY))
  const missing = Object.values(KEPT_BY)
    .flat()
    .filter(([file, name]) => !readFileSync(file, 'utf8').includes(name))
  expect(missing).toEqual([])
})

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
