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
  useUpdateFirm,
  useUserInfo,
} from 'latchkey'
import { type ReactNode, useState } from 'react'
import { appConfig } from 'virtual:app-config'
import { atWork } from '../parts/atWork.ts'
import { auth } from '../auth.ts'
import { addressOf } from '../router.ts'
import { openDockTool } from '../shell/dockTool.ts'
import { clockTime } from '../words.ts'

const { authHost, clientId } = appConfig.auth

export interface ActionProps {
  /** The visitor has tried it. */
  onTry(): void
}

/** A button, and what came of it in words; without children it has nothing to say, and keeps no place for it. */
function Try({
  label,
  onTry,
  isBusy = false,
  children,
}: {
  label: string
  onTry(): void
  isBusy?: boolean
  children?: ReactNode
}) {
  return (
    <div className="try">
      <button type="button" className="button" {...atWork(isBusy)} onClick={onTry}>
        {label}
      </button>
      {children !== undefined && <output className="soft small">{children}</output>}
    </div>
  )
}

export function SignInAgain({ onTry }: ActionProps) {
  const { mutate, isPending, error } = useLogin()
  const leave = () => {
    onTry()
    mutate()
  }
  return (
    <Try label="Leave and come back" isBusy={isPending} onTry={leave}>
      {error?.message}
    </Try>
  )
}

export function Reload({ onTry }: ActionProps) {
  const reload = () => {
    onTry()
    location.reload()
  }
  return <Try label="Reload the page" onTry={reload} />
}

export function SecondTab({ onTry }: ActionProps) {
  return (
    <div className="try">
      <a className="button" href={addressOf('/tour')} target="_blank" rel="noreferrer" onClick={onTry}>
        Open a second tab
      </a>
    </div>
  )
}

export function Renew({ onTry }: ActionProps) {
  const renew = useRenew()
  const expiresAtMs = useAccessTokenExpiry()
  const [heard, setHeard] = useState(0)
  useAuthHook('afterRefreshToken', () => setHeard((count) => count + 1))
  const start = () => {
    onTry()
    renew.mutate({ force: true })
  }
  return (
    <Try label="Renew the token" isBusy={renew.isPending} onTry={start}>
      {renew.isSuccess && expiresAtMs !== undefined && `It lives until ${clockTime(expiresAtMs)}. `}
      {heard > 0 && `The afterRefreshToken hook was called ${heard} ${heard === 1 ? 'time' : 'times'}.`}
      {renew.error?.message}
    </Try>
  )
}

export function StopRenewal({ onTry }: ActionProps) {
  const [isStopped, setStopped] = useState(false)
  const stop = () => {
    onTry()
    auth.stopRenewal()
    setStopped(true)
  }
  return (
    <Try label="Stop the timer" onTry={stop}>
      {isStopped && 'Stopped: from now on only a call renews. “Renew the token” starts it again.'}
    </Try>
  )
}

export function OwnCall({ onTry }: ActionProps) {
  const [answer, setAnswer] = useState('')
  const call = () => {
    onTry()
    auth
      .fetch<Record<string, unknown>>(appConfig.userInfoUrl)
      .then((info) => setAnswer(`It answered ${Object.keys(info).length} fields.`))
      .catch((error: unknown) => setAnswer(String(error)))
  }
  return (
    <Try label="Call an API" onTry={call}>
      {answer}
    </Try>
  )
}

export function ExchangeJti({ onTry }: ActionProps) {
  const exchange = useExchangeAssertion()
  const [error, setError] = useState('')
  const start = async () => {
    onTry()
    setError('')
    try {
      const { jti } = await auth.fetch<{ jti: string }>(`${authHost}/api/redirections`, {
        method: 'POST',
        body: { client_id: clientId },
      })
      exchange.mutate({ assertion: jti })
    } catch (cause) {
      setError(String(cause))
    }
  }
  return (
    <Try label="Get a token" isBusy={exchange.isPending} onTry={() => void start()}>
      {exchange.data && `Exchanged: the token prints as ${String(exchange.data.accessToken)}.`}
      {exchange.error?.message ?? error}
    </Try>
  )
}

export function StayActive({ onTry }: ActionProps) {
  const { remainingMs, stayActive } = useIdle()
  const [text, setText] = useState('')
  const stay = () => {
    onTry()
    stayActive()
    setText(
      remainingMs === undefined
        ? 'Idle time does not count here.'
        : 'The idle clock begins anew, in all tabs.',
    )
  }
  return (
    <Try label="Stay signed in" onTry={stay}>
      {text}
    </Try>
  )
}

export function WhoIsHere({ onTry }: ActionProps) {
  const sessions = useSessionPresence()
  const [isAsked, setAsked] = useState(false)
  const ask = () => {
    onTry()
    setAsked(true)
  }
  return (
    <Try label="Who is here?" onTry={ask}>
      {isAsked && `${sessions.length} ${sessions.length === 1 ? 'session' : 'sessions'} of yours online.`}
    </Try>
  )
}

export function OpenDevtools({ onTry }: ActionProps) {
  const open = () => {
    onTry()
    openDockTool('latchkey')
  }
  return <Try label="Open the session devtools" onTry={open} />
}

export function SignOut({ onTry }: ActionProps) {
  const { mutate, isPending } = useLogout()
  const leave = () => {
    onTry()
    mutate()
  }
  return <Try label="Sign out everywhere" isBusy={isPending} onTry={leave} />
}

export function Storm({ onTry }: ActionProps) {
  const storm = () => {
    onTry()
    notify.success('The firm was saved.')
    notify.info('Bram is here too.')
    notify.info('Bram is here too.')
    notify.loading('Reading the link map', { id: 'tour' })
    notify.success('The link map was read.')
    notify.error('The consent could not be read.')
    notify.dismiss('tour')
  }
  return <Try label="Six toasts at once" onTry={storm} />
}

export function WrongInput({ onTry }: ActionProps) {
  const map = useSaveLinkMap()
  const firm = useUpdateFirm()
  const start = () => {
    onTry()
    map.mutate([{ internalUser: 'anna' }] as never)
    firm.mutate({ id: 'firm-noorderlicht', cloudProviderId: '' })
  }
  return (
    <Try label="Send what is wrong" onTry={start}>
      {[map.error?.message, firm.error?.message].filter(Boolean).join(' · ')}
    </Try>
  )
}

export function WrongHook({ onTry }: ActionProps) {
  const [text, setText] = useState('')
  const set = () => {
    onTry()
    try {
      auth.setHook('beforeLunch' as 'afterLogin', () => {})
    } catch (error) {
      setText(error instanceof Error ? error.message : '')
    }
  }
  return (
    <Try label="Set one by an unknown name" onTry={set}>
      {text}
    </Try>
  )
}

export function ReadUser({ onTry }: ActionProps) {
  const { data, error, refetch, isFetching } = useUserInfo()
  const [isAsked, setAsked] = useState(false)
  const read = () => {
    onTry()
    setAsked(true)
    void refetch()
  }
  return (
    <Try label="Read it again" isBusy={isFetching} onTry={read}>
      {isAsked && (error?.message ?? `You are ${data?.name}.`)}
    </Try>
  )
}

export function Debounce({ onTry }: ActionProps) {
  const [text, setText] = useState('')
  const settled = useDebouncedValue(text)
  const type = (next: string) => {
    onTry()
    setText(next)
  }
  return (
    <div className="try">
      <label className="field">
        Type quickly
        <input value={text} onChange={(event) => type(event.target.value)} />
      </label>
      <output className="soft small">{settled && `Searched for: ${settled}`}</output>
    </div>
  )
}

export function ReadState({ onTry }: ActionProps) {
  const state = useAuth()
  const [isAsked, setAsked] = useState(false)
  const ask = () => {
    onTry()
    setAsked(true)
  }
  return (
    <Try label="Ask for the state" onTry={ask}>
      {isAsked && `${state.status}, ${state.isOnline ? 'online' : 'offline'}, real time ${state.realtime}`}
    </Try>
  )
}
