// Keeps a line and those who listen together: whoever comes is attached, whoever goes is let go (contract §7).
import type { Listening } from '../context.ts'

export interface Attachments {
  /** Attaches who is new and lets go of who has left. */
  follow(all: ReadonlySet<Listening>): void
  /** Lets go of everybody. */
  detach(): void
}

/** `attach` begins to listen; what it answers ends it. */
export function createAttachments(attach: (listening: Listening) => () => void): Attachments {
  const attached = new Map<Listening, () => void>()
  const follow = (all: ReadonlySet<Listening>) => {
    for (const [listening, stop] of attached) {
      if (all.has(listening)) continue
      attached.delete(listening)
      stop()
    }
    for (const listening of all) {
      if (!attached.has(listening)) attached.set(listening, attach(listening))
    }
  }
  return { follow, detach: () => follow(new Set()) }
}
