// The stops of the tour: every capability, each with a way to try it.
import type { ComponentType } from 'react'
import type { Feature } from '../screens/list.ts'
import {
  type ActionProps,
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
  id: string
  title: string
  /** What the server must have for it. */
  needs?: Feature
  /** What to look at. */
  about: string
  /** Done here, or on another screen. */
  action: ComponentType<ActionProps> | { screen: string; label: string }
}

export const TOUR: readonly { title: string; stops: readonly Stop[] }[] = [
  {
    title: 'Getting in',
    stops: [
      {
        id: 'redirect',
        title: 'Sign-in by redirect',
        about: 'You come back to this very place, and nothing of the sign-in stays in the address.',
        action: SignInAgain,
      },
      {
        id: 'silent',
        title: 'The session is found again',
        about: 'After a reload another tab hands the session over, or the server is asked out of sight.',
        action: Reload,
      },
      {
        id: 'tabs',
        title: 'A second tab',
        about: 'It is signed in without a question to the server: all tabs of a browser share one session.',
        action: SecondTab,
      },
      {
        id: 'state',
        title: 'One state',
        about: 'Signed in, signed out and why, on the way, or failed: every screen reads the same state.',
        action: ReadState,
      },
      {
        id: 'address-token',
        needs: 'passthrough',
        title: 'A token in the address',
        about: 'One for this app signs in and leaves the address; one of another product stays where it is.',
        action: { screen: '/addresses', label: 'Follow the links' },
      },
      {
        id: 'environment',
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
        id: 'renewal',
        title: 'Renewal',
        about:
          '30 seconds before the token ends, when a call needs it, or now. Once for all tabs; the page stands still.',
        action: Renew,
      },
      {
        id: 'stop-renewal',
        title: 'Renewal can be stopped',
        about: 'Without the timer, a call still renews the token that it needs.',
        action: StopRenewal,
      },
      {
        id: 'own-call',
        title: 'Calls of your own',
        about:
          'auth.fetch takes the token to allowed origins only, and repeats a call once if the token is refused.',
        action: OwnCall,
      },
      {
        id: 'jti',
        needs: 'assertion',
        title: 'A token for another app',
        about: 'A key that works once is exchanged for it. Whatever prints the token shows [redacted].',
        action: ExchangeJti,
      },
      {
        id: 'idle',
        title: 'Idle time',
        about: 'One clock for all tabs. The last minute counts down; then the session ends.',
        action: StayActive,
      },
      {
        id: 'offline',
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
        id: 'presence',
        title: 'Who is here',
        about: 'Your sessions that are online now, in this browser and others.',
        action: WhoIsHere,
      },
      {
        id: 'clash',
        title: 'The newest sign-in stays',
        about: 'Sign in as the same person in a private window: the older session ends and says why.',
        action: { screen: '/sessions', label: 'Watch your sessions' },
      },
      {
        id: 'messages',
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
        id: 'user-info',
        title: 'User info',
        about: 'What the server knows about you, read once for all screens.',
        action: ReadUser,
      },
      {
        id: 'cloud-account',
        needs: 'cloudAccount',
        title: 'Cloud account',
        about: 'Link, confirm and unlink it in a window; however that closes, this app knows the result.',
        action: { screen: '/cloud-account', label: 'Link an account' },
      },
      {
        id: 'password',
        needs: 'changePassword',
        title: 'Change of password',
        about: 'In a popup, or on the server’s page and back.',
        action: { screen: '/security', label: 'Change it' },
      },
      {
        id: 'firm',
        needs: 'firm',
        title: 'The firm’s provider',
        about: 'Only an administrator may; the others see why not.',
        action: { screen: '/firm', label: 'Choose a provider' },
      },
      {
        id: 'consent',
        needs: 'adminConsent',
        title: 'Admin consent',
        about: 'See it, give it in a window, take it back.',
        action: { screen: '/admin-consent', label: 'Give consent' },
      },
      {
        id: 'link-map',
        needs: 'linkMap',
        title: 'Link map',
        about: 'Who is who at the cloud provider, as a table and as JSON in an editor.',
        action: { screen: '/link-map', label: 'Open the map' },
      },
      {
        id: 'support',
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
        id: 'toasts',
        title: 'Toasts',
        about: 'Three at most, errors first, the same text once; the others wait.',
        action: Storm,
      },
      {
        id: 'wrong-input',
        needs: 'linkMap',
        title: 'Errors in plain words',
        about: 'Wrong input is refused before it is sent, and the text says why.',
        action: WrongInput,
      },
      {
        id: 'hooks',
        title: 'Hooks',
        about:
          'After a sign-in and a renewal, before a sign-out, and when you sign in elsewhere. An unknown name is refused.',
        action: WrongHook,
      },
      {
        id: 'explain',
        title: 'Why am I here?',
        about: 'Every step of the session, free of secrets.',
        action: { screen: '/activity', label: 'Read the steps' },
      },
      {
        id: 'devtools',
        title: 'Devtools',
        about: 'State, deadlines and tabs of this session, faults to try, and a report for support.',
        action: OpenDevtools,
      },
      {
        id: 'debounce',
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
        id: 'sign-out',
        title: 'Signing out',
        about: 'Here first, then in all tabs and at the server; also without a network.',
        action: SignOut,
      },
    ],
  },
]
