'use client'
// The devtools: the panel with the facts of a session, and the floating button that opens it.
import {
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useContext,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { noProvider } from '../base/errors.ts'
import { AuthContext } from '../provider/context.ts'
import { redact } from '../protocol/redaction.ts'
import { isOwnWindow } from '../protocol/storageKeys.ts'
import { adoptStyle } from '../provider/adoptedStyle.ts'
import type { Auth } from '../session/auth.ts'
import { internalsOf } from '../session/internals.ts'
import { windowName } from '../session/platform/browserFrame.ts'
import { copyText } from '../session/platform/browserTools.ts'
import type { AuthState } from '../session/state.ts'
import { Badge, Sections } from './sections.tsx'
import { DEVTOOLS_CSS, type Tone } from './style.ts'
import { watchOf } from './watch.ts'

/** Props of `LatchkeyDevtoolsPanel`. */
export interface LatchkeyDevtoolsPanelProps {
  /** Default: that of the nearest `AuthProvider`, which shows nothing below it while the session is `initializing`. */
  auth?: Auth | undefined
  /** Shows a button that closes the panel, and calls this. Default: no button. */
  onClose?: (() => void) | undefined
}

const TONES: Record<AuthState['status'], Tone> = {
  initializing: 'warn',
  authenticated: 'good',
  unauthenticated: 'plain',
  redirecting: 'warn',
  failed: 'bad',
}

/**
 * The devtools panel without the floating button: for your own page, or for TanStack Devtools.
 *
 * @throws AuthError `no-provider`, without `auth` and outside an `AuthProvider`
 * @example
 * <LatchkeyDevtoolsPanel auth={auth} />
 */
export function LatchkeyDevtoolsPanel(props: LatchkeyDevtoolsPanelProps): ReactNode {
  const auth = useAuthInPage(props.auth)
  return auth ? <Panel {...props} auth={auth} /> : null
}

function Panel({ auth, onClose }: LatchkeyDevtoolsPanelProps & { auth: Auth }) {
  const watch = watchOf(auth)
  const snapshot = useSyncExternalStore(watch.subscribe, watch.read, watch.read)
  const [copied, setCopied] = useState<'no' | 'yes' | { byHand: string }>('no')
  const panel = useRef<HTMLElement>(null)
  useStyle(panel)

  const copy = async () => {
    const bundle = createSupportBundle(auth)
    setCopied((await copyText(bundle)) ? 'yes' : { byHand: bundle })
  }
  return (
    <section
      ref={panel}
      className="latchkey-dt latchkey-dt-panel"
      aria-label="Latchkey devtools"
      tabIndex={-1}
    >
      <div className="latchkey-dt-head">
        <h2>Latchkey</h2>
        <Badge tone={TONES[snapshot.status]}>{snapshot.status}</Badge>
        <span className="latchkey-dt-soft">{snapshot.activity}</span>
        <button type="button" onClick={() => void copy()}>
          Copy support bundle
        </button>
        {onClose && (
          <button type="button" aria-label="Close the Latchkey devtools" onClick={onClose}>
            <span aria-hidden="true">✕</span>
          </button>
        )}
      </div>
      <div className="latchkey-dt-said" role="status">
        {copied === 'yes' && 'Copied. It holds no secret, only what you see here.'}
        {typeof copied === 'object' && (
          <label>
            The browser does not let this page copy: copy it yourself.
            <textarea readOnly value={copied.byHand} onFocus={(event) => event.currentTarget.select()} />
          </label>
        )}
      </div>
      <div className="latchkey-dt-body">
        <Sections snapshot={snapshot} />
      </div>
    </section>
  )
}

/**
 * Returns what the devtools show, as JSON: no token, code, verifier, jti, nonce or session id, and of URLs only the origin.
 * It contains the ids of the user and the firm.
 *
 * @example
 * await navigator.clipboard.writeText(createSupportBundle(auth))
 */
export function createSupportBundle(auth: Auth): string {
  const { atMs, events, deadlines, ...facts } = watchOf(auth).now()
  const { platform, tokens } = internalsOf(auth)
  const time = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString())
  const bundle = {
    made: time(atMs),
    page: new URL(platform.address()).origin,
    ...facts,
    deadlines: deadlines.map(({ name, atMs: dueAtMs, note }) => ({ name, at: time(dueAtMs), note })),
    events: events.map(({ atMs: happenedAtMs, ...event }) => ({ at: time(happenedAtMs), ...event })),
  }
  return JSON.stringify(redact(bundle, tokens.secrets()), undefined, 2)
}

/** Props of `LatchkeyDevtools`. */
export interface LatchkeyDevtoolsProps extends Pick<LatchkeyDevtoolsPanelProps, 'auth'> {
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
}: LatchkeyDevtoolsProps & { auth: Auth }) {
  const [isOpen, setOpen] = useState(initialIsOpen)
  const root = useRef<HTMLDivElement>(null)
  const status = useSyncExternalStore(auth.subscribe, () => auth.getState().status)
  useStyle(root)

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
          <LatchkeyDevtoolsPanel auth={auth} onClose={() => setOpen(false)} />
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
 * @example
 * <TanStackDevtools plugins={[latchkeyDevtoolsPlugin(auth)]} />
 */
export function latchkeyDevtoolsPlugin(auth: Auth): LatchkeyDevtoolsPlugin {
  return { id: 'latchkey', name: 'Latchkey', render: <LatchkeyDevtoolsPanel auth={auth} /> }
}

const never = () => () => {}

/** `undefined`, and nothing is rendered, on a server, which has no storages, and in latchkey's own frame, which nobody sees. */
function useAuthInPage(given: Auth | undefined): Auth | undefined {
  const nearest = useContext(AuthContext)
  const auth = given ?? nearest
  if (!auth) throw noProvider()
  const isInPage = useSyncExternalStore(
    never,
    () => !isOwnWindow(windowName()),
    () => false,
  )
  return isInPage ? auth : undefined
}

const useStyle = (root: RefObject<HTMLElement | null>) =>
  useLayoutEffect(() => (root.current ? adoptStyle(root.current, DEVTOOLS_CSS) : undefined), [root])
