// Times and names as people read them.

/** 83_000 → '1:23'; nothing below zero. */
export function countdown(remainingMs: number): string {
  const seconds = Math.max(0, Math.ceil(remainingMs / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' })

/** '14:03:25', by the habits of the reader's country. */
export const clockTime = (atMs: number): string => clock.format(atMs)

export function greeting(now: Date): string {
  const hour = now.getHours()
  if (hour < 5 || hour >= 18) return 'Good evening'
  return hour < 12 ? 'Good morning' : 'Good afternoon'
}

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const hour = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })

/** A moment as a text or a number, with its day; 'unknown' for anything else. */
export function dayAndTime(value: unknown): string {
  const atMs = typeof value === 'string' ? Date.parse(value) : value
  return typeof atMs === 'number' && Number.isFinite(atMs) ? day.format(atMs) : 'unknown'
}

/** '14:03', by the habits of the reader's country. */
export const timeOfDay = (atMs: number): string => hour.format(atMs)

/** 83 minutes → '1 h 23 min'; under an hour as a countdown. */
export function longCountdown(remainingMs: number): string {
  const minutes = Math.floor(remainingMs / 60_000)
  return minutes < 60 ? countdown(remainingMs) : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
