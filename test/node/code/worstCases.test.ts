// Whatever somebody else writes is read in time in proportion to its length: 256 KB of each worst case.

// @module-tag thorough

import { describe, expect, it } from 'vitest'
import {
  isTokenShaped,
  splitAddress,
  withoutAnswer,
  withoutParameters,
} from '../../../src/protocol/address.ts'
import { assertWritten } from '../../../src/protocol/answers.ts'
import { cleanText, redact } from '../../../src/protocol/redaction.ts'
import { type Claims, decodeAccessToken } from '../../../src/protocol/claims.ts'
import { parseClash } from '../../../src/protocol/eventHooks.ts'
import { checkDomain, cloudAccessTokenPath, firmPath } from '../../../src/protocol/endpoints.ts'
import { handOverAddress, takeToken } from '../../../src/protocol/passthrough.ts'
import { applyLinkMap, checkLinkMap, readLinkMap } from '../../../src/protocol/linkMap.ts'
import {
  isLoopback,
  isSafeUrl,
  parseOrigin,
  sameOriginPath,
  storedPath,
} from '../../../src/protocol/origin.ts'
import { createOccupants } from '../../../src/realtime/occupants.ts'
import { isOwnWindow } from '../../../src/protocol/storageKeys.ts'
import {
  connectionName,
  channelNames,
  deepFreeze,
  NIL_DEVICE,
  parseAnnouncement,
  parsePresenceId,
  parseTopicMessage,
} from '../../../src/protocol/presence.ts'
import { readPresence, timetokenOf } from '../../../src/realtime/pubnub/pubnubSdk.ts'
import { isTrustedHost, judgeRedirection, parseRedirectionConfig } from '../../../src/protocol/redirection.ts'
import { readRefusal } from '../../../src/protocol/answers.ts'
import { holderName } from '../../../src/protocol/identity.ts'
import { parseAttempt, readAnswer, readFrameAnswer } from '../../../src/protocol/signIn.ts'
import { parseSessions } from '../../../src/protocol/tabMessages.ts'
import { parseCredentials } from '../../../src/protocol/credentials.ts'
import { UniqueSession } from '../../../src/realtime/uniqueSession.ts'
import { readAgentId, rememberedSince } from '../../../src/realtime/channels.ts'
import { readInitToken } from '../../../src/session/features/passthrough/passthroughPage.ts'
import { createCall } from '../../../src/session/http/call.ts'
import { createSend } from '../../../src/session/http/send.ts'
import { createSessionMarker } from '../../../src/session/tabs/sessionMarker.ts'
import { createSessionRecord } from '../../../src/session/sessionRecord.ts'
import type { StoragePort } from '../../../src/session/platform/platform.ts'
import { parsePresenceIds, parseRealtimeEvent, parseRelayed } from '../../../src/realtime/realtimeEvents.ts'
import { createTabRecords } from '../../../src/session/signIn/tabRecords.ts'
import { createFakeHost } from '../../../src/testing/fakeHost.ts'
import { createJwt } from '../../../src/testing/tokens.ts'
import { parseConfig } from '../../../src/protocol/config.ts'
import { decodeIdToken } from '../../../src/protocol/servers/idToken.ts'
import { readMetadata, withoutBareSlash } from '../../../src/protocol/servers/metadata.ts'
import { readAnswer as readOidcAnswer, readSilentAnswer } from '../../../src/protocol/servers/oidcAnswer.ts'
import { APP, CONFIG, CONNECTED } from '../session/sessionScene.ts'

const SIZE = 256 * 1024
const NOW_MS = 1_893_456_000_000
const settings = parseConfig(CONFIG)

/** A piece over and over, as long as asked for. */
const fill = (piece: string, size: number) => piece.repeat(Math.ceil(size / piece.length)).slice(0, size)
/** Different pieces, together about as long as asked for. */
const list = <Item>(size: number, make: (index: number) => Item): Item[] => {
  const length = JSON.stringify(make(100_000)).length
  return Array.from({ length: Math.ceil(size / length) }, (_, index) => make(100_000 + index))
}
const presenceIds = (size: number) => list(size, (index) => `1:${NIL_DEVICE}:a${index}`)
const storageWith = (text: string): StoragePort => {
  let kept: string | undefined = text
  return {
    get: () => kept,
    set(_key, value) {
      kept = value
      return true
    },
    remove() {
      kept = undefined
    },
  }
}
const quietly = (run: () => unknown) => {
  try {
    return run()
  } catch {
    // Refused: that too must not take long.
    return undefined
  }
}
const claims: Claims = { userId: 'alice', firmId: 'f1', sessionId: 's1' }
const claim = { authHost: 'https://auth.test', clientId: 'admin', sessionId: 's2', agentId: 'b' }
const own = { ...claim, sessionId: 's1', agentId: 'me', impersonatorId: undefined, logout: false, since: 1 }
const judge = (config: unknown, about: Claims = claims) => {
  const parsed = parseRedirectionConfig(config)
  const allowedEnvironmentHosts: string[] = []
  const { authHost, clientId } = settings
  return (
    parsed &&
    judgeRedirection(parsed, { claims: about, clientId, authHost, address: APP, allowedEnvironmentHosts })
  )
}
const connectedSession = () => {
  const session = new UniqueSession({
    own,
    isProtected: true,
    isUnique: true,
    ports: { monotonicNow: () => NOW_MS, setTimer: () => () => {} },
    announce() {},
    ask() {},
    onYield() {},
    onEnd() {},
  })
  session.connected()
  return session
}

/** Pieces of which the longest texts of all are made, for whatever reads a text. */
const PIECES = [
  'a',
  '1',
  ' ',
  '\0',
  '.',
  '-',
  '/',
  '?',
  '&',
  '%',
  '"',
  '{',
  '127.',
  'co.',
  'eyJa.',
  '"nonce":"',
  '\ud800',
]

/** Whatever takes one text. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  isSafeUrl,
  'isSafeUrl, after https': (text) => isSafeUrl(`https://auth.test/${text}`),
  withoutBareSlash,
  'readMetadata: the issuer': (text) =>
    quietly(() => readMetadata({ issuer: text }, 'https://auth.test', APP)),
  'readMetadata: an endpoint': (text) =>
    quietly(() =>
      readMetadata({ issuer: 'https://auth.test', authorization_endpoint: text }, 'https://auth.test', APP),
    ),
  'readSilentAnswer: an address': (text) => readSilentAnswer(`${APP}?${text}#${text}`, 'a'.repeat(32)),
  'readAnswer of OpenID Connect': (text) => readOidcAnswer(`${APP}?${text}`),
  decodeIdToken: (text) => quietly(() => decodeIdToken(text)),
  'decodeIdToken: a payload': (text) =>
    quietly(() => decodeIdToken(createJwt({ sub: text.slice(0, 30_000) }))),
  isTokenShaped,
  splitAddress,
  'withoutParameters: one parameter': (text) => withoutParameters(`${APP}?${text}`, () => true),
  assertWritten: (text) => quietly(() => assertWritten('GET', text)),
  decodeAccessToken: (text) => quietly(() => decodeAccessToken(text)),
  readInitToken: (text) => readInitToken(text, NOW_MS),
  parseClash: (agentId) => parseClash({ agentId, sinceMs: 1 }),
  checkDomain: (text) => quietly(() => checkDomain(text)),
  firmPath: (text) => quietly(() => firmPath(text)),
  cloudAccessTokenPath: (text) => quietly(() => cloudAccessTokenPath(text)),
  'handOverAddress to a redirect': (text) =>
    quietly(() => handOverAddress(text, { address: APP, origins: ['https://a.test'] })),
  'handOverAddress to a path': (text) =>
    quietly(() => handOverAddress(`/${text}`, { address: APP, origins: [] })),
  isLoopback,
  isOwnWindow,
  parseOrigin,
  storedPath: (text) => storedPath(`/${text}`, 'https://app.test'),
  sameOriginPath: (text) => sameOriginPath(text, APP),
  takeToken: (text) => takeToken(`${APP}?${text}`, settings, NOW_MS),
  readAnswer: (text) => readAnswer(`${APP}?${text}`),
  readFrameAnswer: (text) =>
    readFrameAnswer({ type: 'authorization_response', response: { state: text, code: text } }, text),
  cleanText,
  parseAttempt: (text) =>
    parseAttempt(
      { ...settings, redirectUri: APP, verifier: text, returnTo: `/${text}`, createdAtMs: NOW_MS },
      { settings, redirectUri: APP, nowMs: NOW_MS },
    ),
  parsePresenceId,
  channelNames: (text) => channelNames({ userId: text, firmId: text }),
  parseAnnouncement: (text) => parseAnnouncement({ ...claim, sessionId: text }),
  parseTopicMessage: (text) => parseTopicMessage({ topic: text, messageType: text, data: text }),
  timetokenOf,
  redact: (text) => redact(text, [fill('a', 16_000), fill('eyJa.a.', 16_000)]),
  isTrustedHost: (text) =>
    isTrustedHost(
      `https://${text}`,
      { topLevelDomains: [text, 'test'], environmentVariables: { prefixMappings: { a: text, b: 'b' } } },
      { authHost: settings.authHost, allowedEnvironmentHosts: [] },
    ),
  readRefusal: (text) => readRefusal({ status: 429, text, secrets: [], retryAfter: text }, NOW_MS),
  holderName: (text) => holderName(settings, { claims: { ...claims, userId: text }, memory: {} }),
  connectionName: (text) => connectionName(settings, { userId: text, firmId: text, presenceId: text }),
  parseCredentials: (text) => quietly(() => parseCredentials(text, CONNECTED.restore)),
  readAgentId: (text) =>
    readAgentId({ ...createFakeHost(APP).platform, localStorage: storageWith(text) }, settings),
  createSessionMarker: (text) => createSessionMarker(storageWith(text), settings, () => 'me').countOthers(),
  createTabRecords: (text) => createTabRecords(storageWith(text), settings).read(),
}

/** Many small things in the place of one long text; each is made before it is counted. */
const CROWDS: Readonly<Record<string, (size: number) => () => unknown>> = {
  'withoutParameters: an address of nothing but tokens': (size) => {
    const pieces = list(size, (index) => `jwt=${index}`)
    const address = `${APP}?${pieces.join('&')}`
    return () => withoutParameters(address, (name) => name === 'jwt')
  },
  'takeToken: tokens that all are for this app': (size) => {
    const token = createJwt({ userId: 1, firmId: 1, aud: settings.audience })
    const address = `${APP}?${list(size, (index) => `jwt=${token}${index}`).join('&')}`
    return () => takeToken(address, settings, NOW_MS)
  },
  'handOverAddress: a redirect of nothing but tokens': (size) => {
    const redirect = `/?${list(size, (index) => `jwt=a.b.${index}`).join('&')}`
    return () => handOverAddress(redirect, { address: APP, origins: [] })
  },
  'handOverAddress: as many origins': (size) => {
    const origins = list(size, (index) => `https://a${index}.test`)
    return () => quietly(() => handOverAddress('https://b.test/', { address: APP, origins }))
  },
  'withoutAnswer: as many parameters without a name': (size) => {
    const address = `${APP}?${'&'.repeat(size / 8)}${'=&'.repeat(size / 8)}`
    return () => withoutAnswer(address)
  },
  'readAnswer: as many parameters': (size) => {
    const address = `${APP}?state=Abc123&code=c&${list(size, (index) => `a${index}=b`).join('&')}`
    return () => readAnswer(address)
  },
  'readLinkMap, checkLinkMap and applyLinkMap': (size) => {
    const map = list(size, (id) => ({ internalUser: { id }, externalUser: { id } }))
    return () => applyLinkMap(readLinkMap(map), checkLinkMap(map))
  },
  'createOccupants: others come, stay and go': (size) => {
    const ids = presenceIds(size)
    const others = ids.map((id) => `${id}x`)
    return () => {
      const occupants = createOccupants(ids[0], () => {})
      occupants.replace(ids)
      occupants.change('join', others)
      for (const id of ids) occupants.describe(id, own)
      occupants.replace(others)
      occupants.change('leave', others)
    }
  },
  'UniqueSession: a crowd was there, joins, is asked for, and leaves': (size) => {
    const ids = presenceIds(size)
    const first = ids.slice(0, 50)
    return () => {
      const session = connectedSession()
      session.listed(ids)
      session.listed(ids)
      session.presence('leave', ids)
      session.presence('join', [...first, ...Array.from(ids, () => first[0]!)])
      session.listed(ids)
      session.presence('timeout', ids)
    }
  },
  'UniqueSession: as many claims': (size) => {
    const announcements = list(size, (index) =>
      parseAnnouncement({ ...claim, sessionId: `s${index}`, agentId: `a${index}`, since: index })!,
    )
    return () => {
      const session = connectedSession()
      for (const one of announcements) session.announcement(one, `1:${NIL_DEVICE}:${one.agentId}`)
    }
  },
  readPresence: (size) => {
    const join = presenceIds(size)
    return () => readPresence({ channel: 'a', action: 'interval', join, leave: join })
  },
  'deepFreeze: deep': (size) => {
    let body: unknown = {}
    for (let depth = 0; depth < size / 6; depth += 1) body = { a: body }
    return () => deepFreeze(body)
  },
  'deepFreeze: wide': (size) => {
    const body = list(size, (index) => ({ index }))
    return () => deepFreeze(body)
  },
  'redact: as many members': (size) => {
    const body = Object.fromEntries(list(size, (index) => [`nonce${index}`, `eyJ.${index}`]))
    return () => redact(body, ['abcd', 'nonce100001'])
  },
  'judgeRedirection: as many top-level domains and prefixes': (size) => {
    const file = {
      topLevelDomains: list(size / 3, (index) => index.toString(36).replace(/\d/g, 'z')),
      environments: [
        {
          criteria: { userId: ['alice'] },
          applications: ['admin'],
          authHost: 'https://b.test',
          topLevelDomain: 'test',
        },
      ],
      environmentVariables: {
        prefixMappings: Object.fromEntries(list(size / 3, (index) => [`a${index}`, `b${index}`])),
      },
    }
    return () => judge(file)
  },
  'judgeRedirection: as many audiences, and as many rules': (size) => {
    const values = list(2000, (index) => `a${index}`)
    const rule = {
      criteria: { aud: values },
      applications: ['admin'],
      authHost: 'https://b.test',
      topLevelDomain: 'com',
    }
    const file = {
      topLevelDomains: [],
      environments: Array.from({ length: Math.ceil(size / 2500) }, () => rule),
      environmentVariables: { prefixMappings: {} },
    }
    const about = { ...claims, aud: list(size / 4, (index) => `b${index}`) }
    return () => judge(file, about)
  },
  'createSessionRecord: as many sessions have ended': (size) => {
    const sessions = parseSessions(list(size, (index) => `s${index}`))
    return () => {
      const record = createSessionRecord(storageWith(JSON.stringify(sessions)), settings, () => 'id')
      record.receiveEnd(sessions, JSON.stringify(sessions))
      record.counts(true)
    }
  },
  'createSessionMarker: as many tabs': (size) => {
    const tabs = JSON.stringify({ tabs: list(size, (index) => `t${index}`) })
    return () => {
      const hint = createSessionMarker(storageWith(tabs), settings, () => 't100001')
      hint.join()
      rememberedSince(hint, 's', 1)
      hint.leave()
      hint.forget()
    }
  },
  'createTabRecords: as many attempts, navigations and marks': (size) => {
    const stored = JSON.stringify({
      attempts: Object.fromEntries(list(size / 3, (index) => [`a${index}`, { createdAtMs: 1 }])),
      navigations: list(size / 3, (index) => NOW_MS + index),
      marks: list(size / 3, (index) => `m${index}`),
    })
    return () => {
      const records = createTabRecords(storageWith(stored), settings)
      records.takeAttempt('a100001')
      records.mark('m100001')
      records.isMarked('none')
      records.countNavigation(NOW_MS)
      records.keepAttempt('b', {})
      records.forgetOld(NOW_MS)
    }
  },
  'parsePresenceIds, parseRealtimeEvent and parseRelayed': (size) => {
    const ids = presenceIds(size)
    const event = { type: 'presence', channel: 'a', action: 'join', presenceIds: ids }
    return () => [
      parsePresenceIds(ids),
      parseRealtimeEvent(event),
      parseRelayed({ kind: 'event', event }),
      parseRelayed({ kind: 'answer', to: 'a', id: 1, value: ids }),
    ]
  },
}

type Method = (this: { length: number }, ...given: unknown[]) => unknown

/** How many elements, letters and callbacks the builtins went through that look at one after the other. */
function workOf(run: () => unknown): number {
  let work = 0
  const restore: (() => void)[] = []
  const watch = (prototype: object, name: PropertyKey, make: (original: Method) => Method) => {
    const original = Reflect.get(prototype, name) as Method
    Object.defineProperty(prototype, name, { value: make(original), configurable: true, writable: true })
    restore.push(() => {
      Object.defineProperty(prototype, name, { value: original, configurable: true, writable: true })
    })
  }
  const whole = (original: Method): Method =>
    function (...given) {
      work += this.length
      return Reflect.apply(original, this, given)
    }
  const upToFound = (original: Method): Method =>
    function (...given) {
      const found = Reflect.apply(original, this, given) as number
      work += (found < 0 ? this.length : found + 1) - (Number(given[1]) || 0)
      return found
    }
  const eachCall = (original: Method): Method =>
    function (callback, ...given) {
      const counted = (...handed: unknown[]) => {
        work += 1
        return Reflect.apply(callback as Method, given[0], handed)
      }
      return Reflect.apply(original, this, [counted, ...given])
    }
  for (const name of ['find', 'findIndex', 'some', 'every', 'filter', 'map', 'flatMap', 'reduce', 'forEach'])
    watch(Array.prototype, name, eachCall)
  for (const name of ['includes', 'slice', 'join', 'flat', Symbol.iterator])
    watch(Array.prototype, name, whole)
  for (const prototype of [Array.prototype, String.prototype]) watch(prototype, 'indexOf', upToFound)
  for (const name of ['split', 'includes']) watch(String.prototype, name, whole)
  try {
    run()
  } finally {
    for (const undo of restore) undo()
  }
  return work
}

/**
 * A guard for what cannot be counted: the steps of a regular expression. Linear, it is done in well under 50 ms; quadratic, it takes minutes.
 * The time is that of the processor for this thread: on a machine with other work, a clock on the wall says nothing.
 */
function expectQuick(what: string, run: () => unknown) {
  const before = process.threadCpuUsage()
  run()
  expect([what, process.threadCpuUsage(before).user / 1000 < 2_000]).toEqual([what, true])
}

describe('what somebody else wrote is read in time in proportion to its length', () => {
  it.each(Object.entries(READERS))('%s: one long text', (name, read) => {
    for (const piece of PIECES) {
      const texts = [`${fill(piece, SIZE)}!`, `a.b.${fill(piece, 16_000)}`]
      for (const text of texts) expectQuick(`${name} ${JSON.stringify(text.slice(0, 20))}`, () => read(text))
    }
  })

  it.each(Object.entries(CROWDS))('%s', (name, make) => {
    const [half, whole] = [workOf(make(SIZE / 2)), workOf(make(SIZE))]
    // Four times as much where it is quadratic.
    expect([half, whole, whole <= half * 2.3 + 5000]).toEqual([half, whole, true])
    expectQuick(name, make(SIZE))
  })

  it('an ETag of that length is none, and no path of ours is as long', async () => {
    const host = createFakeHost(APP)
    const etag = `"${fill('a', SIZE)}`
    host.fetch = async () => new Response('{}', { headers: { etag, 'retry-after': etag } })
    const call = createCall(settings.authHost, createSend(host.platform))
    expect(await call({ method: 'GET', path: '/a', isTagged: true })).toEqual({ body: {}, etag: undefined })
  })
})
