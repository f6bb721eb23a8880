// Notices that the page, the machine or the network came back, so that a connection can be checked at once.
import type { NamedTimers } from '../../base/namedTimers.ts'
import { AWAY_MS, DRIFT_CHECK_MS } from '../../base/sessionConstants.ts'
import type { ServicePorts } from '../../protocol/realtimeTransport.ts'

/** Returns the removal of its listeners; its timer ends with `timers`. */
export function watchWakeUps(
  { on, now }: Pick<ServicePorts, 'now' | 'on'>,
  timers: NamedTimers<'drift'>,
  wake: () => void,
): () => void {
  let hiddenAtMs: number | undefined
  // A timer that runs late was stopped with the machine.
  const watchDrift = () => {
    const startedAtMs = now()
    timers.start('drift', DRIFT_CHECK_MS, () => {
      if (now() - startedAtMs > DRIFT_CHECK_MS + AWAY_MS) wake()
      watchDrift()
    })
  }
  watchDrift()
  const removals = [
    on('online', wake),
    on('restored', wake),
    on('resume', wake),
    on('hidden', () => {
      hiddenAtMs = now()
    }),
    on('visible', () => {
      if (hiddenAtMs !== undefined && now() - hiddenAtMs > AWAY_MS) wake()
      hiddenAtMs = undefined
    }),
  ]
  return () => {
    for (const remove of removals) remove()
  }
}
