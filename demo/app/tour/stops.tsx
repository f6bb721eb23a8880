// The stops of the tour: what latchkey does, each with a button that does it with this session and says what came of it.
import {
  notify,
  useAccessTokenExpiry,
  useAuth,
  useAuthHook,
  useDebouncedValue,
  useExchangeAssertion,
  useIdle,
  useLogin,
  useLogout,
  useRenew,
  useSaveLinkMap,
  useSessionPresence,
  useUserInfo,
  useUserText,
} from 'latchkey'
import { type ReactNode, useState } from 'react'
import { appConfig } from 'virtual:app-config'
import { auth, serverHas } from '../auth.ts'
import { Button } from '../parts/Button.tsx'
import { addressOf } from '../router.ts'
import { openDockTool } from '../shell/dockTool.ts'
import { clockTime } from '../words.ts'

const { authHost, clientId } = appConfig.auth

interface StopProps {
  title: string
  /** What to look at. */
  about: string | undefined
  children?: ReactNode
}

export function Stop({ title, about, children }: StopProps) {
  return (
    <li>
      <h3>{title}</h3>
      <p className="soft">{about}</p>
      <div className="try">{children}</div>
    </li>
  )
}

interface TryProps extends StopProps {
  label: string
  run?(): void
  isBusy?: boolean
  error?: unknown
}

/** The error or `children` are shown once the button was pressed. Without both there is nothing to say, and no place for it. */
function Try({ title, about, label, run, isBusy = false, error, children }: TryProps) {
  const [isPressed, setPressed] = useState(false)
  const say = useUserText()
  const press = () => {
    setPressed(true)
    run?.()
  }
  return (
    <Stop title={title} about={about}>
      <Button isBusy={isBusy} onClick={press}>
        {label}
      </Button>
      {(children ?? error) !== undefined && (
        <output className="soft small">{isPressed && (error ? say(error) : children)}</output>
      )}
    </Stop>
  )
}

function SignInAgain() {
  const { mutate, isPending, error } = useLogin()
  return (
    <Try
      title="Sign-in by redirect"
      about="You come back to this very place, and nothing of the sign-in stays in the address."
      label="Leave and come back"
      isBusy={isPending}
      run={() => mutate()}
      error={error ?? undefined}
    />
  )
}

const Reload = () => (
  <Try
    title="The session is found again"
    about="After a reload another tab hands the session over, or the server is asked out of sight."
    label="Reload the page"
    run={() => location.reload()}
  />
)

const SecondTab = () => (
  <Stop
    title="A second tab"
    about="It is signed in without a question to the server: all tabs of a browser share one session."
  >
    <a className="button" href={addressOf('/tour')} target="_blank" rel="noreferrer">
      Open a second tab
    </a>
  </Stop>
)

function ReadState() {
  const { status, isOnline, realtime } = useAuth()
  return (
    <Try
      title="One state"
      about="Signed in, signed out and why, on the way, or failed: every screen reads the same state."
      label="Ask for the state"
    >
      {`${status}, ${isOnline ? 'online' : 'offline'}, real time ${realtime}`}
    </Try>
  )
}

function Renew() {
  const { mutate, isPending, isSuccess, error } = useRenew()
  const expiresAtMs = useAccessTokenExpiry()
  const [calls, setCalls] = useState(0)
  useAuthHook('afterRefreshToken', () => setCalls((count) => count + 1))
  return (
    <Try
      title="Renewal"
      about="30 seconds before the token ends, when a call needs it, or now. Once for all tabs; the page stands still."
      label="Renew the token"
      isBusy={isPending}
      run={() => mutate({ force: true })}
      error={error}
    >
      {isSuccess && expiresAtMs !== undefined && `It lives until ${clockTime(expiresAtMs)}. `}
      {calls > 0 && `The afterRefreshToken hook was called ${calls} ${calls === 1 ? 'time' : 'times'}.`}
    </Try>
  )
}

const StopRenewal = () => (
  <Try
    title="Renewal can be stopped"
    about="Without the timer, a call still renews the token that it needs."
    label="Stop the timer"
    run={() => auth.stopRenewal()}
  >
    Stopped: from now on only a call renews. “Renew the token” starts it again.
  </Try>
)

function OwnCall() {
  const [answer, setAnswer] = useState<Record<string, unknown>>()
  const [error, setError] = useState<unknown>(null)
  const call = () => {
    setError(null)
    auth.fetch<Record<string, unknown>>(appConfig.userInfoUrl).then(setAnswer, setError)
  }
  return (
    <Try
      title="Calls of your own"
      about="auth.fetch takes the token to allowed origins only, and repeats a call once if the token is refused."
      label="Call an API"
      run={call}
      error={error}
    >
      {answer && `It answered ${Object.keys(answer).length} fields.`}
    </Try>
  )
}

function ExchangeJti() {
  const exchange = useExchangeAssertion()
  const [error, setError] = useState<unknown>(null)
  const start = () => {
    setError(null)
    auth
      .fetch<{ jti: string }>(`${authHost}/api/redirections`, {
        method: 'POST',
        body: { client_id: clientId },
      })
      .then(({ jti }) => exchange.mutate({ assertion: jti }), setError)
  }
  return (
    <Try
      title="A token for another app"
      about="A key that works once is exchanged for it. Whatever prints the token shows [redacted]."
      label="Get a token"
      isBusy={exchange.isPending}
      run={start}
      error={exchange.error ?? error}
    >
      {exchange.data && `Exchanged: the token prints as ${String(exchange.data.accessToken)}.`}
    </Try>
  )
}

function StayActive() {
  const { remainingMs, stayActive } = useIdle()
  return (
    <Try
      title="Idle time"
      about="One clock for all tabs. The last minute counts down; then the session ends."
      label="Stay signed in"
      run={stayActive}
    >
      {remainingMs === undefined
        ? 'Idle time does not count here.'
        : 'The idle clock begins anew, in all tabs.'}
    </Try>
  )
}

function WhoIsHere() {
  const { length } = useSessionPresence()
  return (
    <Try
      title="Who is here"
      about="Your sessions that are online now, in this browser and others."
      label="Who is here?"
    >
      {`${length} ${length === 1 ? 'session' : 'sessions'} of yours online.`}
    </Try>
  )
}

function ReadUser() {
  const { data, error, refetch, isFetching } = useUserInfo()
  return (
    <Try
      title="User info"
      about="What the server knows about you, read once for all screens."
      label="Read it again"
      isBusy={isFetching}
      run={() => void refetch()}
      error={error}
    >
      {`You are ${data?.name}.`}
    </Try>
  )
}

function Storm() {
  const storm = () => {
    notify.success('The firm was saved.')
    notify.info('Bram is here too.')
    notify.info('Bram is here too.')
    notify.loading('Reading the link map', { id: 'tour' })
    notify.success('The link map was read.')
    notify.error('The consent could not be read.')
    notify.dismiss('tour')
  }
  return (
    <Try
      title="Toasts"
      about="Three at most, errors first, the same text once; the others wait."
      label="Six toasts at once"
      run={storm}
    />
  )
}

function WrongInput() {
  const { mutate, error } = useSaveLinkMap()
  return (
    <Try
      title="Errors in plain words"
      about="Wrong input is refused before it is sent. Users read what to do; the error says “linkmap in wrong format”."
      label="Send what is wrong"
      run={() => mutate([{ internalUser: 'anna' }] as never)}
      error={error}
    />
  )
}

function WrongHook() {
  const [text, setText] = useState('')
  const set = () => {
    try {
      auth.setHook('beforeLunch' as 'afterLogin', () => {})
    } catch (error) {
      setText(`Refused: “${(error as Error).message}”.`)
    }
  }
  return (
    <Try
      title="Hooks"
      about="After a sign-in and a renewal, before a sign-out, and when you sign in elsewhere. An unknown name is refused."
      label="Set one by an unknown name"
      run={set}
    >
      {text}
    </Try>
  )
}

const Devtools = () => (
  <Try
    title="Devtools"
    about="State, deadlines and tabs of this session, and a report for support."
    label="Open the session devtools"
    run={() => openDockTool('latchkey')}
  />
)

function Debounce() {
  const [text, setText] = useState('')
  const settled = useDebouncedValue(text)
  return (
    <Stop title="Search as you type" about="Nothing is searched for until you pause.">
      <label className="field">
        Type quickly
        <input value={text} onChange={(event) => setText(event.target.value)} />
      </label>
      <output className="soft small">{settled && `Searched for: ${settled}`}</output>
    </Stop>
  )
}

function SignOut() {
  const { mutate, isPending } = useLogout()
  return (
    <Try
      title="Signing out"
      about="Here first, then in all tabs and at the server; also without a network."
      label="Sign out everywhere"
      isBusy={isPending}
      run={() => mutate()}
    />
  )
}

export const TOUR: readonly (readonly [part: string, stops: readonly (() => ReactNode)[]])[] = [
  ['Getting in', [SignInAgain, Reload, SecondTab, ReadState]],
  ['Staying in', [Renew, StopRenewal, OwnCall, ...(serverHas('assertion') ? [ExchangeJti] : []), StayActive]],
  ['Who is who', [WhoIsHere, ReadUser]],
  ['Telling people', [Storm, ...(serverHas('linkMap') ? [WrongInput] : []), WrongHook, Devtools, Debounce]],
  ['Getting out', [SignOut]],
]
