// Waits for work up to a time limit.

/** Resolves to the result of the work, or to 'late' after the limit; the work itself continues. Rejects when the work does. */
export async function within<Result>(
  { setTimer }: { setTimer(callback: () => void, delayMs: number): () => void },
  limitMs: number,
  work: () => Result | Promise<Result>,
): Promise<Result | 'late'> {
  let cancel = () => {}
  const limit = new Promise<'late'>((resolve) => {
    cancel = setTimer(() => resolve('late'), limitMs)
  })
  try {
    return await Promise.race([work(), limit])
  } finally {
    cancel()
  }
}
