// Waits for work up to a time limit.

/** The one thing that a limit needs of the platform. */
export interface Timers {
  setTimer(callback: () => void, delayMs: number): () => void
}

/** Resolves to the result of the work, or to 'late' after the limit; the work itself continues. Rejects when the work does. */
export async function within<Result>(
  { setTimer }: Timers,
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

/** Joins a signal and a time limit: `signal` is aborted, and `over` resolves, by either, until `end` is called. */
export function startLimit({ setTimer }: Timers, limitMs: number, signal: AbortSignal | undefined) {
  const controller = new AbortController()
  const abort = () => controller.abort()
  const over = new Promise<void>((resolve) => {
    controller.signal.addEventListener('abort', () => resolve())
  })
  const cancel = setTimer(abort, limitMs)
  signal?.addEventListener('abort', abort)
  if (signal?.aborted) abort()
  return {
    signal: controller.signal,
    over,
    end() {
      cancel()
      signal?.removeEventListener('abort', abort)
    },
  }
}

/** Resolves once `listen` calls back or the signal is aborted; then calls what `listen` has returned, its removal. */
export async function untilHeard(
  listen: (heard: () => void) => () => void,
  signal?: AbortSignal,
): Promise<void> {
  let end = () => {}
  await new Promise<void>((resolve) => {
    const heard = () => resolve()
    const stop = listen(heard)
    signal?.addEventListener('abort', heard)
    if (signal?.aborted) heard()
    end = () => {
      stop()
      signal?.removeEventListener('abort', heard)
    }
  })
  end()
}
