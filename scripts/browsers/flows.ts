// A staff member's day as flows for any browser driver, each with its expectations.
import { setTimeout as wait } from 'node:timers/promises'
import type { Demo, DemoOptions } from '../../demo/startDemo.ts'
import type { Visitor } from './session.ts'

export interface Flow {
  name: string
  /** Changes to the demo for this flow. */
  demo?: Omit<DemoOptions, 'app'>
  /** A Content Security Policy for the app's page. */
  contentSecurityPolicy?: string
  /** `latchkey/early` is the first script of the page. */
  hasEarly?: boolean
  /** Needs to go offline, which not every driver can do. */
  needsOffline?: boolean
  /** `folder` contains the built app. */
  run(visitor: Visitor, demo: Demo, folder: string): Promise<void>
}

async function signIn(visitor: Visitor, address: string, who = 'anna'): Promise<void> {
  await visitor.open(address)
  await visitor.click(`//button[@value='${who}']`)
  await visitor.seesElement('#content')
}

/** Signs in and reloads; afterwards the server log has the requests of the reload only. */
async function signInAndReload(visitor: Visitor, { origin, authServer }: Demo, search = ''): Promise<void> {
  await signIn(visitor, `${origin}/activity${search}`)
  authServer.requests.clear()
  await visitor.reload()
  await visitor.seesHeading('Activity')
}

function expect(what: string, is: unknown, wanted: unknown): void {
  const [isText, wantedText] = [JSON.stringify(is), JSON.stringify(wanted)]
  if (isText !== wantedText) throw new Error(`${what}: ${isText}, not ${wantedText}`)
}

const visits = ({ authServer }: Demo, how: 'frame' | 'redirect') =>
  authServer.requests
    .matching({ method: 'GET', path: '/oauth/authorize' })
    .filter(({ prompt }) => (prompt === 'none') === (how === 'frame')).length

const tokenCalls = ({ authServer }: Demo, grant: 'authorization_code' | 'refresh_token') =>
  authServer.requests.count({ method: 'POST', path: '/oauth/token', grant })

/** All values in the page's storages. */
const STORED = 'JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)])'

/** Switches to the new window. */
async function toNewWindow(visitor: Visitor, known: readonly string[]): Promise<void> {
  await visitor.until('a new window', async () => (await visitor.tabs()).length > known.length)
  await visitor.switchTo((await visitor.tabs()).find((tab) => !known.includes(tab)) ?? '')
}

const CHANNEL = 'auth-session-anna'

const seesLive = async (visitor: Visitor) =>
  visitor.until('a line that is live', async () =>
    visitor.ask<boolean>("/^Live$/m.test(document.querySelector('.page-head')?.innerText)"),
  )

async function signInLive(visitor: Visitor, demo: Demo): Promise<void> {
  await signIn(visitor, `${demo.origin}/sessions`)
  await seesLive(visitor)
}

/** A message to Anna from the firm's server. */
const say = ({ realtimeServer }: Demo, text: string) =>
  realtimeServer?.publish('user_anna', { topic: 'note', messageType: 'new', data: { text } })

/** A reload asks the server, like a new visit. */
const ASKING = { betweenPages: false }

export const FLOWS: readonly Flow[] = [
  {
    name: 'sign-in comes back to the same place, byte for byte, with one exchange and no token in a storage',
    async run(visitor, demo) {
      const address = `${demo.origin}/activity?x=%20a+b&y=%C3%BC#/deep?code=1`
      await signIn(visitor, address)
      await visitor.seesHeading('Activity')
      expect('the address', await visitor.ask('location.href'), address)
      expect('exchanges', tokenCalls(demo, 'authorization_code'), 1)
      const stored = await visitor.ask<string>(STORED)
      expect('a token in a storage', /eyJ|verifier/.test(stored), false)
    },
  },
  {
    name: 'a reload asks the server for no session; in WebKit the hidden frame finds it',
    async run(visitor, demo) {
      await signIn(visitor, `${demo.origin}/activity`)
      const isWebkit = await visitor.ask<boolean>("navigator.vendor.startsWith('Apple')")
      if (!isWebkit)
        await visitor.until('a session that is left', async () =>
          visitor.ask<boolean>("window.name.startsWith('latchkey-keys ')"),
        )
      demo.authServer.requests.clear()
      await visitor.reload()
      await visitor.seesHeading('Activity')
      expect('frames', visits(demo, 'frame'), isWebkit ? 1 : 0)
      expect('redirects', visits(demo, 'redirect'), 0)
      expect('a name in WebKit', isWebkit && (await visitor.ask('window.name')) !== '', false)
    },
  },
  {
    name: 'a reload with `betweenPages: false` ends signed in through the hidden frame, without a redirect',
    demo: { auth: ASKING },
    async run(visitor, demo) {
      await signInAndReload(visitor, demo)
      expect('frames', visits(demo, 'frame'), 1)
      expect('redirects', visits(demo, 'redirect'), 0)
    },
  },
  {
    name: 'with latchkey/early, sign-in and reload come to the same place, with one frame and one exchange each',
    hasEarly: true,
    demo: { auth: ASKING },
    async run(visitor, demo) {
      const address = `${demo.origin}/activity?x=%20a+b#/deep`
      await signIn(visitor, address)
      await visitor.seesHeading('Activity')
      expect('the address', await visitor.ask('location.href'), address)
      for (const again of [false, true]) {
        if (again) {
          demo.authServer.requests.clear()
          await visitor.reload()
          await visitor.seesHeading('Activity')
        }
        expect('frames', visits(demo, 'frame'), 1)
        expect('exchanges', tokenCalls(demo, 'authorization_code'), 1)
      }
      expect('redirects', visits(demo, 'redirect'), 0)
    },
  },
  {
    name: 'a new tab is signed in without a request for a session',
    async run(visitor, demo) {
      await signIn(visitor, `${demo.origin}/activity`)
      // The first tab has 150 ms to respond; a busy computer may need longer.
      for (let count = 0; count < 5; count += 1) {
        demo.authServer.requests.clear()
        await visitor.openTab()
        await visitor.open(`${demo.origin}/activity`)
        await visitor.seesHeading('Activity')
        const asked =
          visits(demo, 'frame') + visits(demo, 'redirect') + tokenCalls(demo, 'authorization_code')
        if (asked === 0) return
      }
      throw new Error('each new tab asked the server for a session')
    },
  },
  {
    name: 'the access token is renewed by itself, and the page stays as it is',
    demo: { accessTokenLifetimeSeconds: 24 },
    async run(visitor, demo) {
      await signIn(visitor, demo.origin)
      await visitor.seesHeading(', Anna')
      await visitor.ask("document.querySelector('h1').dataset.mark = 'same'")
      await visitor.sees('1 in this tab')
      expect('the same heading', await visitor.ask("document.querySelector('h1').dataset.mark"), 'same')
      expect('renewals', tokenCalls(demo, 'refresh_token'), 1)
    },
  },
  {
    name: 'two tabs renew with one request between them',
    demo: { accessTokenLifetimeSeconds: 40 },
    async run(visitor, demo) {
      await signIn(visitor, demo.origin)
      await visitor.seesHeading(', Anna')
      await visitor.openTab()
      await visitor.open(demo.origin)
      await visitor.seesHeading(', Anna')
      demo.authServer.requests.clear()
      await visitor.until('a renewal', () => tokenCalls(demo, 'refresh_token') > 0)
      // A second renewal would have happened by now; the next one is due after 20 seconds.
      await wait(5000)
      expect('renewals', tokenCalls(demo, 'refresh_token'), 1)
      expect('refresh tokens used twice', demo.authServer.counts.reuseDetected, 0)
    },
  },
  {
    name: 'signing out ends every tab, and going back shows nothing of the session',
    async run(visitor, demo) {
      await signIn(visitor, `${demo.origin}/activity`)
      const [first = ''] = await visitor.tabs()
      const second = await visitor.openTab()
      await visitor.open(demo.origin)
      await visitor.seesHeading(', Anna')
      await visitor.clickButton('Sign out')
      await visitor.seesHeading('You are signed out')
      await visitor.switchTo(first)
      await visitor.seesHeading('You are signed out')
      await visitor.switchTo(second)
      await visitor.back()
      await visitor.until('a page without Anna', async () =>
        visitor.ask<boolean>('/^(?!.*Anna)./s.test(document.body.innerText)'),
      )
    },
  },
  {
    name: 'the back button after a sign-in finds the session, and no code is sent twice',
    async run(visitor, demo) {
      await visitor.open(`${demo.authServer.origin}/.well-known/openid-configuration`)
      await signIn(visitor, `${demo.origin}/activity`)
      await visitor.back()
      await visitor.open(`${demo.origin}/activity`)
      await visitor.seesHeading('Activity')
      const { length } = demo.authServer.requests
        .matching({ method: 'POST', path: '/oauth/token' })
        .filter(({ status = 0 }) => status >= 400)
      expect('refused exchanges', length, 0)
    },
  },
  {
    name: 'idle time signs out and says why',
    demo: { auth: { idleTimeoutInMinutes: 0.05 } },
    async run(visitor, demo) {
      await signIn(visitor, `${demo.origin}/activity?x=1`)
      await visitor.seesHeading('Signed out to keep things safe')
      expect('the place', await visitor.ask('location.pathname'), '/activity')
    },
  },
  {
    name: 'the window of the cloud account opens in the click, closes itself, and its result is shown',
    async run(visitor, demo) {
      await signIn(visitor, `${demo.origin}/cloud-account`)
      await visitor.seesHeading('Cloud account')
      const known = await visitor.tabs()
      await visitor.clickButton('Link my account')
      await toNewWindow(visitor, known)
      await visitor.click("//button[normalize-space(.)='Approve']")
      await visitor.until('the window to close', async () => (await visitor.tabs()).length === known.length)
      await visitor.switchTo(known[0] ?? '')
      await visitor.sees('Your account is linked')
    },
  },
  {
    name: 'the window of the cloud account closed by hand is noticed',
    async run(visitor, demo) {
      await signIn(visitor, `${demo.origin}/cloud-account`)
      await visitor.seesHeading('Cloud account')
      const known = await visitor.tabs()
      await visitor.clickButton('Link my account')
      await toNewWindow(visitor, known)
      await visitor.sees('Approve')
      await visitor.closeTab()
      await visitor.switchTo(known[0] ?? '')
      await visitor.sees('The window was closed before anything changed')
    },
  },
  {
    name: 'offline: a banner says so, the page stays, signing out works, and the rest follows with the network',
    needsOffline: true,
    async run(visitor, demo) {
      await signIn(visitor, demo.origin)
      await visitor.seesHeading(', Anna')
      await visitor.setOffline?.(true)
      await visitor.sees('offline')
      await visitor.sees('anna@noorderlicht.example')
      await visitor.clickButton('Sign out')
      await visitor.seesHeading('You are signed out')
      expect('logouts at the server', demo.authServer.requests.count({ path: '/oauth/logout' }), 0)
      await visitor.setOffline?.(false)
      await visitor.until(
        'the logout at the server',
        () => demo.authServer.requests.count({ path: '/oauth/logout' }) > 0,
      )
      await visitor.seesHeading('You are signed out')
    },
  },
  {
    name: 'a server that is down at the renewal keeps the session, and says so',
    async run(visitor, demo) {
      await signIn(visitor, demo.origin)
      await visitor.seesHeading(', Anna')
      demo.authServer.faults.add({ path: '/oauth/token', grant: 'refresh_token', reset: 'before-answer' })
      await visitor.clickButton('Renew now')
      await visitor.seesElement('main [role=alert]')
      demo.authServer.faults.clear()
      await visitor.clickButton('Renew now')
      await visitor.sees('1 in this tab')
    },
  },
  {
    name: 'a message reaches two tabs over one connection, and the last sign-out leaves the channels',
    demo: { realtime: true },
    async run(visitor, demo) {
      await signInLive(visitor, demo)
      const [first = ''] = await visitor.tabs()
      await visitor.openTab()
      await visitor.open(`${demo.origin}/sessions`)
      await seesLive(visitor)
      say(demo, 'to all tabs')
      await visitor.sees('To you: to all tabs')
      await visitor.switchTo(first)
      await visitor.sees('To you: to all tabs')
      expect('the most lines at once', demo.realtimeServer?.mostHeldPolls(), 1)
      await visitor.click("//button[@aria-label='Sign out']")
      await visitor.seesHeading('You are signed out')
      await visitor.until('the goodbye', () => demo.realtimeServer?.occupants(CHANNEL).length === 0)
    },
  },
  {
    name: 'real time heals when something takes the messaging SDK’s own frame out of the page while an answer is on its way',
    demo: { realtime: true },
    async run(visitor, demo) {
      await signInLive(visitor, demo)
      await visitor.until('a poll', () => demo.realtimeServer?.heldPolls() === 1)
      await visitor.ask(`(() => {
        const frame = document.querySelector('iframe[name^=pubnub]')
        const { prototype } = frame.contentWindow.Response
        const read = prototype.arrayBuffer
        prototype.arrayBuffer = function () {
          setTimeout(() => frame.remove())
          return read.call(this)
        }
      })()`)
      say(demo, 'in between')
      await visitor.sees('To you: in between')
      await seesLive(visitor)
    },
  },
  {
    name: 'a server that refuses to be framed: sign-in by redirect, and so does a reload, which tries the frame once more',
    demo: { auth: ASKING },
    async run(visitor, demo) {
      demo.authServer.faults.refuseFraming = 'csp'
      await signInAndReload(visitor, demo)
      expect('frames', visits(demo, 'frame'), 1)
      expect('redirects', visits(demo, 'redirect'), 1)
    },
  },
  {
    name: 'cookies kept out of frames: sign-in by redirect, and a reload ends signed in without the sign-in page',
    demo: { authServerHost: '127.0.0.1', auth: ASKING },
    async run(visitor, demo) {
      await signInAndReload(visitor, demo, '?x=1')
      expect('the address', await visitor.ask('location.href'), `${demo.origin}/activity?x=1`)
      expect('sign-in pages', demo.authServer.requests.count({ path: '/oauth/signin/:uid' }), 0)
    },
  },
  {
    name: 'the policy of the page forbids the frame: it says which rule to change',
    demo: { auth: { autoLogin: false } },
    contentSecurityPolicy:
      "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src *; frame-src 'none'",
    async run(visitor, demo) {
      await visitor.open(demo.origin)
      await visitor.seesHeading('Sign in to Deskwell')
      await visitor.click("//summary[normalize-space(.)='What happened']")
      await visitor.sees('agent-iframe blocked: csp')
    },
  },
  {
    name: 'the JSON editor comes whole, takes typing, and names a fault',
    async run(visitor, demo) {
      await signIn(visitor, `${demo.origin}/link-map`, 'daan')
      await visitor.click(
        "//label[normalize-space(.)='JSON'] | //*[@role='radio'][normalize-space(.)='JSON']",
      )
      await visitor.seesElement('.lkje[data-surface=full]')
      await visitor.sees('Valid JSON')
      await visitor.type("(//*[contains(@class,'lkje')]//*[@role='textbox'])[last()]", '"lost"')
      await visitor.sees('1 error has to be corrected first')
    },
  },
]
