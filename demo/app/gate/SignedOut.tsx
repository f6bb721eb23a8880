// Nobody is signed in: why, and the way back in.
import {
  type AuthError,
  type AuthErrorCode,
  type SessionClash,
  type SignedOutReason,
  useLogin,
} from 'latchkey'
import { Button } from '../parts/Button.tsx'
import { ErrorNotice } from '../parts/ErrorNotice.tsx'
import { ServersWords } from '../parts/ServersWords.tsx'
import { clockTime } from '../words.ts'
import { GatePage } from './GatePage.tsx'

const WORDS: Record<SignedOutReason | 'here', readonly [title: string, text: string]> = {
  none: ['Sign in to Deskwell', 'Nobody is signed in on this browser.'],
  'signed-out': [
    'You are signed out',
    'Your session has ended here and at the server. Sign in again whenever you like.',
  ],
  here: ['You are signed out', 'Your session has ended here. Sign in again whenever you like.'],
  idle: [
    'Signed out to keep things safe',
    'Nothing happened here for a while, so we closed your session. Sign in and you are back on the same page.',
  ],
  'session-clash': [
    'You signed in somewhere else',
    'Each member of staff has one session at a time, and the newest one stays. If that was not you, change your password.',
  ],
  expired: ['Your session has ended', 'Sign in again and you are back on the same page.'],
  cancelled: ['The sign-in was cancelled', 'Nothing has changed. Sign in when you are ready.'],
}

/** The server cannot be told now. */
const AWAY: readonly AuthErrorCode[] = ['offline', 'network', 'timeout', 'unexpected-status', 'rate-limited']

export interface SignedOutProps {
  reason: SignedOutReason
  cause?: AuthError | undefined
}

export function SignedOut({ reason, cause }: SignedOutProps) {
  const login = useLogin()
  const [title, text] = WORDS[reason === 'signed-out' && cause ? 'here' : reason]
  const isClash = reason === 'session-clash'
  return (
    <GatePage
      title={title}
      actions={
        <Button tone="primary" isBusy={login.isPending} onClick={() => login.mutate()}>
          {login.isPending ? 'Opening the sign-in page…' : isClash ? 'Sign in here instead' : 'Sign in'}
        </Button>
      }
    >
      <p>{text}</p>
      {isClash && <OtherBrowser body={cause?.body} />}
      {cause && AWAY.includes(cause.code) ? (
        <p className="notice">You are signed out here. The server is told as soon as it can be reached.</p>
      ) : (
        cause &&
        !isClash &&
        (reason === 'cancelled' ? (
          <ServersWords body={cause.body} />
        ) : (
          <ErrorNotice error={cause} isAnnounced={false} isForUsers />
        ))
      )}
      {login.error && <ErrorNotice error={login.error} title="The sign-in page could not be opened" />}
    </GatePage>
  )
}

/** Of a clash: when the other session began, and in which browser. */
function OtherBrowser({ body }: { body: unknown }) {
  const { sinceMs, agentId } = (body ?? {}) as SessionClash
  if (sinceMs === undefined || agentId === undefined) return undefined
  return (
    <p className="notice">
      <span>
        Browser <strong>{agentId.slice(0, 4)}</strong> signed in at{' '}
        <time dateTime={new Date(sinceMs).toISOString()}>{clockTime(sinceMs)}</time>.
      </span>
    </p>
  )
}
