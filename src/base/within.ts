// Waits for work up to a time limit.

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

/** A signal with a time limit: either aborts `signal` and resolves `over`, until `end` is called. */
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
