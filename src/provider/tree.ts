// What an `AuthProvider` has on the screen: mounted anew when its user goes, or left to the `<Authenticated>` in it.
import { type Context, createContext } from 'react'

/** An `<Authenticated>` on the screen. */
interface Gate {
  /** It leaves its content mounted when the session expires. */
  isKept: boolean
}

export type Tree = ReturnType<typeof createTree>

export function createTree() {
  const gates = new Set<Gate>()
  let generation = 0
  return {
    /** Changes when everything in the tree is to mount anew. */
    generation: () => generation,
    /** Call it when a gate mounts. Returns the function for its unmount. */
    addGate(gate: Gate) {
      gates.add(gate)
      return () => void gates.delete(gate)
    },
    /** Whether something stays on the screen when the session expires. */
    isKept: () => gates.size === 0 || [...gates].some((gate) => gate.isKept),
    /** The user is gone. A gate takes its own content away. */
    clear() {
      if (gates.size === 0) generation += 1
    },
  }
}

/** The tree of the nearest `AuthProvider`. */
export const TreeContext: Context<Tree | undefined> = createContext<Tree | undefined>(undefined)
