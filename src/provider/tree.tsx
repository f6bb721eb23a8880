'use client'
// The tree below an `AuthProvider`: remounted when its user signs out, unless an `<Authenticated>` in it does that.
import { type Context, createContext, Fragment, type ReactNode, useState } from 'react'
import { useBeforePaint } from './context.ts'

/**
 * Content that remounts when `of` changes. It is removed before the next content renders: if the next one suspends, React would
 * leave the old one in the page, hidden.
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
    /** Changes when the whole tree must remount. */
    generation: () => generation,
    /** Call it when a gate mounts. Returns the function for its unmount. */
    addGate() {
      gateCount += 1
      return () => void (gateCount -= 1)
    },
    /** Whether the tree stays on the screen when the session expires: without a gate. A gate reports its own. */
    isKept: () => gateCount === 0,
    /** The user has signed out. A gate removes its own content. */
    clear() {
      if (gateCount === 0) generation += 1
    },
  }
}

/** The tree of the nearest `AuthProvider`. */
export const TreeContext: Context<Tree | undefined> = createContext<Tree | undefined>(undefined)
