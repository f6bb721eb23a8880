// The app's four hooks: setting and calling them, the pending decision about a clash, and `beforeLogout`.
import { assertHook, type HookName, type Hooks, type SessionClash } from '../../protocol/eventHooks.ts'
import { HOOK_TIMEOUT_MS } from '../../base/sessionConstants.ts'
import { within } from '../../base/within.ts'
import { REASONS, type SignedOutReason } from '../../protocol/signedOutReasons.ts'
import type { Platform } from '../platform/platform.ts'
import type { Store } from '../store.ts'
import type { Timeline } from '../timeline.ts'
import type { SessionRecord } from '../sessionRecord.ts'

type Hook = (event: never) => unknown

export type EventHooks = ReturnType<typeof createEventHooks>

export function createEventHooks(
  initial: Partial<Hooks>,
  platform: Pick<Platform, 'setTimer' | 'warn'>,
  timeline: Pick<Timeline, 'record'>,
) {
  let all = Object.entries<Hook>(initial)
  const get = (name: HookName) => all.findLast(([set]) => set === name)?.[1]
  return {
    get,
    /** Sets a hook; the returned function removes it. The last one set counts. */
    set<Name extends HookName>(name: Name, hook: Hooks[Name]) {
      assertHook(name, hook)
      const own: [string, Hook] = [name, hook]
      all = [...all, own]
      return () => {
        all = all.filter((other) => other !== own)
      }
    },
    /** Resolves when the hook has settled, after 5 seconds at most; never rejects. `onEnd`: the hook itself has settled, however late. */
    async fire<Name extends HookName>(name: Name, event: Parameters<Hooks[Name]>[0], onEnd?: () => void) {
      const hook = get(name)
      if (!hook) return
      const call = async () => hook(Object.freeze(event) as never)
      try {
        const outcome = await within(platform, HOOK_TIMEOUT_MS, () => call().finally(onEnd))
        timeline.record(`hook ${name}`, 'done', outcome === 'late' ? 'not awaited any longer' : undefined)
      } catch (error) {
        timeline.record(`hook ${name}`, 'failed', 'it threw')
        platform.warn(`The ${name} hook failed`, error)
      }
    },
  }
}

/** Lets the app's uniqueSessionTrigger hook decide about a clash. A sign-in or logout that the hook begins carries that clash. */
export function createClashHook(hooks: Pick<EventHooks, 'fire'>, platform: Pick<Platform, 'setTimer'>) {
  let asked: SessionClash | undefined
  return {
    ask(clash: SessionClash) {
      asked = clash
      const end = () => {
        if (asked === clash) asked = undefined
      }
      // A hook may begin a logout without awaiting it: that arrives after the hook has ended.
      void hooks.fire('uniqueSessionTrigger', clash, () => platform.setTimer(end, 0))
    },
    clash: () => asked,
    forget() {
      asked = undefined
    },
  }
}

/** Runs the `beforeLogout` hook of this tab once per ending, however many tabs end. */
export function createBeforeLogout(
  hooks: EventHooks,
  platform: Pick<Platform, 'monotonicNow'>,
  store: Store,
  record: SessionRecord,
) {
  let last: { session: string; done: Promise<void>; untilMs: number; isRunning: boolean } | undefined

  const isForThis = () => last !== undefined && last.session === record.id()

  return {
    /** Calls the hook, or joins the call for the same ending; resolves after 5 seconds at most. */
    run(reason: SignedOutReason) {
      const { state } = store
      const session = record.id()
      if (last && isForThis()) {
        // A second click calls the hook again: the user may have typed more.
        const isRecent = !REASONS[reason].isClick && platform.monotonicNow() < last.untilMs
        if (last.isRunning || isRecent) return last.done
      }
      const user = state.status === 'authenticated' ? state.user : undefined
      const done = hooks.fire('beforeLogout', { user, reason })
      if (session === undefined) return done
      const untilMs = platform.monotonicNow() + HOOK_TIMEOUT_MS
      const own = { session, done, untilMs, isRunning: hooks.get('beforeLogout') !== undefined }
      last = own
      void done.then(() => (own.isRunning = false))
      return done
    },
    /** The hook's run for the current session; `undefined`: none is running. */
    running: () => (last?.isRunning && isForThis() ? last.done : undefined),
    /** Whether the current session is about to end: other tabs' hooks may still run. */
    isEnding: () => isForThis() && platform.monotonicNow() < last!.untilMs,
    hasRun: isForThis,
  }
}
