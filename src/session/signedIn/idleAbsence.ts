// Whether the user's idle time passed while no page was open: then nobody is let in silently.
import type { Settings } from '../../protocol/config.ts'
import { hasAskedUser, type SignInWay } from '../sessionEvent.ts'
import type { SessionMarker } from './sessionMarker.ts'

export interface IdleAbsence {
  /** Reads what the page finds when it starts; later calls change nothing. */
  look(): void
  /** The idle time had passed when this page opened, and nobody has signed in since. */
  isOver(): boolean
  /** Somebody is about to be signed in; true when that session must end as idle instead. */
  endsAt(via: SignInWay): boolean
  /** The session that was found has been ended as idle. */
  wasSentAway(): boolean
}

export function createIdleAbsence(
  { autoLogout, rememberMe }: Pick<Settings, 'autoLogout' | 'rememberMe'>,
  marker: Pick<SessionMarker, 'countOthers'>,
  wasIdleAway: () => boolean,
): IdleAbsence {
  let isOver: boolean | undefined
  let wasSentAway = false
  return {
    // At once: another tab that sees the same may have tidied up before this one is asked.
    look() {
      // With rememberMe, a page that is opened after all tabs were closed is not idle.
      isOver ??= autoLogout && !(rememberMe && marker.countOthers() === 0) && wasIdleAway()
    },
    isOver: () => isOver === true,
    endsAt(via) {
      wasSentAway = isOver === true && !hasAskedUser(via)
      isOver = false
      return wasSentAway
    },
    wasSentAway: () => wasSentAway,
  }
}
