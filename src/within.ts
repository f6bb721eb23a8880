// Waits for work for so long and no longer (contract §8).

/** What the work brings, or 'late' when it takes longer; the work itself goes on. Rejects when the work does. */
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
