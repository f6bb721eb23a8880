// The stops of the tour: every capability, each with a way to try it.
import type { ServerFeature } from 'latchkey'
import type { ComponentType } from 'react'
import {
  Debounce,
  ExchangeJti,
  OpenDevtools,
  OwnCall,
  ReadState,
  ReadUser,
  Reload,
  Renew,
  SecondTab,
  SignInAgain,
  SignOut,
  StayActive,
  StopRenewal,
  Storm,
  WhoIsHere,
  WrongHook,
  WrongInput,
} from './actions.tsx'

export interface Stop {
  title: string
  /** What the server must have for it. */
  needs?: ServerFeature
  /** What to look at. */
  about: string
  action: ComponentType
}

export const TOUR: readonly { title: string; stops: readonly Stop[] }[] = [
  {
    title: 'Getting in',
    stops: [
      {
        title: 'Sign-in by redirect',
        about: 'You come back to this very place, and nothing of the sign-in stays in the address.',
        action: SignInAgain,
      },
      {
        title: 'The session is found again',
        about: 'After a reload another tab hands the session over, or the server is asked out of sight.',
        action: Reload,
      },
      {
        title: 'A second tab',
        about: 'It is signed in without a question to the server: all tabs of a browser share one session.',
        action: SecondTab,
      },
      {
        title: 'One state',
        about: 'Signed in, signed out and why, on the way, or failed: every screen reads the same state.',
        action: ReadState,
      },
    ],
  },
  {
    title: 'Staying in',
    stops: [
      {
        title: 'Renewal',
        about:
          '30 seconds before the token ends, when a call needs it, or now. Once for all tabs; the page stands still.',
        action: Renew,
      },
      {
        title: 'Renewal can be stopped',
        about: 'Without the timer, a call still renews the token that it needs.',
        action: StopRenewal,
      },
      {
        title: 'Calls of your own',
        about:
          'auth.fetch takes the token to allowed origins only, and repeats a call once if the token is refused.',
        action: OwnCall,
      },
      {
        needs: 'assertion',
        title: 'A token for another app',
        about: 'A key that works once is exchanged for it. Whatever prints the token shows [redacted].',
        action: ExchangeJti,
      },
      {
        title: 'Idle time',
        about: 'One clock for all tabs. The last minute counts down; then the session ends.',
        action: StayActive,
      },
      {
        title: 'No network',
        about:
          'Press “Go offline” in the session devtools: what is on the screen stays, and it catches up by itself.',
        action: OpenDevtools,
      },
    ],
  },
  {
    title: 'Who is who',
    stops: [
      {
        title: 'Who is here',
        about: 'Your sessions that are online now, in this browser and others.',
        action: WhoIsHere,
      },
      {
        title: 'User info',
        about: 'What the server knows about you, read once for all screens.',
        action: ReadUser,
      },
    ],
  },
  {
    title: 'Telling people',
    stops: [
      {
        title: 'Toasts',
        about: 'Three at most, errors first, the same text once; the others wait.',
        action: Storm,
      },
      {
        needs: 'linkMap',
        title: 'Errors in plain words',
        about:
          'Wrong input is refused before it is sent. Users read what to do; the error says “linkmap in wrong format”.',
        action: WrongInput,
      },
      {
        title: 'Hooks',
        about:
          'After a sign-in and a renewal, before a sign-out, and when you sign in elsewhere. An unknown name is refused.',
        action: WrongHook,
      },
      {
        title: 'Devtools',
        about: 'State, deadlines and tabs of this session, faults to try, and a report for support.',
        action: OpenDevtools,
      },
      {
        title: 'Search as you type',
        about: 'Nothing is searched for until you pause.',
        action: Debounce,
      },
    ],
  },
  {
    title: 'Getting out',
    stops: [
      {
        title: 'Signing out',
        about: 'Here first, then in all tabs and at the server; also without a network.',
        action: SignOut,
      },
    ],
  },
]
