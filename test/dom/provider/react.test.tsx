// Proves which React each leg of the jsdom tests runs on, and that it is the only one.
import { render, screen } from '@testing-library/react'
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import * as React from 'react'
import { version as domVersion } from 'react-dom'
import { expect, inject, it } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    reactVersion: string
    isCompiled: boolean
  }
}

function Greeting() {
  const { data } = useQuery({ queryKey: ['greeting'], queryFn: () => Promise.resolve('hello') })
  return <p>{data ?? 'waiting'}</p>
}

it('runs on the React that the leg is named after', () => {
  expect(React.version).toBe(inject('reactVersion'))
  expect(domVersion).toBe(React.version)
})

it('is compiled by React Compiler in the leg that says so, and only there', () => {
  expect(String(Greeting).includes('$[0]')).toBe(inject('isCompiled'))
})

it('shares one copy of React with the packages that use it', async () => {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Greeting />
    </QueryClientProvider>,
  )
  expect(await screen.findByText('hello')).toBeInstanceOf(HTMLElement)
})
