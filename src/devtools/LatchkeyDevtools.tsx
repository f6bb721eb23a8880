'use client'
// The floating devtools: a button in a corner of the page that opens the panel.
import {
  type KeyboardEvent,
  type ReactNode,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { adoptStyle } from '../provider/adoptedStyle.ts'
import type { Auth } from '../session/auth.ts'
import {
  LatchkeyDevtoolsPanel,
  type LatchkeyDevtoolsPanelProps,
  TONES,
  useAuthInPage,
} from './LatchkeyDevtoolsPanel.tsx'
import { DEVTOOLS_CSS } from './style.ts'

/** Props of `LatchkeyDevtools`. */
export interface LatchkeyDevtoolsProps extends Pick<LatchkeyDevtoolsPanelProps, 'auth' | 'faults'> {
  /** Whether the panel is open at first. Default false. */
  initialIsOpen?: boolean | undefined
  /** Corner of the button. Default `bottom-right`, beside the button of the query devtools. */
  buttonPosition?: 'bottom-right' | 'bottom-left' | undefined
}

/**
 * A button in the corner of the page that opens the devtools of a session: state, timeline, deadlines, tabs, channels and
 * configuration, without secrets. Renders nothing on a server. Apps that do not import it do not bundle it.
 *
 * @throws AuthError `no-provider`, without `auth` and outside an `AuthProvider`
 * @example
 * <AuthProvider auth={auth}>
 *   <App />
 * </AuthProvider>
 * <LatchkeyDevtools auth={auth} />
 */
export function LatchkeyDevtools(props: LatchkeyDevtoolsProps): ReactNode {
  const auth = useAuthInPage(props.auth)
  return auth ? <Devtools {...props} auth={auth} /> : null
}

function Devtools({
  auth,
  initialIsOpen = false,
  buttonPosition = 'bottom-right',
  faults,
}: LatchkeyDevtoolsProps & { auth: Auth }) {
  const [isOpen, setOpen] = useState(initialIsOpen)
  const root = useRef<HTMLDivElement>(null)
  const status = useSyncExternalStore(auth.subscribe, () => auth.getState().status)
  useLayoutEffect(() => (root.current ? adoptStyle(root.current, DEVTOOLS_CSS) : undefined), [])

  // Move the focus into the opened panel, and back to the button.
  const wasOpen = useRef(isOpen)
  useLayoutEffect(() => {
    if (wasOpen.current === isOpen) return
    wasOpen.current = isOpen
    const target = isOpen ? '.latchkey-dt-panel' : 'button'
    root.current?.querySelector<HTMLElement>(target)?.focus({ preventScroll: true })
  }, [isOpen])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setOpen(false)
  }
  return (
    <div ref={root} className="latchkey-dt">
      {isOpen ? (
        // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape of the buttons inside
        <div className="latchkey-dt-float" onKeyDown={onKeyDown}>
          <LatchkeyDevtoolsPanel auth={auth} faults={faults} onClose={() => setOpen(false)} />
        </div>
      ) : (
        <section
          className="latchkey-dt-open"
          aria-label="Latchkey devtools"
          data-side={buttonPosition.slice('bottom-'.length)}
        >
          <button type="button" onClick={() => setOpen(true)}>
            <span className="latchkey-dt-dot" data-tone={TONES[status]} aria-hidden="true" />
            Latchkey
          </button>
        </section>
      )}
    </div>
  )
}
