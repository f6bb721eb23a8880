// Gets an access token for one resource (RFC 8707): with the session's refresh token, once for all tabs, beside the session's own token.
import { AuthError } from '../../base/errors.ts'
import { readJwt } from '../../protocol/claims.ts'
import { isSameIdentity } from '../../protocol/identity.ts'
import { parseUrl } from '../../protocol/origin.ts'
import { renewMarginMs } from '../../base/sessionConstants.ts'
import {
  identityChanged,
  invalidArgument,
  invalidGrant,
  notAuthenticated,
  notSupported,
} from '../../base/sessionErrors.ts'
import type { Context } from '../context.ts'
import type { Granted, Memory } from '../../protocol/credentials.ts'
import { joined } from './stepUp.ts'
import type { OtherTabs } from '../tabs/otherTabs.ts'
import type { TokenRefresh } from '../signedIn/tokenRefresh.ts'

/** A round may bring only another tab's tokens: as many rounds as the marker counts tabs. */
const LARGEST_ROUND_COUNT = 64
const asked = new WeakMap<object, Map<string, Promise<string>>>()
/** The end of each resource's last token that this tab has seen, by the monotonic clock. */
const endsOf = new WeakMap<AbortSignal, Map<string, { token: string; endMs: number; lifeMs: number }>>()

interface ResourceTokenOptions {
  context: Pick<Context, 'settings' | 'platform' | 'timeline' | 'tokens' | 'caches' | 'tokenEndpoint'>
  session: { stillCounts(): boolean }
  refresh: Pick<TokenRefresh, 'ensureFresh'>
  otherTabs: Pick<OtherTabs, 'renewOnce'>
}

/** `signal`: aborted, with the error to throw, when the user's data is cleared. */
type OfUser = ResourceTokenOptions & { signal: AbortSignal }

/** @throws AuthError `invalid-argument`, `not-supported`, `not-authenticated`, `client-refused`, and those of a renewal */
export async function getResourceToken(
  options: ResourceTokenOptions,
  resource: unknown,
  isForced = false,
): Promise<string> {
  const { context, session } = options
  const signal = context.caches.signal()
  const get = async () => getToken({ ...options, signal }, resource, isForced)
  const token = await get().catch(async (error: unknown) => {
    const wait = context.caches.untilBack?.()
    if (!wait) throw error
    await wait(signal)
    return get()
  })
  session.stillCounts()
  signal.throwIfAborted()
  return token
}

async function getToken(options: OfUser, resource: unknown, isForced: boolean): Promise<string> {
  const { settings, tokens } = options.context
  if (!isResource(resource))
    throw invalidArgument('resource is no absolute address', 'As the API is registered, without #.')
  if (!settings.server.supports('resourceTokens')) throw notSupported('A token for a resource')
  options.signal.throwIfAborted()
  if (!tokens.current) throw notAuthenticated()
  const before = resourceTokenOf(tokens.current.memory, resource)?.token
  const { leftMs, lifeMs } = lifeOf(options, resource)
  if (before !== undefined && !isForced && leftMs > renewMarginMs(lifeMs)) return before

  return joined(asked, options.signal, resource, async () => getNew(options, resource, before))
}

/**
 * The remaining life of the token, and its whole life when this tab first saw it. The wall clock runs during sleep, the monotonic one
 * cannot be set back: the smaller counts.
 */
function lifeOf({ context, signal }: OfUser, resource: string) {
  const { tokens, platform } = context
  const found = tokens.current && resourceTokenOf(tokens.current.memory, resource)
  if (!found) return { leftMs: 0, lifeMs: 0 }
  const ends: ReturnType<typeof endsOf.get> & object = endsOf.get(signal) ?? new Map()
  endsOf.set(signal, ends)
  const byWallMs = found.untilMs - platform.now()
  const before = ends.get(resource)
  const seen =
    before?.token === found.token
      ? before
      : { token: found.token, endMs: platform.monotonicNow() + byWallMs, lifeMs: byWallMs }
  ends.set(resource, seen)
  return { leftMs: Math.min(byWallMs, seen.endMs - platform.monotonicNow()), lifeMs: seen.lifeMs }
}

/** A token from the server, or another one than before from another tab. */
async function getNew(options: OfUser, resource: string, before: string | undefined): Promise<string> {
  const { context, refresh } = options
  let hasRenewed = false
  for (let round = 0; round < LARGEST_ROUND_COUNT; round += 1) {
    let isFromServer = false
    try {
      isFromServer = await renewFor(options, resource)
    } catch (error) {
      // Refused with the newest refresh token, too: the refusal is about this resource.
      if (!(error instanceof AuthError && error.code === 'invalid-grant') || hasRenewed) throw error
      hasRenewed = true
      // The session may continue by a newer refresh token or the hidden frame. If not, this throws the cause.
      await refresh.ensureFresh(true)
    }
    // A new token is used once, however short its life, which counts from now.
    const token = resourceTokenOf(context.tokens.current?.memory ?? {}, resource)?.token
    lifeOf(options, resource)
    if (token === undefined && isFromServer)
      throw notSupported(
        'A token for this resource',
        'The server gave one for another API: register this address there.',
      )
    if (token === undefined || (token === before && !isFromServer)) continue
    context.timeline.record('token for a resource', 'done', new URL(resource).origin)
    return token
  }
  throw notAuthenticated()
}

/**
 * Resolves with whether the server was asked for the resource; otherwise tokens came from another tab or for the session.
 * The session's own token and its life stay; the refresh token may be new.
 */
async function renewFor({ context, otherTabs, signal }: OfUser, resource: string): Promise<boolean> {
  let isFromServer = false
  let from: string | undefined
  const { tokens, tokenEndpoint, platform } = context
  const { current } = tokens
  signal.throwIfAborted()
  if (!current) throw notAuthenticated()
  const { claims } = current

  const fetchIt = async (first: 'refresh' | 'frame'): Promise<Granted> => {
    const { refreshToken } = current
    if (refreshToken === undefined)
      throw notSupported('A token for a resource', 'It needs a refresh token: ask for offline_access.')
    // It may be spent: the renewal of the session finds out, without a second use.
    if (first === 'frame' || tokenEndpoint.mayBeSpent(current.sentAtMs)) throw invalidGrant()
    from = tokens.current?.accessToken
    const received = await tokenEndpoint.refresh(current, refreshToken, {
      resource,
      keep: (memory, token, untilMs) =>
        isFor(token, resource)
          ? withResourceToken(memory, platform.now(), { resource, token, untilMs })
          : undefined,
    })
    isFromServer = true
    // The session's own token, stored again beside the resource's, keeps its age.
    const { expiresInSeconds, askedAtMs } = (received.accessToken === from && tokens.copy()) || received
    return { ...received, expiresInSeconds, askedAtMs }
  }
  await otherTabs.renewOnce(fetchIt, (granted, isFetched) => {
    isFromServer &&= isFetched
    if (!isSameIdentity(claims, granted.claims)) throw identityChanged()
    signal.throwIfAborted()
    // The session has got other tokens meanwhile: the new refresh token is of the old family.
    if (from !== undefined && tokens.current?.accessToken !== from) isFromServer = false
    else tokens.put(granted)
  })
  // Another user's tokens came from another tab.
  signal.throwIfAborted()
  return isFromServer
}

function isResource(value: unknown): value is string {
  return parseUrl(value) !== undefined && !String(value).includes('#')
}

/** The token for a resource, and when it expires, milliseconds since 1970; `undefined` when there is none. */
export function resourceTokenOf(
  memory: Memory,
  resource: string,
): { token: string; untilMs: number } | undefined {
  for (const [name, token] of Object.entries(memory) as [string, string][]) {
    const [, until, of] = RESOURCE_TOKEN_NAME.exec(name) ?? []
    if (of === resource) return { token, untilMs: Number(until) }
  }
  return undefined
}

/** Whether an access token is for a resource. A token without a readable `aud` counts as such. A trailing slash is ignored. */
function isFor(accessToken: string, resource: string): boolean {
  const aud = readJwt(accessToken)?.['aud']
  const bare = (value: unknown) => String(value).replace(/\/$/, '')
  return aud === undefined || [aud].flat().some((one) => bare(one) === bare(resource))
}

/** Above this number, those that expire first are dropped: every offer to another tab contains all of them. */
const LARGEST_COUNT = 64
/** Name of the member with the token for a resource: `token {untilMs} {resource}`. */
const RESOURCE_TOKEN_NAME = /^token (\d+) (.*)$/s

/** Adds a token, and drops those that have expired. */
export function withResourceToken(
  memory: Memory,
  nowMs: number,
  added: { resource: string; token: string; untilMs: number },
): Memory {
  const rest = Object.entries(memory).filter(([name]) => !RESOURCE_TOKEN_NAME.test(name))
  const untilMs = (name: string) => Number(RESOURCE_TOKEN_NAME.exec(name)?.[1])
  const tokens = Object.entries(memory)
    .filter(([name]) => untilMs(name) > nowMs && RESOURCE_TOKEN_NAME.exec(name)?.[2] !== added.resource)
    .toSorted(([a], [b]) => untilMs(a) - untilMs(b))
    .slice(1 - LARGEST_COUNT)
  // Not counted, so that it is never dropped, however soon it expires.
  tokens.push([`token ${Math.round(added.untilMs)} ${added.resource}`, added.token])
  return Object.fromEntries([...rest, ...tokens])
}
