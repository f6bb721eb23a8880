// The buttons of the tour: each does the real thing with this session, and says what came of it.
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
import { auth } from '../auth.ts'
import { Button } from '../parts/Button.tsx'
import { addressOf } from '../router.ts'
import { openDockTool } from '../shell/dockTool.ts'
import { clockTime } from '../words.ts'

const { authHost, clientId } = appConfig.auth

interface TryProps {
  label: string
  run?: () => void
  isBusy?: boolean
  /** What came of it, shown once the button was pressed. Without it there is nothing to say, and no place for it. */
  children?: ReactNode
}

function Try({ label, run, isBusy = false, children }: TryProps) {
  const [isPressed, setPressed] = useState(false)
  const press = () => {
    setPressed(true)
    run?.()
  }
  return (
    <div className="try">
      <Button isBusy={isBusy} onClick={press}>
        {label}
      </Button>
      {children !== undefined && <output className="soft small">{isPressed && children}</output>}
    </div>
  )
}

export function SignInAgain() {
  const { mutate, isPending, error } = useLogin()
  return (
    <Try label="Leave and come back" isBusy={isPending} run={() => mutate()}>
      {error?.message}
    </Try>
  )
}

export const Reload = () => <Try label="Reload the page" run={() => location.reload()} />

export const SecondTab = () => (
  <div className="try">
    <a className="button" href={addressOf('/tour')} target="_blank" rel="noreferrer">
      Open a second tab
    </a>
  </div>
)

export function Renew() {
  const renew = useRenew()
  const expiresAtMs = useAccessTokenExpiry()
  const [calls, setCalls] = useState(0)
  useAuthHook('afterRefreshToken', () => setCalls((count) => count + 1))
  return (
    <Try label="Renew the token" isBusy={renew.isPending} run={() => renew.mutate({ force: true })}>
      {renew.isSuccess && expiresAtMs !== undefined && `It lives until ${clockTime(expiresAtMs)}. `}
      {calls > 0 && `The afterRefreshToken hook was called ${calls} ${calls === 1 ? 'time' : 'times'}.`}
      {renew.error?.message}
    </Try>
  )
}

export const StopRenewal = () => (
  <Try label="Stop the timer" run={() => auth.stopRenewal()}>
    Stopped: from now on only a call renews. “Renew the token” starts it again.
  </Try>
)

export function OwnCall() {
  const [answer, setAnswer] = useState('')
  const call = () => {
    auth
      .fetch<Record<string, unknown>>(appConfig.userInfoUrl)
      .then((info) => setAnswer(`It answered ${Object.keys(info).length} fields.`))
      .catch((error: unknown) => setAnswer(String(error)))
  }
  return (
    <Try label="Call an API" run={call}>
      {answer}
    </Try>
  )
}

export function ExchangeJti() {
  const exchange = useExchangeAssertion()
  const [error, setError] = useState('')
  const start = () => {
    setError('')
    auth
      .fetch<{ jti: string }>(`${authHost}/api/redirections`, {
        method: 'POST',
        body: { client_id: clientId },
      })
      .then(({ jti }) => exchange.mutate({ assertion: jti }))
      .catch((cause: unknown) => setError(String(cause)))
  }
  return (
    <Try label="Get a token" isBusy={exchange.isPending} run={start}>
      {exchange.data && `Exchanged: the token prints as ${String(exchange.data.accessToken)}.`}
      {exchange.error?.message ?? error}
    </Try>
  )
}

export function StayActive() {
  const { remainingMs, stayActive } = useIdle()
  return (
    <Try label="Stay signed in" run={stayActive}>
      {remainingMs === undefined
        ? 'Idle time does not count here.'
        : 'The idle clock begins anew, in all tabs.'}
    </Try>
  )
}

export function WhoIsHere() {
  const { length } = useSessionPresence()
  return (
    <Try label="Who is here?">{`${length} ${length === 1 ? 'session' : 'sessions'} of yours online.`}</Try>
  )
}

export const OpenDevtools = () => (
  <Try label="Open the session devtools" run={() => openDockTool('latchkey')} />
)

export function SignOut() {
  const { mutate, isPending } = useLogout()
  return <Try label="Sign out everywhere" isBusy={isPending} run={() => mutate()} />
}

export function Storm() {
  const storm = () => {
    notify.success('The firm was saved.')
    notify.info('Bram is here too.')
    notify.info('Bram is here too.')
    notify.loading('Reading the link map', { id: 'tour' })
    notify.success('The link map was read.')
    notify.error('The consent could not be read.')
    notify.dismiss('tour')
  }
  return <Try label="Six toasts at once" run={storm} />
}

export function WrongInput() {
  const say = useUserText()
  const { mutate, error } = useSaveLinkMap()
  return (
    <Try label="Send what is wrong" run={() => mutate([{ internalUser: 'anna' }] as never)}>
      {error && say(error)}
    </Try>
  )
}

export function WrongHook() {
  const [text, setText] = useState('')
  const set = () => {
    try {
      auth.setHook('beforeLunch' as 'afterLogin', () => {})
    } catch (error) {
      setText(error instanceof Error ? error.message : '')
    }
  }
  return (
    <Try label="Set one by an unknown name" run={set}>
      {text}
    </Try>
  )
}

export function ReadUser() {
  const { data, error, refetch, isFetching } = useUserInfo()
  return (
    <Try label="Read it again" isBusy={isFetching} run={() => void refetch()}>
      {error?.message ?? `You are ${data?.name}.`}
    </Try>
  )
}

export function Debounce() {
  const [text, setText] = useState('')
  const settled = useDebouncedValue(text)
  return (
    <div className="try">
      <label className="field">
        Type quickly
        <input value={text} onChange={(event) => setText(event.target.value)} />
      </label>
      <output className="soft small">{settled && `Searched for: ${settled}`}</output>
    </div>
  )
}

export function ReadState() {
  const { status, isOnline, realtime } = useAuth()
  return (
    <Try label="Ask for the state">
      {`${status}, ${isOnline ? 'online' : 'offline'}, real time ${realtime}`}
    </Try>
  )
}
