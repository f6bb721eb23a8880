'use client'
// The devtools as a plugin of TanStack Devtools: a plain object, so that nobody has to install it (contract §1 "devtools").
import type { ReactElement } from 'react'
import type { Auth } from '../session/auth.ts'
import { LatchkeyDevtoolsPanel } from './LatchkeyDevtoolsPanel.tsx'

/** A plugin as `TanStackDevtools` of `@tanstack/react-devtools` takes it. */
export interface LatchkeyDevtoolsPlugin {
  /** 'latchkey'. */
  readonly id: string
  /** The words on the tab: 'Latchkey'. */
  readonly name: string
  /** The panel. */
  readonly render: ReactElement
}

/**
 * An entry for `plugins` of `<TanStackDevtools>`.
 *
 * @param options.faults Whether faults can be made. Default: only on a page of this very machine (localhost).
 * @example
 * <TanStackDevtools plugins={[latchkeyDevtoolsPlugin(auth)]} />
 */
export function latchkeyDevtoolsPlugin(
  auth: Auth,
  { faults }: { faults?: boolean | undefined } = {},
): LatchkeyDevtoolsPlugin {
  return { id: 'latchkey', name: 'Latchkey', render: <LatchkeyDevtoolsPanel auth={auth} faults={faults} /> }
}
