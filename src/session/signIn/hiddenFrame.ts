// Asks the authorization server in a hidden frame whether this browser has a session.
import { FRAME_GRACE_MS, FRAME_NAME, FRAME_REMOVAL_MS } from '../../base/constants.ts'
import { OFFLINE_FRAME_MS } from '../../base/sessionConstants.ts'
import { type AuthError, iframeBlocked, iframeTimeout, loginRequired } from '../../base/errors.ts'
import { createTimer } from '../../base/timer.ts'
import type { Settings } from '../../protocol/config.ts'
import type { FurtherParameters } from '../../protocol/loginParameters.ts'
import type { AttemptKey } from '../../protocol/pkce.ts'
import type { OpenedServer, Server } from '../../protocol/servers/profile.ts'
import { type Attempt, type AuthorizationAnswer, failureOf } from '../../protocol/signIn.ts'
import { afterFailure, isSwitchedOff } from '../../protocol/tabRecords.ts'
import { limitedCrypto } from '../platform/limitedCrypto.ts'
import type { Reachability } from '../http/reachability.ts'
import type { FrameEvent, Platform } from '../platform/platform.ts'
import { switchedBefore, type TabRecords } from './tabRecords.ts'

export interface FrameOptions {
  settings: Settings
  platform: Platform
  tabRecords: TabRecords
  server: Pick<OpenedServer, 'get' | 'remembered'>
  reachability: Pick<Reachability, 'heard' | 'begin'>
  tokens: Parameters<typeof switchedBefore>[0]
  redirectUri(): string
}

/**
 * Opens the frame and resolves with its response and the attempt, which stays in memory.
 *
 * @param isLastChance open the frame although frames have failed in this tab: nothing else can renew the session
 * @throws AuthError `iframe-timeout`, `iframe-blocked`, `offline`
 */
export async function askInFrame(
  options: FrameOptions,
  signal: AbortSignal,
  isLastChance = false,
  parameters: FurtherParameters | undefined = switchedBefore(options.tokens, options.tabRecords),
): Promise<{ answer: AuthorizationAnswer; attempt: Attempt }> {
  const { settings, platform, tabRecords: records, server, tokens } = options
  const redirectUri = options.redirectUri()
  signal.throwIfAborted()
  const { silentSignIn } = records.read()
  if (!isLastChance && silentSignIn && isSwitchedOff(silentSignIn, platform.now()))
    throw iframeBlocked('earlier')
  const remembered = server.remembered?.()
  const on = remembered ?? (await server.get())
  const { silentCheck } = on
  if (!silentCheck) throw isLastChance ? iframeBlocked('off') : loginRequired()
  const unanswered = !isLastChance && !tokens.current && silentCheck.silence?.expected()
  if (unanswered) throw unanswered
  const frameUri = silentCheck.redirectUri ?? redirectUri
  const urlOf = (key: AttemptKey, by = on) =>
    by.authorizeUrl({ key, redirectUri: frameUri, isSilent: true, current: tokens.current, parameters })
  const early = platform.early?.frame?.(urlOf)
  const key = early ?? (await settings.server.createKey(limitedCrypto(platform)))
  const asked = urlOf(key)
  const url = on.push ? await on.push(asked) : asked
  signal.throwIfAborted()

  const createdAtMs = platform.now()
  const { authHost, clientId } = settings
  const frame = { url, state: key.state, on, isRemembered: remembered }
  const answering = openFrame(options, early ?? platform, frame, signal)
  // In the same task, so before any response, but after the frame has sent its request.
  records.keepTrace(key.state, { authHost, redirectUri, createdAtMs })
  const answer = await answering
  records.takeAttempt(key.state)
  // The provider has changed, or another script has changed the remembered metadata.
  if (remembered && urlOf(key, await server.get()) !== asked)
    return askInFrame(options, signal, isLastChance, parameters)
  const begun = { authHost, clientId, redirectUri: frameUri, returnTo: '', createdAtMs: platform.now() }
  return { answer, attempt: { ...begun, ...key } }
}

/** Opens the frame and waits for the response in it. */
function openFrame(
  { settings, platform, tabRecords: records, reachability }: FrameOptions,
  opener: Pick<Platform, 'openFrame'>,
  { url, state, on, isRemembered }: { url: string; state: string; on: Server; isRemembered: unknown },
  signal: AbortSignal,
): Promise<AuthorizationAnswer> {
  return new Promise((resolve, reject) => {
    const limit = createTimer(platform)
    const grace = createTimer(platform)
    const nextLook = createTimer(platform)
    const removal = createTimer(platform)
    let hasLoaded = false
    let isOver = false
    let asked: Promise<AuthError | undefined> | undefined
    let flow = reachability.begin()
    const limitMs = settings.iframeTimeoutInSeconds * 1000
    limit.set(limitMs, giveUp)
    const { lookEveryMs, graceMs = FRAME_GRACE_MS } = on.silentCheck!
    let lookMs = lookEveryMs!
    const giveUpAfter = (delayMs: number) => grace.set(Math.min(limitMs, delayMs), giveUp)
    const stopListening = platform.on('offline', () => {
      flow = reachability.begin()
      asked = undefined
      giveUpAfter(OFFLINE_FRAME_MS)
    })
    const { origin } = new URL(url)
    const frame = opener.openFrame({ name: FRAME_NAME, url, origin, listen })
    const remove = () => {
      removal.clear()
      signal.removeEventListener('abort', abort)
      frame.remove()
    }
    const stopWaiting = () => {
      isOver = true
      for (const timer of [limit, grace, nextLook]) timer.clear()
      stopListening()
    }
    function fail(error: Error) {
      stopWaiting()
      remove()
      reject(error)
    }
    function abort() {
      fail(signal.reason as Error)
    }
    /** Counts a failure of the frame itself, not of the network or the server. */
    function failAsFrame(error: AuthError, isHopeless = false) {
      const { silentSignIn } = records.read()
      records.change({ silentSignIn: afterFailure(silentSignIn, platform.now(), isHopeless) })
      fail(error)
    }
    /** Fails with the error of a server that cannot be reached: that is no failure of the frame. */
    function askServer(isLast: boolean) {
      asked ??= failureOf(flow.check())
      void asked.then((error) => {
        if (isOver) return
        // A slow server may still respond to the frame until the limit.
        if (error) return void ((isLast || error.code !== 'timeout') && fail(error))
        if (!isLast) return
        if (hasLoaded) on.silentCheck!.silence?.note()
        failAsFrame(iframeTimeout(hasLoaded))
      })
    }
    function giveUp() {
      askServer(true)
    }
    function listen(event: FrameEvent) {
      // It has responded or failed.
      if (isOver) return
      if (event.type === 'csp') failAsFrame(iframeBlocked('csp'), true)
      if (event.type === 'removed') failAsFrame(iframeBlocked('removed'))
      if (event.type === 'loaded') {
        if (lookEveryMs && look()) return
        // May be the error page of a blocked frame; any other page may respond later.
        hasLoaded = true
        askServer(false)
        giveUpAfter(graceMs)
      }
      if (event.type === 'message') receive(event.data)
    }
    /** Returns whether the frame's URL is the response. Then removes the frame at once: the page in it is the app itself. */
    function look(): boolean {
      nextLook.clear()
      const isThere = receive(frame.address?.())
      if (isThere) remove()
      else nextLook.set(lookMs, look)
      // Polls a slow frame less and less often: its response is noticed at most 2 % later.
      lookMs *= 1.02
      return isThere
    }
    /** Returns whether it is the response. */
    function receive(found: unknown): boolean {
      const answer = on.readSilentAnswer(found, state)
      if (!answer) return false
      stopWaiting()
      reachability.heard()
      records.allowSilentSignIn()
      removal.set(FRAME_REMOVAL_MS, remove)
      resolve(answer)
      return true
    }
    signal.addEventListener('abort', abort)
    // A frame of `latchkey/early` may have its response already. A new frame has no page yet, and reading its URL would create one.
    if (lookEveryMs) nextLook.set(opener === platform ? lookMs : 0, look)
    // With remembered metadata, the fresh ones are fetched beside the frame.
    if (isRemembered || !platform.isOnline()) askServer(false)
  })
}
