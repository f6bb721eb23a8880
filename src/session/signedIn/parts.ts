// Makes the parts of a session, from the lower ones up; each is given what it uses and nothing more.
import { createStateKey } from '../../protocol/pkce.ts'
import type { Context } from '../context.ts'
import type { SendEvent } from '../sessionEvent.ts'
import { createPopupSignIn } from '../signIn/popupSignIn.ts'
import { createSignInRedirect, type SignInRedirect } from '../signIn/signInRedirect.ts'
import { createJoining, type Joining } from '../tabs/joining.ts'
import { createKeptSession, type KeptSession } from '../tabs/keptSession.ts'
import { createOpenTabs, type OpenTabs } from '../tabs/openTabs.ts'
import { type Bearer, createBearer } from './bearer.ts'
import { type BeforeLogout, createBeforeLogout } from './beforeLogout.ts'
import { type ClashHook, createClashHook } from './clashHook.ts'
import { forgetActivity, wasIdleAway } from './idle.ts'
import { createIdleAbsence, type IdleAbsence } from './idleAbsence.ts'
import { LogoutPage } from './logoutPage.ts'
import { createOwedLogout, type OwedLogout } from './owedLogout.ts'
import { createPassthrough, type Passthrough } from './passthrough.ts'
import { createRunning, type Running } from './running.ts'
import { createSessionMarker, type SessionMarker } from './sessionMarker.ts'
import { createTokenLife, type TokenLife } from './tokenLife.ts'
import { createTokenRefresh, type TokenRefresh } from './tokenRefresh.ts'

/** What the parts need of the session they belong to. */
export interface PartsOptions {
  send: SendEvent
  /** One renewal, for all tabs. */
  renew(): Promise<void>
  /** Aborted when the session held now ends. */
  signal(): AbortSignal
  /** The session held here is over, though its tokens may be there a little longer. */
  isEnding(): boolean
}

export interface Parts {
  readonly marker: SessionMarker
  readonly refresh: TokenRefresh
  readonly tokenLife: TokenLife
  readonly bearer: Bearer
  readonly tabs: OpenTabs
  readonly joining: Joining
  /** Absent without `sessionWorker`. */
  readonly kept: KeptSession | undefined
  readonly running: Running
  readonly signInRedirect: SignInRedirect
  readonly owedLogout: OwedLogout
  readonly logoutPage: LogoutPage
  readonly beforeLogout: BeforeLogout
  readonly clashHook: ClashHook
  readonly idleAbsence: IdleAbsence
  readonly passthrough: Passthrough
  /** What was seen of the user says nothing about the next one. */
  forgetActivity(): void
}

export function createParts(context: Context, options: PartsOptions): Parts {
  const { settings, platform, store, tokens } = context
  const { send } = options
  // Without randomness nobody signs in, and start-up says so: no tab needs a name then.
  const createTabId = () => (platform.crypto.randomBytes ? createStateKey(platform.crypto) : '')
  const marker = createSessionMarker(platform.localStorage, settings, createTabId)
  const refresh = createTokenRefresh({
    platform,
    isScheduled: settings.autoRefreshToken,
    isDue: tokens.isDue,
    remainingMs: tokens.remainingMs,
    renew: () => context.show('renew token', options.renew),
  })
  const bearer = createBearer({ ...context, refresh, signal: options.signal })
  const holding = () => (options.isEnding() ? undefined : tokens.copy())
  const tabs = createOpenTabs(context, {
    tabId: () => marker.tabId,
    countOthers: marker.countOthers,
    holding,
    session: tokens.session,
    sentAtMs: () => tokens.holding?.sentAtMs,
    send,
  })
  const signInRedirect = createSignInRedirect(context, createPopupSignIn(context, send))
  const owedLogout = createOwedLogout(platform.localStorage, settings)
  const idleOptions = { platform, client: settings, timeoutMs: settings.idleTimeoutInMinutes * 60_000 }
  const idleAbsence = createIdleAbsence(settings, marker, () => wasIdleAway(idleOptions))
  return {
    marker,
    refresh,
    tokenLife: createTokenLife({ platform, store, remainingMs: tokens.remainingMs }),
    bearer,
    tabs,
    joining: createJoining(),
    kept: createKeptSession(context, {
      holding,
      isRenewing: refresh.isRunning,
      isEnded: marker.isEndedElsewhere,
      tabs: tabs.open,
    }),
    running: createRunning({ context, marker, tabs, bearer, idleOptions, send }),
    signInRedirect,
    owedLogout,
    logoutPage: new LogoutPage({
      ...context,
      owedLogout,
      keepDeparture: signInRedirect.keepDeparture,
      endInTabs(reason, ended) {
        marker.forget(ended)
        tabs.tellEnded(reason, [ended])
      },
    }),
    beforeLogout: createBeforeLogout(context),
    clashHook: createClashHook(context),
    idleAbsence,
    passthrough: createPassthrough(context, idleAbsence),
    forgetActivity: () => forgetActivity(idleOptions),
  }
}
