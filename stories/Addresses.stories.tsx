// Links to other addresses: passing the session on to another address of the firm, and the redirections file.
import { useAuth, usePassthrough, useRedirectionConfig } from 'latchkey'
import { TestAuthProvider } from 'latchkey/testing'
import { expect, waitFor } from 'storybook/test'
import preview from '../.storybook/preview.tsx'
import { inNarrow, Read, Write } from './CallParts.tsx'

const meta = preview.meta({
  title: 'Addresses',
  component: TestAuthProvider,
  parameters: {
    docs: {
      description: {
        component:
          'What leads elsewhere. Reference: [usePassthrough](./?path=/docs/hooks-usepassthrough--docs), [useRedirectionConfig](./?path=/docs/hooks-useredirectionconfig--docs)',
      },
    },
  },
})

const PAYROLL = 'https://payroll.firm.example'

function HandOn({ redirect }: { redirect: string }) {
  const handOver = usePassthrough({ origins: [PAYROLL] })
  const state = useAuth()
  return (
    <Write title="Payroll" action="Open payroll" mutation={handOver} variables={{ redirect }}>
      <p>{state.status === 'redirecting' ? `One moment: on the way to ${state.to}.` : 'You are here.'}</p>
    </Write>
  )
}

export const HandedOn = meta.story({
  args: { children: <HandOn redirect={`${PAYROLL}/runs/7`} /> },
  async play({ canvas, userEvent }) {
    await userEvent.click(canvas.getByRole('button', { name: 'Open payroll' }))
    await waitFor(() => expect(canvas.getByText('One moment: on the way to passthrough.')).toBeVisible())
  },
})
export const HandedToAStranger = meta.story({
  args: { children: <HandOn redirect="https://stranger.example/" /> },
  async play({ canvas, userEvent }) {
    await userEvent.click(canvas.getByRole('button', { name: 'Open payroll' }))
    await waitFor(() => expect(canvas.getByRole('alert')).toBeVisible())
    await expect(canvas.getByText('You are here.')).toBeVisible()
  },
})

function Environments() {
  return <Read title="Environments" result={useRedirectionConfig()} />
}

const FILE = {
  topLevelDomains: ['example'],
  environments: [
    {
      criteria: { firmId: ['f2'] },
      applications: ['admin'],
      authHost: 'https://auth-us.example',
      topLevelDomain: 'example',
    },
  ],
  environmentVariables: { prefixMappings: {} },
}
const reads = (respond: () => Response | Promise<Response>) => ({
  children: <Environments />,
  config: { redirectionsUrl: '/redirections.json' },
  respond: (request: Request) => (request.url.endsWith('/redirections.json') ? respond() : undefined),
})
const sees = (text: string | RegExp) => ({
  play: ({ canvasElement }: { canvasElement: HTMLElement }) =>
    waitFor(() => expect(canvasElement).toHaveTextContent(text)),
})

export const EnvironmentsRead = meta.story({
  args: reads(() => Response.json(FILE)),
  ...sees('auth-us.example'),
})
export const EnvironmentsReadNarrow = meta.story({ ...EnvironmentsRead.input, ...inNarrow })
export const EnvironmentsLoading = meta.story({
  args: reads(() => new Promise<Response>(() => {})),
  ...sees('Reading'),
})
export const EnvironmentsEmpty = meta.story({
  args: reads(() => Response.json({ ...FILE, environments: [] })),
  ...sees('"environments": []'),
})
export const EnvironmentsMissing = meta.story({
  args: reads(() => new Response('', { status: 404 })),
  play: ({ canvas }) => waitFor(() => expect(canvas.getByRole('alert')).toBeVisible()),
})
