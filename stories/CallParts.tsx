// Parts of the call stories: a read, a write and a popup as an app would show them.
import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query'
import type { AuthError, PopupControls } from 'latchkey'
import type { ReactNode } from 'react'

export function Fault({ error }: { error: AuthError }): ReactNode {
  return (
    <p className="notice" role="alert">
      <span>
        <strong>{error.message}.</strong> {error.remedy}
      </span>
    </p>
  )
}

/** Shows the result as JSON, or the error. */
export function Read({ title, result }: { title: string; result: UseQueryResult<unknown, AuthError> }) {
  const { data, error, isPending } = result
  return (
    <main className="card" aria-busy={isPending}>
      <h1>{title}</h1>
      {isPending && <p role="status">Reading</p>}
      {error ? (
        <Fault error={error} />
      ) : (
        data !== undefined && (
          <pre style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {JSON.stringify(data, undefined, 2)}
          </pre>
        )
      )}
    </main>
  )
}

/** A button and its result. */
export function Write<Data, Variables>({
  title,
  action,
  mutation,
  variables,
  children,
}: {
  title: string
  action: string
  mutation: UseMutationResult<Data, AuthError, Variables>
  variables: Variables
  children?: ReactNode
}) {
  const { mutate, isPending, isSuccess, error, data } = mutation
  return (
    <main className="card">
      <h1>{title}</h1>
      {children}
      <button type="button" className="button" disabled={isPending} onClick={() => mutate(variables)}>
        {isPending ? 'One moment' : action}
      </button>
      {error && <Fault error={error} />}
      {isSuccess && (
        <p role="status" style={{ overflowWrap: 'anywhere' }}>
          Done{data === undefined ? '' : `: ${JSON.stringify(data)}`}
        </p>
      )}
    </main>
  )
}

/** The same with a popup. */
export function Popup<Data, Variables>({
  title,
  action,
  popup,
  variables,
}: {
  title: string
  action: string
  popup: UseMutationResult<Data, AuthError, Variables> & PopupControls
  variables: Variables
}) {
  return (
    <Write title={title} action={action} mutation={popup} variables={variables}>
      {popup.isPending && (
        <p role="status">
          Go on in the other window.{' '}
          <button type="button" className="button" onClick={popup.focusPopup}>
            Show it
          </button>{' '}
          <button type="button" className="button" onClick={popup.finish}>
            I am done
          </button>{' '}
          <button type="button" className="button" onClick={popup.cancel}>
            Cancel
          </button>
        </p>
      )}
    </Write>
  )
}

/** The content width of a 360 px page. */
export const inNarrow = {
  decorators: [
    (Story: () => ReactNode) => (
      <div style={{ width: 328 }}>
        <Story />
      </div>
    ),
  ],
}
