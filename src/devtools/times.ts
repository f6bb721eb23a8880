// Formats times for the devtools.

/** Returns the time left: `4:59`, `1:04:05`; `over` when it has passed. */
export function countDown(atMs: number, nowMs: number): string {
  const seconds = Math.ceil((atMs - nowMs) / 1000)
  if (seconds <= 0) return 'over'
  const two = (value: number) => String(value).padStart(2, '0')
  const minutes = Math.floor(seconds / 60)
  return minutes < 60
    ? `${minutes}:${two(seconds % 60)}`
    : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`
}

/** Returns the time of day. */
export function clockTime(atMs: number): string {
  return new Date(atMs).toLocaleTimeString([], {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hour12: false,
  })
}

export function isoTime(atMs: number): string {
  return new Date(atMs).toISOString()
}
