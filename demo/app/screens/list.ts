// Every screen of the app. A new one is a component in this folder and one entry here.
import type { ServerFeature } from 'latchkey'
import { type ComponentType, lazy } from 'react'
import type { IconName } from '../parts/Icon.tsx'
import { Home } from './Home.tsx'

export const SECTIONS = ['Overview', 'My account', 'Firm'] as const

export interface Screen {
  path: string
  title: string
  section: (typeof SECTIONS)[number]
  icon: IconName
  component: ComponentType
  /** What the server must have for it. */
  needs?: ServerFeature
}

export const SCREENS: readonly Screen[] = [
  { path: '/', title: 'Home', section: 'Overview', icon: 'home', component: Home },
  {
    path: '/tour',
    title: 'Guided tour',
    section: 'Overview',
    icon: 'tour',
    component: lazy(async () => ({ default: (await import('./Tour.tsx')).Tour })),
  },
  {
    path: '/activity',
    title: 'Activity',
    section: 'Overview',
    icon: 'activity',
    component: lazy(async () => ({ default: (await import('./Activity.tsx')).Activity })),
  },
  {
    path: '/addresses',
    title: 'Addresses',
    section: 'Overview',
    icon: 'address',
    needs: 'environments',
    component: lazy(async () => ({ default: (await import('./Addresses.tsx')).Addresses })),
  },
  {
    path: '/cloud-account',
    title: 'Cloud account',
    section: 'My account',
    icon: 'cloud',
    needs: 'cloudAccount',
    component: lazy(async () => ({ default: (await import('./CloudAccount.tsx')).CloudAccount })),
  },
  {
    path: '/sessions',
    title: 'Sessions',
    section: 'My account',
    icon: 'sessions',
    component: lazy(async () => ({ default: (await import('./Sessions.tsx')).Sessions })),
  },
  {
    path: '/security',
    title: 'Security',
    section: 'My account',
    icon: 'security',
    component: lazy(async () => ({ default: (await import('./Security.tsx')).Security })),
  },
  {
    path: '/firm',
    title: 'Firm',
    section: 'Firm',
    icon: 'firm',
    needs: 'firm',
    component: lazy(async () => ({ default: (await import('./Firm.tsx')).Firm })),
  },
  {
    path: '/admin-consent',
    title: 'Admin consent',
    section: 'Firm',
    icon: 'consent',
    needs: 'adminConsent',
    component: lazy(async () => ({ default: (await import('./AdminConsent.tsx')).AdminConsent })),
  },
  {
    path: '/link-map',
    title: 'Link map',
    section: 'Firm',
    icon: 'link',
    needs: 'linkMap',
    component: lazy(async () => ({ default: (await import('./LinkMap.tsx')).LinkMap })),
  },
  {
    path: '/support-access',
    title: 'Support access',
    section: 'Firm',
    icon: 'support',
    needs: 'support',
    component: lazy(async () => ({ default: (await import('./SupportAccess.tsx')).SupportAccess })),
  },
]
