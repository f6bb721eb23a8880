// The scan for secrets can fail: what is put into a place is found there, in every place that it looks at.

// @module-tag thorough

import { describe, expect, it } from 'vitest'
import { useDemo } from '../fixture.ts'
import { expectEventually, expectSignedIn } from '../page.ts'
import { openAndSignIn } from '../user.ts'
import { openWatched } from './secretScene.ts'

/** Each place with what puts a text there; handed to the browser. */
const PLANTS: Readonly<Record<string, (text: string) => unknown>> = {
  address: (text) => history.replaceState(null, '', `?planted=${text}`),
  history: (text) => history.replaceState({ text }, ''),
  'writing to the history': (text) => {
    history.replaceState({ text }, '')
    history.replaceState(null, '')
  },
  'window name': (text) => {
    window.name = text
  },
  title: (text) => {
    document.title = text
  },
  cookies: (text) => {
    document.cookie = `planted=${text}`
  },
  'local storage': (text) => localStorage.setItem('planted', text),
  'session storage': (text) => sessionStorage.setItem('planted', text),
  'writing to local storage': (text) => {
    localStorage.setItem('planted', text)
    localStorage.removeItem('planted')
  },
  'writing to session storage': (text) => {
    sessionStorage.setItem('planted', text)
    sessionStorage.removeItem('planted')
  },
  IndexedDB: async (text) =>
    new Promise((resolve) => {
      const opening = indexedDB.open('planted')
      opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore('texts'))
      opening.addEventListener('success', () => {
        const transaction = opening.result.transaction('texts', 'readwrite')
        transaction.objectStore('texts').put(text, 'planted')
        transaction.addEventListener('complete', () => resolve(opening.result.close()))
      })
    }),
  'Cache Storage': async (text) => (await caches.open('planted')).put('/planted', new Response(text)),
  page: (text) => document.body.append(document.createComment(text)),
  'attributes of the frame': (text) => {
    const frame = document.createElement('iframe')
    frame.title = text
    document.body.append(frame)
    setTimeout(() => frame.remove(), 50)
  },
  attributes: (text) => {
    document.body.dataset['planted'] = text
    setTimeout(() => delete document.body.dataset['planted'], 50)
  },
  fields: (text) => {
    const field = document.createElement('input')
    field.value = text
    document.body.append(field)
  },
  'performance timeline': (text) => performance.mark(text),
  globals: (text) => Reflect.set(window, Symbol.for('planted'), { deep: [new Map([[1, text]])] }),
  'props and state': (text) => Reflect.set(document.body, 'planted', { deep: new Set([text]) }),
  errors: (text) =>
    setTimeout(() => {
      throw new Error(text)
    }),
  console: (text) => console.log(text),
  'message between tabs': (text) => new BroadcastChannel('planted').postMessage({ text }),
  'message to a port': (text) => new MessageChannel().port1.postMessage([text]),
  'message to a worker': (text) => new Worker('/app-config.js', { type: 'module' }).postMessage({ text }),
  'message of a worker': (text) =>
    new Worker('/app-config.js', { type: 'module' }).dispatchEvent(
      new MessageEvent('message', { data: [text] }),
    ),
  'message of a window': (text) => window.postMessage({ text }, '*'),
}

describe('a secret that is planted', { timeout: 120_000 }, () => {
  const demo = useDemo({ realtime: true, environments: true })

  it('in any place of a page is found in that place', async () => {
    const { page, watch } = await openWatched(demo)
    demo.expectOnConsole(/^uncaught: CANARY-/)
    await openAndSignIn(page, demo.origin)
    for (const [place, put] of Object.entries(PLANTS)) {
      const text = `CANARY-${place.replaceAll(' ', '-')}`
      watch.plant(`planted: ${place}`, text)
      await page.evaluate(put, text)
      await expectEventually(
        async () => (await watch.find(page)).includes(`planted: ${place} | ${place}`),
        true,
      )
    }
  })

  it('in anything that is sent is found, by part and by whom it goes to', async () => {
    const { page, watch } = await openWatched(demo)
    await openAndSignIn(page, demo.origin)
    for (const part of ['address', 'body', 'header']) watch.plant(part, `CANARY-${part}`)
    await page.evaluate(
      async (url) =>
        fetch(url, {
          method: 'POST',
          body: '{"x":"CANARY-body"}',
          headers: { 'x-planted': 'CANARY-header' },
        }),
      `http://${demo.realtimeServer!.origin}/time/0?x=CANARY%2Daddress`,
    )
    const wanted = [
      'address | address of POST real time',
      'body | body of POST real time',
      'header | header x-planted to real time',
    ]
    await expectEventually(async () => (await watch.find(page)).filter((hit) => wanted.includes(hit)), wanted)
  })
})

describe('a page that loads scripts of others, with a Referrer-Policy', { timeout: 120_000 }, () => {
  const STRANGER = 'https://stranger.example'
  // The app's own, stricter policy comes after these.
  const head = (policy: string) =>
    `<meta name="referrer" content="${policy}"><script src="${STRANGER}/first.js"></script><script type="module" src="/app-config.js?first"></script>`
  const options = { realtime: true, environments: true, contentSecurityPolicy: "frame-ancestors 'none'" }

  const expectReferer = (name: string, demo: ReturnType<typeof useDemo>, hits: readonly string[]) =>
    it(name, async () => {
      const { page, watch } = await openWatched(demo)
      const asked: (string | undefined)[] = []
      await page.context().route(`${STRANGER}/**`, async (route) => {
        asked.push((await route.request().allHeaders())['referer'])
        await route.fulfill({ contentType: 'text/javascript', body: '' })
      })
      await openAndSignIn(page, demo.origin)
      await page.goto(`${demo.environments.desk.origin}/right`)
      await expectSignedIn(page)
      await page.evaluate((url) => fetch(url, { mode: 'no-cors' }), `${STRANGER}/later`)
      expect(asked.length).toBeGreaterThanOrEqual(4)
      const found = await watch.find(page)
      expect(found.filter((hit) => hit.includes('header referer'))).toEqual(hits)
    })

  describe('as browsers have it', () => {
    expectReferer(
      'tells the server that the page came from, and nobody else, the address with a code',
      useDemo({ ...options, head: head('strict-origin-when-cross-origin') }),
      ['code | header referer to the app', 'token of a link | header referer to the app'],
    )
  })

  describe('that is too weak', () => {
    expectReferer('tells a stranger, which is seen here', useDemo({ ...options, head: head('unsafe-url') }), [
      'code | header referer to a stranger',
      'code | header referer to the app',
      'token of a link | header referer to a stranger',
      'token of a link | header referer to the app',
    ])
  })
})
