// The states of a read, with useUserInfo: waiting, found, empty, forbidden, failed and retried, offline.
import { useUserInfo } from 'latchkey'
import { TestAuthProvider } from 'latchkey/testing'
import { expect, waitFor } from 'storybook/test'
import preview from '../.storybook/preview.tsx'

function UserInfoCard() {
  const { data, error, isPending, refetch } = useUserInfo()
  const again = (
    <button type="button" onClick={() => void refetch()}>
      Read again
    </button>
  )
  if (error)
    return (
      <section aria-labelledby="user-info">
        <h1 id="user-info">About you</h1>
        <p role="alert">
          <strong>{error.message}.</strong> {error.remedy}
        </p>
        {again}
      </section>
    )
  return (
    <section aria-labelledby="user-info" aria-busy={isPending}>
      <h1 id="user-info">About you</h1>
      {isPending && <p role="status">Reading</p>}
      {data && Object.keys(data).length === 0 && <p>The server knows nothing about you.</p>}
      {data && (
        <ul>
          {Object.entries(data).map(([name, value]) => (
            <li key={name}>
              {name}: {String(value)}
            </li>
          ))}
        </ul>
      )}
      {again}
    </section>
  )
}

const meta = preview.meta({
  title: 'Reads/useUserInfo',
  component: TestAuthProvider,
  parameters: {
    docs: {
      description: {
        component:
          'A read, each way it can end. Reference: [useUserInfo](./?path=/docs/hooks-useuserinfo--docs)',
      },
    },
  },
  args: { children: <UserInfoCard /> },
})

export const Loading = meta.story({
  args: { respond: () => new Promise(() => {}) },
  play: ({ canvas }) => expect(canvas.getByRole('status')).toHaveTextContent('Reading'),
})

export const Full = meta.story({
  play: ({ canvas }) => waitFor(() => expect(canvas.getByText('name: Name of alice')).toBeVisible()),
})

export const FullDark = meta.story({ ...Full.input, globals: { theme: 'dark' } })

export const Empty = meta.story({
  args: { respond: () => Response.json({}) },
  play: ({ canvas }) => waitFor(() => expect(canvas.getByText(/knows nothing/)).toBeVisible()),
})

export const Forbidden = meta.story({
  args: { respond: () => Response.json({ error: 'access_denied' }, { status: 403 }) },
  play: ({ canvas }) =>
    waitFor(() =>
      expect(canvas.getByRole('alert')).toHaveTextContent('This user is not allowed to do that.'),
    ),
})

export const NotTheServer = meta.story({
  args: { respond: () => new Response('<h1>Hotel network</h1>') },
  play: ({ canvas }) =>
    waitFor(() =>
      expect(canvas.getByRole('alert')).toHaveTextContent('A proxy or portal may have responded.'),
    ),
})

export const FailedThenReadAgain = meta.story({
  args: (() => {
    let answerCount = 0
    // Fails with all its retries, then recovers.
    const respond = () => ((answerCount += 1) <= 6 ? Response.json({}, { status: 503 }) : undefined)
    return { respond }
  })(),
  async play({ canvas, userEvent }) {
    await waitFor(() => expect(canvas.getByRole('alert')).toHaveTextContent('answered 503'))
    await waitFor(
      async () => {
        await userEvent.click(canvas.getByRole('button', { name: 'Read again' }))
        await expect(canvas.getByText('name: Name of alice')).toBeVisible()
      },
      { timeout: 20_000 },
    )
  },
})

export const Offline = meta.story({
  args: { state: { status: 'authenticated', isOnline: false } },
  play: ({ canvas }) => waitFor(() => expect(canvas.getByRole('alert')).toHaveTextContent('offline')),
})
