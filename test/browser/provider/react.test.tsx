// Proves that the tests in Chromium have one copy of React, shared with the packages that use it.
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { render } from 'vitest-browser-react'

function Greeting() {
  const { data } = useQuery({ queryKey: ['greeting'], queryFn: () => Promise.resolve('hello') })
  return <p>{data ?? 'waiting'}</p>
}

it('shares one copy of React with the packages that use it', async () => {
  const screen = await render(
    <QueryClientProvider client={new QueryClient()}>
      <Greeting />
    </QueryClientProvider>,
  )
  await expect.element(screen.getByText('hello')).toBeVisible()
})
