// Every screen of the app. A new one is a component in this folder, one entry here and one in `components.ts`.
import type { ServerFeature } from 'latchkey'
import type { IconName } from '../parts/Icon.tsx'

export const SECTIONS = ['Overview', 'My account', 'Firm'] as const

export interface Screen {
  path: string
  title: string
  /** What to try there, for the guided tour. */
  about?: string
  section: (typeof SECTIONS)[number]
  icon: IconName
  /** What the server must have for it. */
  needs?: ServerFeature
}

export const SCREENS: readonly Screen[] = [
  { path: '/', title: 'Home', section: 'Overview', icon: 'home' },
  {
    path: '/tour',
    title: 'Guided tour',
    section: 'Overview',
    icon: 'tour',
  },
  {
    path: '/activity',
    title: 'Activity',
    about: 'Why am I here? Every step of the session, free of secrets.',
    section: 'Overview',
    icon: 'activity',
  },
  {
    path: '/addresses',
    title: 'Addresses',
    about: 'A token in the address signs in and leaves it; users whose firm lives elsewhere are taken there.',
    section: 'Overview',
    icon: 'address',
    needs: 'environments',
  },
  {
    path: '/cloud-account',
    title: 'Cloud account',
    about: 'Link, confirm and unlink it in a window; however that closes, this app knows the result.',
    section: 'My account',
    icon: 'cloud',
    needs: 'cloudAccount',
  },
  {
    path: '/sessions',
    title: 'Sessions',
    about: 'Where you are signed in, and, with real time, messages to you and the end by a newer sign-in.',
    section: 'My account',
    icon: 'sessions',
  },
  {
    path: '/security',
    title: 'Security',
    about: 'Your password.',
    section: 'My account',
    icon: 'security',
    needs: 'changePassword',
  },
  {
    path: '/firm',
    title: 'Firm',
    about: 'The firm’s cloud provider. Only an administrator may choose it; the others see why not.',
    section: 'Firm',
    icon: 'firm',
    needs: 'firm',
  },
  {
    path: '/admin-consent',
    title: 'Admin consent',
    about: 'See it, give it in a window, take it back.',
    section: 'Firm',
    icon: 'consent',
    needs: 'adminConsent',
  },
  {
    path: '/link-map',
    title: 'Link map',
    about: 'Who is who at the cloud provider, as a table and as JSON in an editor.',
    section: 'Firm',
    icon: 'link',
    needs: 'linkMap',
  },
  {
    path: '/support-access',
    title: 'Support access',
    about: 'A code lets support in, for as long as you say.',
    section: 'Firm',
    icon: 'support',
    needs: 'support',
  },
]
