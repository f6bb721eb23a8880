'use client'
// What an `AuthProvider` has on the screen: mounted anew when its user goes, or left to the `<Authenticated>` in it.
import { type Context, createContext, Fragment, type ReactNode, useState } from 'react'
import { useBeforePaint } from './beforePaint.ts'

/**
 * Content that mounts anew when `of` changes. It is taken away before the next is drawn: where the next suspends, React would
 * leave it in the page, out of sight.
 */
export function Renewed({ of, children }: { of: string | number; children: ReactNode }): ReactNode {
  const [shown, setShown] = useState(of)
  useBeforePaint(() => setShown(of), [of])
  return shown === of && <Fragment key={of}>{children}</Fragment>
}

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
