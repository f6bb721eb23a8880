// Writes as their user meets them: checked first, shown at once, taken back when refused, and never written for somebody else.
import { describe, expect, it } from 'vitest'
import {
  useAdminConsent,
  useAuthorizeSupport,
  useExchangeAssertion,
  useLinkMap,
  useRevokeAdminConsent,
  useSaveLinkMap,
  useUpdateFirm,
} from '../../../src/hooks/serverCalls.ts'
import type { LinkedEntry, LinkMap } from '../../../src/protocol/linkMap.ts'
import type { Secret } from '../../../src/protocol/secret.ts'
import type { FirmUpdate } from '../../../src/queries/cloudProvider.ts'
import { exchangeAssertionMutation, authorizeSupportMutation } from '../../../src/queries/secretCalls.ts'
import { linkMapQuery } from '../../../src/queries/linkMap.ts'
import { createFakeUser } from '../../../src/testing/authServer.ts'
import { type CloudScene, openCloudScene } from './cloudScene.tsx'
import { cacheText } from '../queryClient/cacheContents.ts'

const BOB: LinkedEntry = { internalUser: { id: 'bob', name: 'Bob' }, externalUser: { id: 'cloud-bob' } }

/** Brings a hook's result out of its component. */
function createProbe<Result>(useIt: () => Result) {
  const probe = { current: undefined as Result | undefined }
  function Probe() {
    probe.current = useIt()
    return null
  }
  return { Probe, result: () => probe.current! }
}

const mutationStates = ({ client }: CloudScene) =>
  JSON.stringify(
    client
      .getMutationCache()
      .getAll()
      .map(({ state }) => state),
  )

const bodies = (scene: CloudScene, method: string, path: string) =>
  scene.asked(method, path).map(({ body }) => JSON.parse(body ?? 'null') as unknown)

describe('a firm update', () => {
  it('sends id and cloudProviderId to the firm of the id', async () => {
    const scene = await openCloudScene()
    const { Probe, result } = createProbe(useUpdateFirm)
    await scene.show(<Probe />)
    await scene.does(() => result().mutate({ id: 'firm/1', cloudProviderId: 'cumulus' }))
    expect(result().status).toBe('success')
    expect(bodies(scene, 'PUT', '/api/firms/firm%2F1')).toEqual([
      { id: 'firm/1', cloudProviderId: 'cumulus' },
    ])
  })

  it.each<[string, FirmUpdate, string]>([
    ['cloudProviderId is required', { id: 'f1', cloudProviderId: '' }, 'cloud-provider-id-required'],
    ['id cannot stand in an address', { id: '..', cloudProviderId: 'cumulus' }, 'invalid-argument'],
  ])("fails with '%s' before any request", async (message, update, code) => {
    const scene = await openCloudScene()
    const { Probe, result } = createProbe(useUpdateFirm)
    await scene.show(<Probe />)
    const before = scene.host.requests.length
    await scene.does(() => result().mutate(update))
    expect(result().error).toMatchObject({ message, code })
    expect(scene.host.requests.slice(before).filter(({ method }) => method !== 'GET')).toEqual([])
  })
})

describe('taking consent back', () => {
  async function showConsent(scene: CloudScene) {
    const revoke = createProbe(useRevokeAdminConsent)
    const consent = createProbe(() => useAdminConsent())
    await scene.show(
      <>
        <revoke.Probe />
        <consent.Probe />
      </>,
    )
    return { revoke, consent }
  }

  it('succeeds with 204 and shows the new status', async () => {
    const scene = await openCloudScene({ cloud: { consent: { domain: 'firm.test' } } })
    const { revoke, consent } = await showConsent(scene)
    expect(consent.result().data).toMatchObject({ granted: true })
    await scene.does(() => revoke.result().mutate())
    expect(revoke.result().status).toBe('success')
    expect(consent.result().data).toEqual({ granted: false })
  })

  it('and reading it name the domain when one is given, and no domain otherwise', async () => {
    const scene = await openCloudScene({ cloud: { consent: { domain: 'firm.test' } } })
    const revoke = createProbe(useRevokeAdminConsent)
    const ofDomain = createProbe(() => useAdminConsent({ domain: 'firm.test' }))
    const ofOther = createProbe(() => useAdminConsent({ domain: 'other.test', retry: false }))
    const wrong = createProbe(() => useAdminConsent({ domain: 'https://evil.test/' }))
    await scene.show(
      <>
        <revoke.Probe />
        <ofDomain.Probe />
        <ofOther.Probe />
        <wrong.Probe />
      </>,
    )
    expect(ofDomain.result().data).toMatchObject({ granted: true, domain: 'firm.test' })
    expect(ofOther.result().data).toEqual({ granted: false })
    expect(wrong.result().error).toMatchObject({ code: 'invalid-argument' })
    await scene.does(() => revoke.result().mutate({ domain: 'firm test' }))
    expect(revoke.result().error).toMatchObject({ code: 'invalid-argument' })
    await scene.does(() => revoke.result().mutate({ domain: 'firm.test' }))
    expect(revoke.result().status).toBe('success')
    expect(ofDomain.result().data).toEqual({ granted: false })
    await scene.does(() => revoke.result().mutate())
    const searches = scene
      .asked('DELETE', '/cloudprovider/adminconsent')
      .map(({ url }) => new URL(url).search)
    expect(searches).toEqual(['?client_id=admin&domain=firm.test', '?client_id=admin'])
  })

  it('takes 200 for a failure and asks the server what is so', async () => {
    const scene = await openCloudScene({
      answer: ({ method }) => (method === 'DELETE' ? Response.json({ ok: true }) : undefined),
    })
    const { revoke } = await showConsent(scene)
    const before = scene.asked('GET', '/cloudprovider/adminconsent/status').length
    await scene.does(() => revoke.result().mutate())
    expect(revoke.result().error).toMatchObject({
      code: 'unexpected-status',
      status: 200,
      body: { ok: true },
    })
    expect(scene.asked('GET', '/cloudprovider/adminconsent/status')).toHaveLength(before + 1)
  })
})

describe('saving the link map', () => {
  /** Both variants in sight, and an answer to the save that comes when the test says so. */
  async function openLinkMap(settle?: () => Response) {
    let answer = (_response: Response) => {}
    const scene = await openCloudScene({
      answer: ({ method }) =>
        method === 'PUT' && settle === undefined
          ? new Promise((resolve) => {
              answer = resolve
            })
          : method === 'PUT'
            ? settle?.()
            : undefined,
    })
    const save = createProbe(useSaveLinkMap)
    const linked = createProbe(() => useLinkMap())
    const all = createProbe(() => useLinkMap({ allUsers: true }))
    await scene.show(
      <>
        <save.Probe />
        <linked.Probe />
        <all.Probe />
      </>,
    )
    const idsOf = (map: typeof linked) => map.result().data?.map(({ externalUser }) => externalUser?.id)
    return {
      scene,
      save: save.result,
      linked: () => idsOf(linked),
      all: () => idsOf(all),
      answer: (response: Response) => scene.does(() => answer(response)),
    }
  }

  it('shows the new map in both variants before the server has answered', async () => {
    const { scene, save, linked, all } = await openLinkMap()
    expect([linked(), all()]).toEqual([['cloud-alice'], ['cloud-alice', undefined]])
    await scene.does(() => save().mutate([BOB]))
    expect(save().status).toBe('pending')
    expect([linked(), all()]).toEqual([['cloud-bob'], [undefined, 'cloud-bob']])
    expect(bodies(scene, 'PUT', '/cloudprovider/linkmap')).toEqual([[BOB]])
  })

  it('takes it back when the server refuses, and reads both variants again', async () => {
    const { scene, save, linked, all, answer } = await openLinkMap()
    await scene.does(() => save().mutate([BOB]))
    const before = scene.asked('GET', '/cloudprovider/linkmap').length
    await answer(Response.json({ error: 'conflict' }, { status: 409 }))
    expect(save().error).toMatchObject({ status: 409, body: { error: 'conflict' } })
    expect([linked(), all()]).toEqual([['cloud-alice'], ['cloud-alice', undefined]])
    expect(scene.asked('GET', '/cloudprovider/linkmap')).toHaveLength(before + 2)
  })

  it('ends with what the server says, not with what was hoped for', async () => {
    const { scene, save, linked, answer } = await openLinkMap()
    await scene.does(() => save().mutate([BOB]))
    // The server took the save and knows better.
    scene.cloud.linkMap = [{ internalUser: 'bob', externalUser: { id: 'cloud-other' } }]
    await answer(Response.json({ saved: 1 }))
    expect(save().status).toBe('success')
    expect(linked()).toEqual(['cloud-other'])
  })

  it('leaves a later save in sight when an earlier one fails', async () => {
    const answers: ((response: Response) => void)[] = []
    let isReadable = true
    const scene = await openCloudScene({
      answer: ({ method }) => {
        if (method === 'GET') return isReadable ? undefined : Response.json({}, { status: 403 })
        if (method !== 'PUT') return undefined
        return new Promise((resolve) => {
          answers.push(resolve)
        })
      },
    })
    const saves = [createProbe(useSaveLinkMap), createProbe(useSaveLinkMap)] as const
    const all = createProbe(() => useLinkMap({ allUsers: true, enabled: true }))
    const [First, Second] = [saves[0].Probe, saves[1].Probe]
    await scene.show(
      <>
        <First />
        <Second />
        <all.Probe />
      </>,
    )
    await scene.does(() => saves[0].result().mutate([]))
    await scene.does(() => saves[1].result().mutate([BOB]))
    isReadable = false
    await scene.does(() => answers[0]?.(Response.json({}, { status: 500 })))
    expect(all.result().data?.at(-1)?.externalUser?.id).toBe('cloud-bob')
  })

  describe('that a colleague has changed meanwhile', () => {
    const CAROL = { internalUser: 'carol', externalUser: { id: 'cloud-carol' } }
    const ALL = [
      { internalUser: 'alice', externalUser: { id: 'cloud-alice' } },
      { internalUser: BOB.internalUser, externalUser: null },
      { internalUser: 'carol', externalUser: null },
    ]
    async function open(options: Parameters<typeof openCloudScene>[0] = {}) {
      const scene = await openCloudScene({ cloud: { linkMap: ALL }, ...options })
      const save = createProbe(useSaveLinkMap)
      const all = createProbe(() => useLinkMap({ allUsers: true }))
      await scene.show(
        <>
          <save.Probe />
          <all.Probe />
        </>,
      )
      const asColleague = () => {
        scene.cloud.linkMap = ALL.map((entry) => (entry.internalUser === 'carol' ? CAROL : entry))
      }
      const matches = () =>
        scene.asked('PUT', '/cloudprovider/linkmap').map(({ headers }) => headers.get('if-match'))
      return { scene, save: save.result, map: () => all.result().data, asColleague, matches }
    }

    it('is not overwritten: the save fails with `conflict`, and the map in sight is the colleague’s', async () => {
      const { scene, save, map, asColleague, matches } = await open()
      asColleague()
      await scene.does(() => save().mutate([BOB]))
      expect(matches()).toEqual(['"link-map-1"'])
      expect(save().error).toMatchObject({ code: 'conflict', status: 412, retryable: false })
      // Nothing is lost: neither theirs nor mine.
      expect(scene.cloud.linkMap).toContainEqual(CAROL)
      expect(save().variables).toEqual([BOB])
      expect(map()).toEqual(scene.cloud.linkMap)
      // Read again, the merged map is saved.
      await scene.does(() => save().mutate([BOB, CAROL]))
      expect([save().status, matches()[1]]).toEqual(['success', '"link-map-2"'])
    })

    it('is not overwritten either when it was read while the user was typing: `base` names where they began', async () => {
      const { scene, map, asColleague } = await open()
      const began = map()!
      const save = createProbe(() => useSaveLinkMap({ base: began }))
      await scene.show(<save.Probe />)
      asColleague()
      await scene.does(() => scene.client.invalidateQueries())
      expect(map()).toContainEqual(CAROL)
      await scene.does(() => save.result().mutate([BOB]))
      expect(save.result().error?.code).toBe('conflict')
      expect(scene.cloud.linkMap).toContainEqual(CAROL)
    })

    it('is not overwritten by a part of it either, that `select` has taken: it is as old as its map', async () => {
      const { scene, asColleague, matches } = await open()
      const select = (map: LinkMap) => map.filter(({ externalUser }) => externalUser !== null)
      const linked = createProbe(() => useLinkMap({ allUsers: true, select }))
      await scene.show(<linked.Probe />)
      const began = linked.result().data!
      const save = createProbe(() => useSaveLinkMap({ base: began }))
      await scene.show(<save.Probe />)
      asColleague()
      await scene.does(() => scene.client.invalidateQueries())
      await scene.does(() => save.result().mutate([BOB]))
      expect(save.result().error?.code).toBe('conflict')
      expect(matches()).toEqual(['"link-map-1"'])
    })

    it('needs a base that was read: a copy is refused before anything is sent', async () => {
      const { scene, map } = await open()
      const save = createProbe(() => useSaveLinkMap({ base: [...map()!] }))
      await scene.show(<save.Probe />)
      await scene.does(() => save.result().mutate([BOB]))
      expect(save.result().error).toMatchObject({
        code: 'invalid-argument',
        remedy: expect.stringContaining('useLinkMap') as string,
      })
      expect(scene.asked('PUT', '/cloudprovider/linkmap')).toEqual([])
    })

    it('is not to be feared from two saves of one’s own in a row: the second begins from the first', async () => {
      const { scene, save, matches } = await open()
      const second = createProbe(useSaveLinkMap)
      await scene.show(<second.Probe />)
      await scene.does(() => {
        save().mutate([BOB])
        second.result().mutate([BOB, CAROL])
      })
      expect([save().status, second.result().status]).toEqual(['success', 'success'])
      expect(matches()).toEqual(['"link-map-1"', '"link-map-2"'])
      expect(scene.cloud.linkMap.map(({ externalUser }) => externalUser?.id)).toEqual([
        undefined,
        'cloud-bob',
        'cloud-carol',
      ])
    })

    it.each([
      ['no ETag', undefined],
      ['a weak one', 'W/"1"'],
      ['one that is none', 'abc'],
    ])('cannot be noticed where the server gives %s; nothing is sent then', async (_what, etag) => {
      const { scene, save, matches } = await open({
        answer: ({ method }) =>
          method === 'GET' ? Response.json(ALL, { headers: etag === undefined ? {} : { etag } }) : undefined,
      })
      await scene.does(() => save().mutate([BOB]))
      expect([save().status, matches()]).toEqual(['success', [null]])
    })
  })

  it("refuses a wrong map with 'linkmap in wrong format', unsent, and leaves the one in sight", async () => {
    const { scene, save, all } = await openLinkMap()
    await scene.does(() => save().mutate([{ internalUser: 'bob', externalUser: null as never }]))
    expect(save().error).toMatchObject({ code: 'invalid-link-map', message: 'linkmap in wrong format' })
    expect(scene.asked('PUT', '/cloudprovider/linkmap')).toEqual([])
    expect(all()).toEqual(['cloud-alice', undefined])
  })

  it("never puts one user's map into the next one's cache, however late it fails", async () => {
    const { scene, save, answer } = await openLinkMap()
    await scene.does(() => save().mutate([BOB]))
    scene.cloud.linkMap = [{ internalUser: 'carol', externalUser: { id: 'cloud-carol' } }]
    await scene.changeUser('carol')
    expect(scene.auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'carol' } })
    await answer(Response.json({}, { status: 500 }))
    expect(cacheText(scene.client)).not.toContain('alice')
    expect(cacheText(scene.client)).not.toContain('bob')
    expect(scene.client.getQueryData(linkMapQuery(scene.auth).queryKey)).toEqual(scene.cloud.linkMap)
  })

  it("is not sent in the next user's name when it was refused with 401 after a change of user", async () => {
    const { scene, save, answer } = await openLinkMap()
    await scene.does(() => save().mutate([BOB]))
    await scene.changeUser('carol')
    await answer(Response.json({}, { status: 401 }))
    expect(scene.asked('PUT', '/cloudprovider/linkmap')).toHaveLength(1)
  })
})

describe('a write whose own onMutate takes its time', () => {
  const slow: { onMutate: () => Promise<void> } = { onMutate: async () => {} }
  const WRITES: Record<string, [use: () => { mutate(variables: never): void; status: string }, unknown]> = {
    useUpdateFirm: [() => useUpdateFirm(slow), { id: 'f1', cloudProviderId: 'cumulus' }],
    useSaveLinkMap: [() => useSaveLinkMap(slow), [BOB]],
    useRevokeAdminConsent: [() => useRevokeAdminConsent(slow), {}],
    useAuthorizeSupport: [() => useAuthorizeSupport(slow), { requestCode: 'CODE-1234', duration: 90 }],
  }

  it.each(Object.keys(WRITES))("%s is not sent in the next user's name", async (name) => {
    const [use, variables] = WRITES[name]!
    const scene = await openCloudScene()
    let go = () => {}
    slow.onMutate = async () =>
      new Promise<void>((resolve) => {
        go = resolve
      })
    const { Probe, result } = createProbe(use)
    await scene.show(<Probe />)
    await scene.does(() => result().mutate(variables as never))
    await scene.changeUser('carol')
    await scene.does(() => go())
    await scene.passes(1000)
    const written = scene.host.requests.filter(
      ({ method, url }) => method !== 'GET' && !url.includes('/oauth/'),
    )
    expect(written.map(({ method, url }) => `${method} ${url}`)).toEqual([])
  })
})

describe('support access', () => {
  it('sends code, minutes and client, and tells when it ends', async () => {
    const scene = await openCloudScene()
    const { Probe, result } = createProbe(useAuthorizeSupport)
    await scene.show(<Probe />)
    await scene.does(() => result().mutate({ requestCode: 'CODE-1234', duration: 90 }))
    expect(bodies(scene, 'POST', '/support/authorization')).toEqual([
      { requestCode: 'CODE-1234', duration: 90, client_id: 'admin' },
    ])
    expect(result().data).toEqual({
      endsAtMs: scene.host.clock.nowMs + 90 * 60_000,
      details: { duration: 90 },
    })
  })

  it('keeps the code out of its row, its result and its errors, even when the server repeats it', async () => {
    const scene = await openCloudScene({
      answer: ({ url }) =>
        url.endsWith('/authorization')
          ? Response.json(
              { error_description: 'CODE-1234 is used', requestCode: 'CODE-1234' },
              { status: 409 },
            )
          : undefined,
    })
    const { Probe, result } = createProbe(useAuthorizeSupport)
    await scene.show(<Probe />)
    await scene.does(() => result().mutate({ requestCode: 'CODE-1234', duration: 90 }))
    expect(result().error).toMatchObject({
      status: 409,
      body: { error_description: '[redacted] is used', requestCode: '[redacted]' },
    })
    expect((result().variables!.requestCode as Secret).reveal()).toBe('CODE-1234')
    expect(mutationStates(scene)).not.toContain('CODE')
  })

  it('shows why it was forbidden, without the code', async () => {
    const scene = await openCloudScene({
      answer: ({ url }) =>
        url.endsWith('/authorization')
          ? Response.json({ detail: 'CODE-1234 is not yours' }, { status: 403 })
          : undefined,
    })
    const { Probe, result } = createProbe(useAuthorizeSupport)
    await scene.show(<Probe />)
    await scene.does(() => result().mutate({ requestCode: 'CODE-1234', duration: 90 }))
    expect(result().error).toMatchObject({
      code: 'forbidden',
      description: '[redacted] is not yours',
      body: { detail: '[redacted] is not yours' },
    })
  })

  it('leaves nothing in the cache when its screen is gone', async () => {
    const scene = await openCloudScene()
    const { Probe, result } = createProbe(useAuthorizeSupport)
    await scene.show(<Probe />)
    await scene.does(() => result().mutate({ requestCode: 'CODE-1234', duration: 90 }))
    await scene.does(() => scene.unmount())
    await scene.does(() => {})
    expect(scene.client.getMutationCache().getAll()).toEqual([])
  })

  it('hides the code with the factory alone, too', async () => {
    const scene = await openCloudScene()
    const cache = scene.client.getMutationCache()
    const row = cache.build(scene.client, authorizeSupportMutation(scene.auth))
    await scene.does(() => row.execute({ requestCode: 'CODE-1234', duration: 90 }))
    expect(row.state.status).toBe('success')
    expect(JSON.stringify(row.state)).not.toContain('CODE')
  })
})

describe('the exchange of an assertion', () => {
  it('sends it openly and gives back a token that prints as nothing', async () => {
    const scene = await openCloudScene()
    const { Probe, result } = createProbe(useExchangeAssertion)
    await scene.show(<Probe />)
    await scene.does(() => result().mutate({ assertion: 'JTI-1' }))
    const request = scene.asked('POST', '/oauth/token').at(-1)
    expect(JSON.parse(request?.body ?? '')).toEqual({
      assertion: 'JTI-1',
      grant_type: 'jti',
      client_id: 'admin',
    })
    expect(request?.headers.has('authorization')).toBe(false)
    expect(result().data?.expiresInSeconds).toBe(600)
    expect(result().data?.accessToken.reveal()).toMatch(/^ey/)
    expect(mutationStates(scene)).not.toMatch(/JTI|ey/)
  })

  it('does not touch who is signed in', async () => {
    const scene = await openCloudScene()
    const { Probe, result } = createProbe(useExchangeAssertion)
    await scene.show(<Probe />)
    const [state, token] = [scene.auth.getState(), await scene.auth.getAccessToken()]
    await scene.does(() => result().mutate({ assertion: 'JTI-1' }))
    expect(scene.auth.getState()).toBe(state)
    expect(await scene.auth.getAccessToken()).toBe(token)
  })

  it('hides the assertion with the factory alone, and from an error that repeats it', async () => {
    let isRefusing = false
    const scene = await openCloudScene({
      answer: ({ url }) =>
        isRefusing && url.endsWith('/oauth/token')
          ? Response.json({ error: 'invalid_request', error_description: 'no JTI-1 here' }, { status: 400 })
          : undefined,
    })
    isRefusing = true
    const row = scene.client.getMutationCache().build(scene.client, exchangeAssertionMutation(scene.auth))
    await scene.does(() => row.execute({ assertion: 'JTI-1' }).catch(() => {}))
    expect(row.state.error).toMatchObject({
      status: 400,
      body: { error_description: 'no [redacted] here' },
    })
    expect(JSON.stringify(row.state)).not.toContain('JTI-1')
  })

  it.each([[''], [undefined], [7]])('refuses %j before any request', async (assertion) => {
    const scene = await openCloudScene()
    const { Probe, result } = createProbe(useExchangeAssertion)
    await scene.show(<Probe />)
    const before = scene.host.requests.length
    await scene.does(() => result().mutate({ assertion: assertion as never }))
    expect(result().error).toMatchObject({ code: 'invalid-argument' })
    expect(scene.host.requests).toHaveLength(before)
  })
})

it.each([
  ['offline', 1, (scene: CloudScene) => scene.host.setOnline(false)],
  ['not-authenticated', 0, (scene: CloudScene) => scene.auth.logout()],
])(
  'a write that cannot begin fails with %s after %i requests, is not paused and is not kept for later',
  async (code, requestCount, before) => {
    const scene = await openCloudScene({ server: { user: createFakeUser() } })
    const { Probe, result } = createProbe(useUpdateFirm)
    await scene.show(<Probe />)
    await scene.does(() => before(scene))
    await scene.does(() => result().mutate({ id: 'f1', cloudProviderId: 'cumulus' }))
    expect(result()).toMatchObject({ status: 'error', isPaused: false, error: { code } })
    await scene.does(() => scene.host.setOnline(true))
    expect(scene.asked('PUT', '/api/firms/f1')).toHaveLength(requestCount)
  },
)
