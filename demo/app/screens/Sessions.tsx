// Where the user is signed in, what happens there at this moment, and messages from the firm's server.
import { useMutation } from '@tanstack/react-query'
import {
  type AuthError,
  type OnlineSession,
  type RealtimeStatus,
  useAuth,
  useAuthHook,
  useFirmMessages,
  useSessionPresence,
  useUserMessages,
} from 'latchkey'
import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import { appConfig } from 'virtual:app-config'
import { Badge, type Tone } from '../parts/Badge.tsx'
import { Button } from '../parts/Button.tsx'
import { Card } from '../parts/Card.tsx'
import { ErrorNotice } from '../parts/ErrorNotice.tsx'
import { Form } from '../parts/Form.tsx'
import { PageHead } from '../parts/PageHead.tsx'
import { clockTime, timeOfDay } from '../words.ts'
import './sessions.css'

const HEALTH: Record<RealtimeStatus, readonly [tone: Tone, text: string]> = {
  off: ['plain', 'This browser only'],
  connecting: ['plain', 'Connecting'],
  connected: ['good', 'Live'],
  degraded: ['warn', 'Not live at the moment'],
}

export function Sessions() {
  const { realtime } = useAuth()
  const sessions = useSessionPresence()
  const [events, say] = useReducer(withEvent, [])
  const [isAsking, setAsking] = useState(false)
  const others = sessions.filter(({ isThisBrowser }) => !isThisBrowser)
  const [tone, text] = HEALTH[realtime]

  useUserMessages('note', 'new', (data) => say(`To you: ${textOf(data)}`))
  useFirmMessages('note', 'new', (data) => say(`To the firm: ${textOf(data)}`))
  useComings(others, say)

  return (
    <>
      <PageHead
        title="Sessions"
        about={
          appConfig.realtime
            ? 'One session per person: the newest sign-in stays. Open this app in another browser or a private window and sign in as the same person to see it happen.'
            : 'This demo runs without a messaging service: the tabs of this browser share one session, and no other browser shows up here or ends it. The demo on the firm’s own server has one.'
        }
        aside={<Badge tone={tone}>{text}</Badge>}
      />
      {isAsking && <AskInstead say={say} />}
      <div className="sessions">
        <Card
          title="Where you are signed in"
          aside={
            appConfig.realtime && (
              <label className="check">
                <input
                  type="checkbox"
                  checked={isAsking}
                  onChange={(event) => setAsking(event.target.checked)}
                />
                Warn me instead of signing out
              </label>
            )
          }
        >
          {sessions.length === 0 ? (
            <p className="empty looking">Looking who is here…</p>
          ) : (
            <table className="table">
              <thead>
                <tr>
                  <th scope="col">Browser</th>
                  <th scope="col">Since</th>
                  <th scope="col">Session</th>
                </tr>
              </thead>
              <tbody>
                {sessions.map((session) => (
                  <SessionRow key={session.presenceId} session={session} />
                ))}
              </tbody>
            </table>
          )}
          {sessions.length > 0 && others.length === 0 && <p className="soft">No other sessions.</p>}
        </Card>
        {appConfig.realtime && <SendCard deskOrigin={appConfig.realtime.deskOrigin} />}
        {appConfig.realtime && (
          <Card
            title="Live"
            about="Who comes and goes, and what the firm's server sends, while this screen is open."
          >
            {events.length === 0 ? (
              <p className="empty">Nothing yet.</p>
            ) : (
              <ol className="steps" role="log" aria-label="Live events">
                {events.map(({ id, atMs, words }) => (
                  <li key={id}>
                    <time dateTime={new Date(atMs).toISOString()}>{clockTime(atMs)}</time> {words}
                  </li>
                ))}
              </ol>
            )}
          </Card>
        )}
      </div>
    </>
  )
}

function SessionRow({ session }: { session: OnlineSession }) {
  const { name, isThisBrowser, type, sessionId, sinceMs } = session
  return (
    <tr>
      <td>
        <code>{name}</code> {isThisBrowser && <Badge tone="good">This browser</Badge>}{' '}
        {type === '2' && <Badge tone="warn">On behalf of you</Badge>}
      </td>
      <td>{sinceMs === undefined ? 'unknown' : timeOfDay(sinceMs)}</td>
      <td>{sessionId === undefined ? 'unknown' : <code>{sessionId.slice(0, 8)}</code>}</td>
    </tr>
  )
}

/** The app decides for itself what a newer sign-in means: here it only says so. */
function AskInstead({ say }: { say: Say }) {
  useAuthHook(
    'uniqueSessionTrigger',
    useCallback(({ agentId }) => say(`Browser ${agentId?.slice(0, 4)} signed in as you`), [say]),
  )
  return undefined
}

function SendCard({ deskOrigin }: { deskOrigin: string }) {
  const { auth } = useAuth()
  const [text, setText] = useState('The office closes at five')
  const send = useMutation<unknown, AuthError, 'user' | 'firm'>({
    mutationFn: (to) => auth.fetch(`${deskOrigin}/messages`, { method: 'POST', body: { to, text } }),
  })
  return (
    <Form onSubmit={() => send.mutate('user')}>
      <Card
        title="Send a message"
        about="The firm's server sends it: a browser may not write on these channels."
        actions={
          <>
            <Button type="submit" tone="primary" isBusy={send.isPending}>
              Send to me
            </Button>
            <Button isBusy={send.isPending} onClick={() => send.mutate('firm')}>
              Send to the firm
            </Button>
          </>
        }
      >
        <label className="field">
          Text
          <input value={text} maxLength={200} onChange={(event) => setText(event.target.value)} />
        </label>
        {send.error && <ErrorNotice error={send.error} title="The message was not sent" />}
      </Card>
    </Form>
  )
}

interface LiveEvent {
  id: number
  atMs: number
  words: string
}
type Say = (words: string) => void

const MOST_EVENTS = 50

/** The newest first. */
const withEvent = (before: readonly LiveEvent[], words: string): readonly LiveEvent[] =>
  [{ id: (before[0]?.id ?? 0) + 1, atMs: Date.now(), words }, ...before].slice(0, MOST_EVENTS)

/** Says who has come and who has gone since the last time. */
function useComings(others: readonly OnlineSession[], say: Say) {
  const seen = useRef(new Map<string, string>())
  useEffect(() => {
    const here = new Map(others.map(({ presenceId, name }) => [presenceId, name]))
    for (const [presenceId, name] of here) if (!seen.current.has(presenceId)) say(`Browser ${name} is here`)
    for (const [presenceId, name] of seen.current) if (!here.has(presenceId)) say(`Browser ${name} has gone`)
    seen.current = here
  }, [others, say])
}

const textOf = (data: unknown): string =>
  typeof data === 'object' && data !== null && 'text' in data ? String(data.text) : 'something unreadable'
