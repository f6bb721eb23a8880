// What the app's auth object and the Vite plugin are told alike.
import type { AuthConfig } from 'latchkey'

export const authConfig = {
  authHost: 'https://auth.test',
  clientId: 'admin',
  scopes: ['openid', 'profile'],
} satisfies AuthConfig
