// Every screen of the app. A new one is a component in this folder and one entry here.
import { type ComponentType, lazy } from 'react'
import type { IconName } from '../parts/Icon.tsx'
import { Home } from './Home.tsx'

export const SECTIONS = ['Overview', 'My account', 'Firm', 'Workshop'] as const

export interface Screen {
  path: string
  title: string
  section: (typeof SECTIONS)[number]
  icon: IconName
  component: ComponentType
}

export const SCREENS: readonly Screen[] = [
  { path: '/', title: 'Home', section: 'Overview', icon: 'home', component: Home },
  {
    path: '/activity',
    title: 'Activity',
    section: 'Overview',
    icon: 'activity',
    component: lazy(async () => ({ default: (await import('./Activity.tsx')).Activity })),
  },
]
