'use client'
// What an `AuthProvider` has on the screen: mounted anew when its user goes, or left to the `<Authenticated>` in it.
import { type Context, createContext, Fragment, type ReactNode, useState } from 'react'
import { useBeforePaint } from './context.ts'

/**
 * Content that mounts anew when `of` changes. It is taken away before the next is drawn: where the next suspends, React would
 * leave it in the page, out of sight.
 */
export function Renewed({ of, children }: { of: string | number; children: ReactNode }): ReactNode {
  const [shown, setShown] = useState(of)
  useBeforePaint(() => setShown(of), [of])
  return shown === of && <Fragment key={of}>{children}</Fragment>
}

export type Tree = ReturnType<typeof createTree>

export function createTree() {
  /** The `<Authenticated>` on the screen. */
  let gateCount = 0
  let generation = 0
  return {
    /** Changes when everything in the tree is to mount anew. */
    generation: () => generation,
    /** Call it when a gate mounts. Returns the function for its unmount. */
    addGate() {
      gateCount += 1
      return () => void (gateCount -= 1)
    },
    /** Whether the tree stays on the screen when the session expires: without a gate. A gate says so itself. */
    isKept: () => gateCount === 0,
    /** The user is gone. A gate takes its own content away. */
    clear() {
      if (gateCount === 0) generation += 1
    },
  }
}

/** The tree of the nearest `AuthProvider`. */
export const TreeContext: Context<Tree | undefined> = createContext<Tree | undefined>(undefined)
