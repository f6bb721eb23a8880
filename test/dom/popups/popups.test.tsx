// Popups as their user meets them: opened in the click, ended for certain, and what came of them read from the server.
import { useMutation } from '@tanstack/react-query'
import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import {
  useAdminConsent,
  useChangePassword,
  useCloudAccessToken,
  useCloudUserInfo,
  useGrantAdminConsent,
  useLinkCloudAccount,
  useReauthenticateCloudAccount,
  useUnlinkCloudAccount,
} from '../../../src/hooks/serverCalls.ts'
import { useAuth } from '../../../src/hooks/useAuth.ts'
import { linkCloudAccountMutation } from '../../../src/queries/cloudProvider.ts'
import type { OpenPopup, PopupPort } from '../../../src/session/platform/platform.ts'
import { type CloudScene, openCloudScene } from '../calls/cloudScene.tsx'

const LINKED = { linkedAccount: { id: 'cloud-alice' } }

type Shown = Omit<ReturnType<typeof useLinkCloudAccount>, 'data' | 'mutate' | 'variables'> & { data: unknown }

function Flow({ name, flow, start }: { name: string; flow: Shown; start: () => void }) {
  const { status, error, data } = flow
  return (
    <section aria-label={name}>
      <button type="button" onClick={start}>
        start {name}
      </button>
      <button type="button" onClick={flow.finish}>
        finish {name}
      </button>
      <button type="button" onClick={flow.cancel}>
        cancel {name}
      </button>
      <button type="button" onClick={flow.focusPopup}>
        focus {name}
      </button>
      <output aria-label={name}>
        {status === 'error' ? error?.code : status}
        {data ? ` ${JSON.stringify(data)}` : ''}
      </output>
    </section>
  )
}
function Link() {
  const flow = useLinkCloudAccount()
  return <Flow name="link" flow={flow} start={() => flow.mutate()} />
}
function Unlink() {
  const flow = useUnlinkCloudAccount()
  return <Flow name="unlink" flow={flow} start={() => flow.mutate()} />
}
function Reauthenticate() {
  const flow = useReauthenticateCloudAccount()
  return <Flow name="reauthenticate" flow={flow} start={() => flow.mutate()} />
}
function Consent({ domain }: { domain?: string }) {
  const flow = useGrantAdminConsent()
  return (
    <Flow
      name="consent"
      flow={flow as Shown}
      start={() => flow.mutate(domain === undefined ? undefined : { domain })}
    />
  )
}
function Password({ how }: { how?: 'navigation' }) {
  const flow = useChangePassword()
  return <Flow name="password" flow={flow as unknown as Shown} start={() => flow.mutate(how && { how })} />
}
function Status() {
  const { data } = useCloudUserInfo()
  return <p>linked: {data ? String(data['linked']) : 'unknown'}</p>
}

const shown = (name: string) => screen.getByRole('status', { name }).textContent
const press = (scene: CloudScene, name: string) =>
  scene.does(() => screen.getByRole('button', { name }).click())

/** The user has clicked "link"; its window is open. */
async function openLink(options?: Parameters<typeof openCloudScene>[0]): Promise<CloudScene> {
  const scene = await openCloudScene(options)
  await scene.show(<Link />)
  await press(scene, 'start link')
  return scene
}

describe('opening', () => {
  it('happens in the click itself, before anything is waited for', async () => {
    const scene = await openCloudScene()
    await scene.show(<Link />)
    let countInTheClick = 0
    await scene.does(() => {
      screen.getByRole('button', { name: 'start link' }).click()
      countInTheClick = scene.host.popups.length
    })
    expect(countInTheClick).toBe(1)
    expect(scene.host.popups[0]?.urls).toEqual(['https://auth.test/cloudprovider/link?client_id=admin'])
  })

  it('does not wait for the one-time nonce either: a blank window goes on when it has come', async () => {
    let answer = () => {}
    const scene = await openCloudScene({
      cloud: LINKED,
      answer: ({ url }) =>
        url.endsWith('/reauthenticate/link')
          ? new Promise((resolve) => {
              answer = () => resolve(Response.json({ nonce: 'NONCE 1' }))
            })
          : undefined,
    })
    await scene.show(<Reauthenticate />)
    await press(scene, 'start reauthenticate')
    expect(scene.host.popups[0]?.urls).toEqual(['about:blank'])
    await scene.does(() => answer())
    expect(scene.host.popups[0]?.urls).toEqual([
      'about:blank',
      'https://auth.test/cloudprovider/reauthenticate?client_id=admin&nonce=NONCE+1',
    ])
  })

  it('that the browser blocks is an error that asks for a fresh click, and the next click may succeed', async () => {
    const scene = await openCloudScene()
    scene.host.isPopupBlocked = true
    await scene.show(<Link />)
    await press(scene, 'start link')
    expect(shown('link')).toBe('popup-blocked')
    expect(scene.client.getMutationCache().getAll()[0]?.state.error).toMatchObject({
      remedy: expect.stringContaining('click again') as string,
    })
    scene.host.isPopupBlocked = false
    await press(scene, 'start link')
    expect(shown('link')).toBe('pending')
  })

  it('takes a window that is closed from the start for a blocked one', async () => {
    const scene = await openCloudScene()
    const closed: PopupPort = { isClosed: true, navigate() {}, close() {}, focus() {} }
    Object.assign(scene.host.platform, { openPopup: () => closed })
    await scene.show(<Link />)
    await press(scene, 'start link')
    expect(shown('link')).toBe('popup-blocked')
  })

  it('opens nothing for somebody who is not signed in, offline, or with a domain that is none', async () => {
    const scene = await openCloudScene({ server: { user: undefined }, config: { autoLogin: false } })
    await scene.show(
      <>
        <Link />
        <Consent domain="https://evil.test/" />
      </>,
    )
    await press(scene, 'start link')
    expect(shown('link')).toBe('not-authenticated')

    const other = await openCloudScene()
    await other.show(<Consent domain="https://evil.test/" />)
    await other.does(() => screen.getAllByRole('button', { name: 'start consent' })[1]?.click())
    expect(screen.getAllByRole('status', { name: 'consent' })[1]?.textContent).toBe('invalid-argument')
    expect([scene.host.popups, other.host.popups]).toEqual([[], []])
  })

  it('works with the factory alone', async () => {
    const scene = await openCloudScene()
    function Alone() {
      const { mutate, status } = useMutation(linkCloudAccountMutation(useAuth().auth))
      return (
        <button type="button" onClick={() => mutate()}>
          {status}
        </button>
      )
    }
    await scene.show(<Alone />)
    await scene.does(() => screen.getByRole('button').click())
    await scene.does(() => scene.cloud.agree(scene.host.popups[0]!))
    expect(screen.getByRole('button').textContent).toBe('success')
  })
})

describe('what came of it', () => {
  it('is read from the server after closeMe, shown to every reader, and the window is closed', async () => {
    const scene = await openCloudScene()
    await scene.show(
      <>
        <Link />
        <Status />
      </>,
    )
    expect(screen.getByText('linked: false')).toBeDefined()
    await press(scene, 'start link')
    const [popup] = scene.host.popups
    await scene.does(() => scene.cloud.agree(popup!))
    expect(shown('link')).toContain('"isChanged":true')
    expect(screen.getByText('linked: true')).toBeDefined()
    expect(popup?.isClosed).toBe(true)
  })

  it('is not believed: closeMe without a change on the server shows that nothing changed', async () => {
    const scene = await openCloudScene()
    await scene.show(
      <>
        <Link />
        <Status />
      </>,
    )
    await press(scene, 'start link')
    await scene.does(() => scene.host.popups[0]?.post('closeMe'))
    expect(shown('link')).toBe('success {"status":{"linked":false},"isChanged":false}')
    expect(screen.getByText('linked: false')).toBeDefined()
  })

  /** While `isHolding`, a reading of the status is answered, as not linked, when `release` is called. */
  async function openSlowStatus({ isHolding }: { isHolding: boolean }) {
    const held = { isHolding, release: () => {} }
    const scene = await openCloudScene({
      answer: ({ url }) =>
        held.isHolding && url.endsWith('/cloudprovider/userinfo')
          ? new Promise((resolve) => {
              held.release = () => resolve(Response.json({ linked: false }))
            })
          : undefined,
    })
    await scene.show(
      <>
        <Link />
        <Status />
      </>,
    )
    return { scene, held }
  }

  /** The user agrees, and only then comes the answer that was held back. */
  async function expectChange(
    scene: Awaited<ReturnType<typeof openCloudScene>>,
    held: { isHolding: boolean; release(): void },
  ) {
    held.isHolding = false
    await scene.does(() => scene.cloud.agree(scene.host.popups[0]!))
    await scene.does(() => held.release())
    expect(shown('link')).toContain('"isChanged":true')
    expect(screen.getByText('linked: true')).toBeDefined()
  }

  it('is not an answer that was already on its way when the popup ended', async () => {
    const { scene, held } = await openSlowStatus({ isHolding: false })
    await press(scene, 'start link')
    held.isHolding = true
    await scene.does(() => void scene.client.invalidateQueries())
    await expectChange(scene, held)
  })

  it('is a change also when the first reading is so slow that its answer comes after the change', async () => {
    const { scene, held } = await openSlowStatus({ isHolding: true })
    await press(scene, 'start link')
    await expectChange(scene, held)
  })

  it.each([[{ type: 'closeMe' }], [{ name: 'closeMe' }], [{ message: 'closeMe' }]])(
    'counts %j as closeMe, once, and nothing else',
    async (message) => {
      const scene = await openLink()
      const [popup] = scene.host.popups
      await scene.does(() => popup?.post({ data: 'closeMe' }))
      await scene.does(() => popup?.post('hello'))
      expect(shown('link')).toBe('pending')
      await scene.does(() => {
        popup?.post(message)
        popup?.post(message)
      })
      expect(shown('link')).toContain('success')
      expect(scene.asked('GET', '/cloudprovider/userinfo')).toHaveLength(2)
    },
  )

  it('does not count closeMe while the window is still blank', async () => {
    const scene = await openCloudScene({
      cloud: LINKED,
      answer: ({ url }) => (url.endsWith('/reauthenticate/link') ? new Promise(() => {}) : undefined),
    })
    await scene.show(<Reauthenticate />)
    await press(scene, 'start reauthenticate')
    await scene.does(() => scene.host.popups[0]?.post('closeMe'))
    expect(shown('reauthenticate')).toBe('pending')
  })

  it('includes consent for the domain that was asked for', async () => {
    const scene = await openCloudScene()
    await scene.show(<Consent domain="firm.example" />)
    await press(scene, 'start consent')
    expect(scene.host.popups[0]?.urls).toEqual([
      'https://auth.test/cloudprovider/adminconsent?client_id=admin&domain=firm.example',
    ])
    await scene.does(() => scene.cloud.agree(scene.host.popups[0]!))
    expect(shown('consent')).toContain('"domain":"firm.example"')
    // The status that is read is that of the domain.
    expect(
      scene.asked('GET', '/cloudprovider/adminconsent/status').map(({ url }) => new URL(url).search),
    ).toEqual(['?client_id=admin&domain=firm.example', '?client_id=admin&domain=firm.example'])
  })

  it('includes consent for a domain in the sight of those who read it for the firm', async () => {
    const scene = await openCloudScene()
    function Firm() {
      const { data } = useAdminConsent()
      return <p>granted: {String(data?.['granted'])}</p>
    }
    await scene.show(
      <>
        <Consent domain="firm.example" />
        <Firm />
      </>,
    )
    expect(screen.getByText('granted: false')).toBeDefined()
    await press(scene, 'start consent')
    await scene.does(() => scene.cloud.agree(scene.host.popups[0]!))
    expect(screen.getByText('granted: true')).toBeDefined()
  })

  it('clears a cloud token that was in sight, so that none of the former account stays', async () => {
    const scene = await openCloudScene({ cloud: LINKED })
    const seen: string[] = []
    function Token() {
      const { data, isPending, isError } = useCloudAccessToken(undefined, { retry: false })
      seen.push(isPending ? 'none' : isError ? 'gone' : (data?.reveal() ?? ''))
      return null
    }
    await scene.show(
      <>
        <Unlink />
        <Token />
      </>,
    )
    expect(seen.at(-1)).toMatch(/^cloud-token/)
    await press(scene, 'start unlink')
    await scene.does(() => scene.cloud.agree(scene.host.popups[0]!))
    expect(seen.at(-1)).toBe('gone')
  })

  it('is an error when the server cannot be asked', async () => {
    let isDown = false
    const scene = await openCloudScene({
      answer: ({ url }) =>
        isDown && url.endsWith('/cloudprovider/userinfo') ? Response.json({}, { status: 403 }) : undefined,
    })
    await scene.show(<Link />)
    await press(scene, 'start link')
    isDown = true
    await scene.does(() => scene.host.popups[0]?.post('closeMe'))
    expect(shown('link')).toBe('forbidden')
  })
})

describe('a server that says 404 where nothing is linked', () => {
  const open = (linkedAccount?: object) =>
    openCloudScene({
      cloud: { unlinkedStatus: 404, linkedAccount: linkedAccount as Record<string, unknown> | undefined },
    })
  function Reader() {
    const { data, error } = useCloudUserInfo()
    return <p>{data ? `linked: ${String(data['id'])}` : `error ${error?.status}`}</p>
  }

  it('does not make an unlink that worked fail, and the former account goes from the screen', async () => {
    const scene = await open({ id: 'cloud-alice' })
    await scene.show(
      <>
        <Unlink />
        <Reader />
      </>,
    )
    expect(screen.getByText('linked: cloud-alice')).toBeDefined()
    await press(scene, 'start unlink')
    await scene.does(() => scene.cloud.agree(scene.host.popups[0]!))
    expect(shown('unlink')).toBe('success {"isChanged":true}')
    // The read itself still rejects.
    expect(screen.getByText('error 404')).toBeDefined()
  })

  it('does not hide that a link was made', async () => {
    const scene = await open()
    await scene.show(
      <>
        <Link />
        <Reader />
      </>,
    )
    expect(screen.getByText('error 404')).toBeDefined()
    await press(scene, 'start link')
    await scene.does(() => scene.cloud.agree(scene.host.popups[0]!))
    expect(shown('link')).toContain('"isChanged":true')
    expect(screen.getByText('linked: cloud-alice')).toBeDefined()
  })

  it('says that nothing changed where nothing was linked before and after', async () => {
    const scene = await open()
    await scene.show(<Link />)
    await press(scene, 'start link')
    await scene.does(() => scene.host.popups[0]?.post('closeMe'))
    expect(shown('link')).toBe('success {"isChanged":false}')
  })
})

describe('every end', () => {
  it('closed by hand: says so when nothing changed, within a second once the grace is over', async () => {
    const scene = await openLink()
    await scene.passes(3_000)
    await scene.does(() => scene.host.popups[0]?.close())
    await scene.passes(1_000)
    expect(shown('link')).toBe('popup-closed')
  })

  it('closed by hand after it was done: succeeds with what the server says', async () => {
    const scene = await openLink()
    scene.cloud.linkedAccount = { id: 'cloud-alice' }
    await scene.does(() => scene.host.popups[0]?.close())
    await scene.does(() => scene.host.emit('focus'))
    expect(shown('link')).toContain('"isChanged":true')
  })

  it('closed while still blank: says so at once, and the nonce is not waited for', async () => {
    const scene = await openCloudScene({
      cloud: LINKED,
      answer: ({ url }) => (url.endsWith('/reauthenticate/link') ? new Promise(() => {}) : undefined),
    })
    await scene.show(<Reauthenticate />)
    await press(scene, 'start reauthenticate')
    await scene.does(() => scene.host.popups[0]?.close())
    await scene.passes(500)
    expect(shown('reauthenticate')).toBe('popup-closed')
  })

  it('a nonce that cannot be had: the window closes and the error is shown', async () => {
    const scene = await openCloudScene()
    await scene.show(<Reauthenticate />)
    Object.assign(scene.cloud, { answer: async () => Response.json({ error: 'not_found' }, { status: 404 }) })
    await press(scene, 'start reauthenticate')
    expect(shown('reauthenticate')).toBe('unexpected-status')
    expect(scene.host.popups).toHaveLength(0)
  })

  it('done without closeMe, as when its page is broken: seen when the user comes back', async () => {
    const scene = await openLink()
    const [popup] = scene.host.popups
    await scene.does(() => scene.host.emit('focus'))
    expect(shown('link')).toBe('pending')
    scene.cloud.linkedAccount = { id: 'cloud-alice' }
    await scene.does(() => scene.host.emit('focus'))
    expect(shown('link')).toContain('success')
    expect(popup?.isClosed).toBe(true)
  })

  it("the user's word: finished reads the status, cancelled closes the window", async () => {
    const scene = await openLink()
    await press(scene, 'finish link')
    expect(shown('link')).toBe('success {"status":{"linked":false},"isChanged":false}')
    await press(scene, 'start link')
    await press(scene, 'cancel link')
    expect(shown('link')).toBe('popup-closed')
    expect(scene.host.popups).toHaveLength(0)
  })

  it("finished, cancelled or late: the server's close page ends its own half-done work before the window goes", async () => {
    const CLOSE = 'https://auth.test/oauth/close?client_id=admin'
    const scene = await openCloudScene()
    await scene.show(<Link />)
    const open = async () => {
      await press(scene, 'start link')
      return scene.host.popups[0]!
    }
    for (const button of ['finish link', 'cancel link']) {
      const popup = await open()
      // The user did agree in the window; the server has it done when its close page says so.
      await press(scene, button)
      expect([popup.urls.at(-1), popup.isClosed]).toEqual([CLOSE, true])
    }
    expect(shown('link')).toBe('popup-closed')
    const late = await open()
    await scene.passes(600_500)
    expect([late.urls.at(-1), late.isClosed, shown('link')]).toEqual([CLOSE, true, 'popup-timeout'])
    // Its own closeMe came from that page: there is nothing to be sent to.
    const answered = await open()
    await scene.does(() => answered.post('closeMe'))
    expect(answered.urls).toEqual(['https://auth.test/cloudprovider/link?client_id=admin'])
  })

  it('a close page that never answers is waited for for two seconds, and what it ended counts', async () => {
    const scene = await openLink({ host: { isClosePageMute: true } })
    const [popup] = scene.host.popups
    await press(scene, 'finish link')
    expect([popup?.isClosed, shown('link')]).toEqual([false, 'pending'])
    scene.cloud.linkedAccount = { id: 'cloud-alice' }
    await scene.passes(1_999)
    expect(popup?.isClosed).toBe(false)
    await scene.passes(1)
    expect(popup?.isClosed).toBe(true)
    expect(shown('link')).toContain('"isChanged":true')
  })

  it('a click while the former window is on its close page opens a window of its own', async () => {
    const scene = await openLink({ host: { isClosePageMute: true } })
    const [former] = scene.host.popups
    await press(scene, 'cancel link')
    await press(scene, 'start link')
    const latter = scene.host.popups[1]
    expect(latter?.name).not.toBe(former?.name)
    await scene.passes(2_000)
    expect([former?.isClosed, latter?.isClosed, shown('link')]).toEqual([true, false, 'pending'])
    await scene.does(() => scene.cloud.agree(latter!))
    expect(shown('link')).toContain('"isChanged":true')
  })

  it('the session ended: the window closes and nothing is asked in its name', async () => {
    const scene = await openLink()
    const [popup] = scene.host.popups
    const outcome = scene.client.getMutationCache().getAll()[0]!
    await scene.does(() => scene.auth.logout())
    expect(popup?.isClosed).toBe(true)
    expect(outcome.state.error).toMatchObject({ code: 'not-authenticated' })
    expect(scene.asked('GET', '/cloudprovider/userinfo')).toHaveLength(1)
  })

  it.each([
    ['open', async () => {}],
    ['closed by its user', async (scene: CloudScene) => scene.does(() => scene.host.popups[0]?.close())],
    ["on the server's close page", async (scene: CloudScene) => press(scene, 'cancel link')],
  ])('the app is gone while it is %s: nothing looks for it any more', async (_state, befalls) => {
    for (const goes of ['unmount', 'dispose']) {
      const scene = await openCloudScene({ host: { isClosePageMute: true } })
      // Held by its provider alone, and not by `start()`.
      scene.auth.dispose()
      await scene.show(<Link />)
      await press(scene, 'start link')
      await befalls(scene)
      const mutation = scene.client.getMutationCache().getAll().at(-1)
      await scene.does(() => (goes === 'unmount' ? scene.unmount() : scene.auth.dispose()))
      expect(scene.host.counts()).toMatchObject({ timers: 0, listeners: 0, popups: 0 })
      expect(mutation?.state).toMatchObject({
        status: 'error',
        error: { code: goes === 'unmount' ? 'popup-closed' : 'not-authenticated' },
      })
      const asked = scene.host.requests.length
      await scene.passes(700_000)
      scene.host.emit('focus')
      expect(scene.host.requests).toHaveLength(asked)
      scene.unmount()
    }
  })

  it('leaves no timer, listener or window behind', async () => {
    const scene = await openCloudScene()
    await scene.show(<Link />)
    await scene.passes(2_000)
    const before = scene.host.counts()
    await press(scene, 'start link')
    await scene.does(() => scene.cloud.agree(scene.host.popups[0]!))
    expect(scene.host.counts()).toEqual(before)
  })
})

describe('a window cut off by an opener policy', () => {
  /** It looks closed from here, and its user goes on in it. */
  async function openSevered() {
    let isSevered = false
    let isPageInFront = false
    const openPopup: OpenPopup = () => ({
      get isClosed() {
        return isSevered
      },
      get isPageInFront() {
        return isPageInFront
      },
      navigate() {},
      close() {},
      focus() {},
    })
    const scene = await openCloudScene()
    // Held by its provider alone, and not by `start()`.
    scene.auth.dispose()
    Object.assign(scene.host.platform, { openPopup })
    await scene.show(
      <>
        <Link />
        <Status />
      </>,
    )
    await press(scene, 'start link')
    isSevered = true
    return {
      scene,
      comeBack: () =>
        scene.does(() => {
          isPageInFront = true
          scene.host.emit('focus')
        }),
      standInFront: () => {
        isPageInFront = true
      },
    }
  }

  it('is not called closed while its user is in it', async () => {
    const { scene } = await openSevered()
    await scene.passes(20_000)
    expect(shown('link')).toBe('pending')
  })

  it('succeeds when the user comes back and the server has it', async () => {
    const { scene, comeBack } = await openSevered()
    scene.cloud.linkedAccount = { id: 'cloud-alice' }
    await comeBack()
    expect(shown('link')).toContain('"isChanged":true')
  })

  it('is never called closed in its first three seconds on that ground alone', async () => {
    const { scene, standInFront } = await openSevered()
    standInFront()
    await scene.passes(2_500)
    expect(shown('link')).toBe('pending')
    await scene.passes(1_000)
    expect(shown('link')).toBe('popup-closed')
  })

  it('that was given up too early still shows its result, by itself', async () => {
    const { scene, comeBack } = await openSevered()
    await comeBack()
    expect(shown('link')).toBe('popup-closed')
    scene.cloud.linkedAccount = { id: 'cloud-alice' }
    await scene.passes(5_000)
    expect(screen.getByText('linked: true')).toBeDefined()
  })

  it.each(['unmount', 'dispose'] as const)(
    'that was given up too early is read no more once the app is gone: %s',
    async (goes) => {
      const { scene, comeBack } = await openSevered()
      await comeBack()
      expect(shown('link')).toBe('popup-closed')
      await scene.does(() => (goes === 'unmount' ? scene.unmount() : scene.auth.dispose()))
      expect(scene.host.counts()).toMatchObject({ timers: 0, listeners: 0 })
    },
  )
})

describe('two at once', () => {
  it('of one kind share one window and one end', async () => {
    const scene = await openLink()
    await press(scene, 'start link')
    expect(scene.host.popups).toHaveLength(1)
    expect(scene.host.popups[0]?.focusCount).toBeGreaterThan(0)
    await scene.does(() => scene.cloud.agree(scene.host.popups[0]!))
    const ends = scene.client.getMutationCache().getAll()
    expect(ends.map(({ state }) => state.status)).not.toContain('pending')
    expect(shown('link')).toContain('success')
  })

  it('of two kinds have a window each and end each by themselves', async () => {
    const scene = await openCloudScene()
    await scene.show(
      <>
        <Link />
        <Consent />
      </>,
    )
    await press(scene, 'start link')
    await press(scene, 'start consent')
    const [link, consent] = scene.host.popups
    expect(link?.name).not.toBe(consent?.name)
    await scene.does(() => scene.cloud.agree(consent!))
    expect([shown('link'), shown('consent')]).toEqual(['pending', expect.stringContaining('"granted":true')])
    await scene.does(() => scene.cloud.agree(link!))
    expect(shown('link')).toContain('"isChanged":true')
  })

  it('for two domains: the first ends as closed, the second goes on', async () => {
    const scene = await openCloudScene()
    await scene.show(<Consent domain="one.example" />)
    await press(scene, 'start consent')
    const first = scene.client.getMutationCache().getAll()[0]!
    await scene.does(() => scene.auth.getState())
    screen.getByRole('status', { name: 'consent' })
    const second = await openSecond(scene)
    expect(first.state.error).toMatchObject({ code: 'popup-closed' })
    expect(scene.host.popups.map(({ urls }) => urls.at(-1))).toEqual([
      'https://auth.test/cloudprovider/adminconsent?client_id=admin&domain=two.example',
    ])
    await scene.does(() => scene.cloud.agree(scene.host.popups[0]!))
    expect(second()).toContain('two.example')
  })

  async function openSecond(scene: CloudScene) {
    const { container } = await renderSecond(scene)
    await scene.does(() => container.querySelector('button')?.click())
    return () => container.querySelector('output')?.textContent
  }
  async function renderSecond(scene: CloudScene) {
    await scene.show(<Consent domain="two.example" />)
    return { container: document.body.lastElementChild as HTMLElement }
  }
})

describe('changing the password', () => {
  it('in a popup: done with closeMe, and the user info is read again', async () => {
    const scene = await openCloudScene()
    await scene.show(<Password />)
    await press(scene, 'start password')
    expect(scene.host.popups[0]?.urls).toEqual(['https://auth.test/oauth/changepassword?client_id=admin'])
    await scene.does(() => scene.host.popups[0]?.post('closeMe'))
    expect(shown('password')).toContain('success')
  })

  it('in place of the app: leaves for it, says so, and the way back finds the session', async () => {
    const scene = await openCloudScene()
    await scene.show(<Password how="navigation" />)
    await press(scene, 'start password')
    expect(scene.host.popups).toHaveLength(0)
    expect(scene.host.navigations).toEqual(['https://auth.test/oauth/changepassword?client_id=admin'])
    expect(scene.auth.getState()).toMatchObject({ status: 'redirecting', to: 'change-password' })
    await scene.does(() => scene.host.emit('restored'))
    expect(scene.auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'alice' } })
  })
})
