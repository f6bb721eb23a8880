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
        about:
          'Authorization code with PKCE. You come back to this very place, and the code has left the address.',
        action: SignInAgain,
      },
      {
        id: 'silent',
        title: 'The session is found again',
        about: 'After a reload a hidden frame asks the server, or another tab hands the session over.',
        action: Reload,
      },
      {
        id: 'tabs',
        title: 'A second tab',
        about: 'It is signed in without a question to the server: the tabs of a browser are one session.',
        action: SecondTab,
      },
      {
        id: 'state',
        title: 'One state',
        about:
          'Initializing, authenticated, unauthenticated with a reason, redirecting, or failed with a retry.',
        action: ReadState,
      },
      {
        id: 'address-token',
        needs: 'passthrough',
        title: 'A token in the address, or handed over',
        about:
          'A token of ours is passed through the server and gone from the address; another one is left alone.',
        action: { screen: '/addresses', label: 'Follow the links' },
      },
      {
        id: 'environment',
        needs: 'environments',
        title: 'Another environment',
        about: 'Whoever belongs to another environment is brought there, signed in, to the same place.',
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
          '30 seconds before its end, when a call needs it, or now. Once for all tabs; nothing else renders.',
        action: Renew,
      },
      {
        id: 'stop-renewal',
        title: 'Renewal can be stopped',
        about: 'The timer goes; a call still renews what it needs.',
        action: StopRenewal,
      },
      {
        id: 'own-call',
        title: 'Calls of your own',
        about: 'auth.fetch brings the token to allowed origins, and renews and repeats once on a 401.',
        action: OwnCall,
      },
      {
        id: 'jti',
        needs: 'assertion',
        title: 'A token for another app',
        about: 'A one-time token (jti) is exchanged for it. It stays wrapped, so that nothing prints it.',
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
        about: 'Sessions of yours that are online now, in this browser and others.',
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
        about: 'From the firm’s server to you or to everybody, in all tabs, also after a gap.',
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
        about: 'One hook over one options factory, like every call.',
        action: ReadUser,
      },
      {
        id: 'cloud-account',
        needs: 'cloudAccount',
        title: 'Cloud account',
        about:
          'Link, unlink, confirm, and its token; each popup is read again from the server, however it closes.',
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
        about: 'Its status, giving it in a popup, taking it back.',
        action: { screen: '/admin-consent', label: 'Give consent' },
      },
      {
        id: 'link-map',
        needs: 'linkMap',
        title: 'Link map',
        about: 'Who is who at the provider, as a table and as JSON in the editor.',
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
        about: 'What is wrong is refused before it is sent, and the text says why.',
        action: WrongInput,
      },
      {
        id: 'hooks',
        title: 'Your own code at four moments',
        about:
          'After a sign-in and a renewal, before a sign-out, when you sign in elsewhere. A fifth one is refused.',
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
        about: 'State, deadlines, tabs, channels, faults on request, and a bundle for support.',
        action: OpenDevtools,
      },
      {
        id: 'debounce',
        title: 'Debounce',
        about: '166 ms after the last key, and not before.',
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
