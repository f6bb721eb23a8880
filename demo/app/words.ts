// Times and names as people read them.

/** 83_000 → '1:23'; nothing below zero. */
export function countdown(remainingMs: number): string {
  const seconds = Math.max(0, Math.ceil(remainingMs / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' })

/** '14:03:25', by the habits of the reader's country. */
export const clockTime = (atMs: number): string => clock.format(atMs)

/** 'Anna de Vries' → 'AV'. */
export const initials = (name: string): string =>
  name
    .split(/\s+/)
    .filter((part) => /^\p{Lu}/u.test(part))
    .map((part) => part.charAt(0))
    .join('')
    .slice(0, 2) || name.slice(0, 1).toUpperCase()

export function greeting(now: Date): string {
  const hour = now.getHours()
  if (hour < 6) return 'Good night'
  if (hour < 12) return 'Good morning'
  return hour < 18 ? 'Good afternoon' : 'Good evening'
}
