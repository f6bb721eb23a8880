// The component of each screen, by its path; each in a file of its own that comes when the screen is opened.
import { type ComponentType, lazy } from 'react'
import { Home } from './Home.tsx'

export const COMPONENTS: Readonly<Record<string, ComponentType>> = {
  '/': Home,
  '/tour': lazy(async () => ({ default: (await import('./Tour.tsx')).Tour })),
  '/activity': lazy(async () => ({ default: (await import('./Activity.tsx')).Activity })),
  '/addresses': lazy(async () => ({ default: (await import('./Addresses.tsx')).Addresses })),
  '/cloud-account': lazy(async () => ({ default: (await import('./CloudAccount.tsx')).CloudAccount })),
  '/sessions': lazy(async () => ({ default: (await import('./Sessions.tsx')).Sessions })),
  '/security': lazy(async () => ({ default: (await import('./Security.tsx')).Security })),
  '/firm': lazy(async () => ({ default: (await import('./Firm.tsx')).Firm })),
  '/admin-consent': lazy(async () => ({ default: (await import('./AdminConsent.tsx')).AdminConsent })),
  '/link-map': lazy(async () => ({ default: (await import('./LinkMap.tsx')).LinkMap })),
  '/support-access': lazy(async () => ({ default: (await import('./SupportAccess.tsx')).SupportAccess })),
}
