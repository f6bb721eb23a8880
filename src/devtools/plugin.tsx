'use client'
// The devtools as a plugin of TanStack Devtools: a plain object, so that TanStack Devtools stays optional.
import type { ReactElement } from 'react'
import type { Auth } from '../session/auth.ts'
import { LatchkeyDevtoolsPanel } from './LatchkeyDevtoolsPanel.tsx'

/** A plugin as `TanStackDevtools` of `@tanstack/react-devtools` takes it. */
export interface LatchkeyDevtoolsPlugin {
  /** 'latchkey'. */
  readonly id: string
  /** The label of the tab: 'Latchkey'. */
  readonly name: string
  /** The panel. */
  readonly render: ReactElement
}

/**
 * An entry for `plugins` of `<TanStackDevtools>`.
 *
 * @param options.faults Whether the panel can cause faults. Default: only on localhost.
 * @example
 * <TanStackDevtools plugins={[latchkeyDevtoolsPlugin(auth)]} />
 */
export function latchkeyDevtoolsPlugin(
  auth: Auth,
  { faults }: { faults?: boolean | undefined } = {},
): LatchkeyDevtoolsPlugin {
  return { id: 'latchkey', name: 'Latchkey', render: <LatchkeyDevtoolsPanel auth={auth} faults={faults} /> }
}
