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
  /** Done here, or on another screen. */
  action: ComponentType | { screen: string; label: string }
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
      {
        needs: 'passthrough',
        title: 'A token in the address',
        about: 'One for this app signs in and leaves the address; one of another product stays where it is.',
        action: { screen: '/addresses', label: 'Follow the links' },
      },
      {
        needs: 'environments',
        title: 'Another environment',
        about: 'Users whose firm lives elsewhere are taken there, signed in, to the same page.',
        action: { screen: '/addresses', label: 'See the environments' },
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
    title: 'One session for each person',
    stops: [
      {
        title: 'Who is here',
        about: 'Your sessions that are online now, in this browser and others.',
        action: WhoIsHere,
      },
      {
        title: 'The newest sign-in stays',
        about: 'Sign in as the same person in a private window: the older session ends and says why.',
        action: { screen: '/sessions', label: 'Watch your sessions' },
      },
      {
        title: 'Messages',
        about: 'From the firm’s server to you or to everybody, in all tabs; missed ones come later.',
        action: { screen: '/sessions', label: 'Send one' },
      },
    ],
  },
  {
    title: 'The account and the firm',
    stops: [
      {
        title: 'User info',
        about: 'What the server knows about you, read once for all screens.',
        action: ReadUser,
      },
      {
        needs: 'cloudAccount',
        title: 'Cloud account',
        about: 'Link, confirm and unlink it in a window; however that closes, this app knows the result.',
        action: { screen: '/cloud-account', label: 'Link an account' },
      },
      {
        needs: 'changePassword',
        title: 'Change of password',
        about: 'In a popup, or on the server’s page and back.',
        action: { screen: '/security', label: 'Change it' },
      },
      {
        needs: 'firm',
        title: 'The firm’s provider',
        about: 'Only an administrator may; the others see why not.',
        action: { screen: '/firm', label: 'Choose a provider' },
      },
      {
        needs: 'adminConsent',
        title: 'Admin consent',
        about: 'See it, give it in a window, take it back.',
        action: { screen: '/admin-consent', label: 'Give consent' },
      },
      {
        needs: 'linkMap',
        title: 'Link map',
        about: 'Who is who at the cloud provider, as a table and as JSON in an editor.',
        action: { screen: '/link-map', label: 'Open the map' },
      },
      {
        needs: 'support',
        title: 'Support access',
        about: 'A code lets support in, for as long as you say.',
        action: { screen: '/support-access', label: 'Let support in' },
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
        about: 'Wrong input is refused before it is sent, and the text says why.',
        action: WrongInput,
      },
      {
        title: 'Hooks',
        about:
          'After a sign-in and a renewal, before a sign-out, and when you sign in elsewhere. An unknown name is refused.',
        action: WrongHook,
      },
      {
        title: 'Why am I here?',
        about: 'Every step of the session, free of secrets.',
        action: { screen: '/activity', label: 'Read the steps' },
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
