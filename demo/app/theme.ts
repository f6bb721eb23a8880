// Light, dark, or as the system says; remembered on this computer.
import { useSyncExternalStore } from 'react'

export const THEMES = { system: 'As the system', light: 'Light', dark: 'Dark' }
export type Theme = keyof typeof THEMES

const KEY = 'deskwell.theme'
const listeners = new Set<() => void>()

const themeOf = (text: string | null | undefined): Theme =>
  typeof text === 'string' && Object.hasOwn(THEMES, text) ? (text as Theme) : 'system'

function readTheme(): Theme {
  try {
    return themeOf(localStorage.getItem(KEY))
  } catch {
    return 'system'
  }
}

// The page itself says which one is on: storage may be denied.
const currentTheme = (): Theme => themeOf(document.documentElement.dataset['theme'])

/** Puts the remembered colours on the page, before anything is drawn. */
export const restoreTheme = (): void => setTheme(readTheme())

export function setTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme
  try {
    if (theme === 'system') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, theme)
  } catch {
    // Storage is denied: the choice lasts as long as the page.
  }
  for (const listener of listeners) listener()
}

export function useTheme(): Theme {
  return useSyncExternalStore(listen, currentTheme)
}

function listen(onChange: () => void): () => void {
  listeners.add(onChange)
  return () => listeners.delete(onChange)
}
