// Seals that take their time while a whole session is played, the same in every repetition.
import type { SealPort } from '../../../src/session/platform/platform.ts'

/** Seals without threads, so that a run can be repeated; each step takes a while of its own. */
export function createSeal(chance: () => number): SealPort {
  const sealed = new Map<string, { text: string; publicKey: string }>()
  const wait = async () => {
    for (let left = Math.floor(chance() * 20); left > 0; left -= 1) await Promise.resolve()
  }
  return {
    async createKey() {
      await wait()
      const publicKey = `key-${chance()}`
      return {
        publicKey,
        async open(name) {
          await wait()
          const found = sealed.get(name)
          if (found?.publicKey !== publicKey) throw new TypeError('Not for this key')
          return found.text
        },
      }
    },
    async seal(text, publicKey) {
      await wait()
      const name = `sealed-${chance()}`
      sealed.set(name, { text, publicKey })
      return name
    },
  }
}
