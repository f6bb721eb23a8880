// The screens of the example: who is signed in, for whom, and the firm's invoices.
import { Authenticated, useAuth, useAuthed, type UserInfo, useUserInfo } from 'latchkey'
import { useForbidden } from 'latchkey/tanstack-query'

interface Invoice {
  readonly id: string
  readonly customer: string
}

export function Desk() {
  return (
    <Authenticated fallback={<p>Checking your session…</p>}>
      <Header />
      <Invoices />
    </Authenticated>
  )
}

// What the server sends is unchecked.
const readName = (info: UserInfo) => (typeof info['name'] === 'string' ? info['name'] : undefined)

function Header() {
  const { user, logout } = useAuth()
  const { data: name } = useUserInfo({ select: readName })
  return (
    <header>
      <h1>Hello {name ?? '…'}</h1>
      {user?.impersonatorId !== undefined && (
        <p role="status">
          You are {user.impersonatorId}, working as {user.userId}.
        </p>
      )}
      <button type="button" onClick={() => void logout()}>
        Sign out
      </button>
    </header>
  )
}

function useInvoices() {
  const { auth } = useAuth()
  return useAuthed({
    queryKey: ['invoices'],
    queryFn: () => auth.fetch<readonly Invoice[]>('/api/invoices'),
  })
}

function Invoices() {
  const { data, error } = useInvoices()
  const forbidden = useForbidden(error)
  if (forbidden) return <p role="alert">{forbidden.error.description ?? 'You may not see invoices.'}</p>
  if (error) return <p role="alert">Try again later.</p>
  if (!data) return <p>Loading invoices…</p>
  if (data.length === 0) return <p>No invoices yet.</p>
  return (
    <ul>
      {data.map(({ id, customer }) => (
        <li key={id}>{customer}</li>
      ))}
    </ul>
  )
}
