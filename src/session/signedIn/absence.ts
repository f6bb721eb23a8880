// Whether the user's idle time passed while no page was open: then nobody is let in without a word (spec §4 "Idle auto-logout"; contract §8).
import type { Settings } from '../../protocol/config.ts'
import type { SessionMarker } from './sessionMarker.ts'
import type { SignInWay } from './keeper.ts'

export interface Absence {
  /** The idle time had passed when this page opened, and nobody has signed in since. */
  isOver(): boolean
  /** Somebody is about to be signed in; true when that session must end as idle instead. */
  endsAt(via: SignInWay): boolean
  /** The session that was found has been ended as idle. */
  wasSentAway(): boolean
}

/** As the page finds it: another tab that sees the same may have tidied up before this one is asked. */
export function createAbsence(
  { autoLogout, rememberMe }: Pick<Settings, 'autoLogout' | 'rememberMe'>,
  hint: Pick<SessionMarker, 'countOthers'>,
  wasIdleAway: () => boolean,
): Absence {
  // With rememberMe, a page that is opened after all tabs were closed is not idle.
  const wasClosed = rememberMe && hint.countOthers() === 0
  let isOver = autoLogout && !wasClosed && wasIdleAway()
  let wasSentAway = false
  return {
    isOver: () => isOver,
    endsAt(via) {
      wasSentAway = isOver && via !== 'redirect'
      isOver = false
      return wasSentAway
    },
    wasSentAway: () => wasSentAway,
  }
}
