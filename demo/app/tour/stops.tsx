// The stops of the tour: what no other screen shows, each with a button that does it with this session and says what came of it.
import {
  notify,
  useAccessTokenExpiry,
  useAuthHook,
  useExchangeAssertion,
  useLogin,
  useRenew,
  useSaveLinkMap,
  useUserText,
} from 'latchkey'
import { type ReactNode, useState } from 'react'
import { appConfig } from 'virtual:app-config'
import { auth, serverHas } from '../auth.ts'
import { Button } from '../parts/Button.tsx'
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
      label="Set an unknown one"
      run={set}
    >
      {text}
    </Try>
  )
}

export const TOUR: readonly (readonly [part: string, stops: readonly (() => ReactNode)[]])[] = [
  [
    'Signing in and staying in',
    [SignInAgain, Renew, StopRenewal, OwnCall, ...(serverHas('assertion') ? [ExchangeJti] : [])],
  ],
  ['Telling people', [Storm, ...(serverHas('linkMap') ? [WrongInput] : []), WrongHook]],
]
