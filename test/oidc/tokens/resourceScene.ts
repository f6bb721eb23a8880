// Looks for a secret in everything that a page shows or keeps.
import type { Page } from '../session/sessionScene.ts'

export function isSecretShown({ host, auth }: Page, secret: string): boolean {
  const state = auth.getState()
  const shown = JSON.stringify([
    state,
    'user' in state ? state.user : undefined,
    auth.explain(),
    host.navigations,
    host.browser.localStorage.entries(),
    host.sessionStorage.entries(),
  ])
  return shown.includes(secret)
}
