// The last minute of a session whose end the provider has set: the user is told, may put it aside, and is not asked to stay.
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { createTestAuth } from '../../../src/testing/testAuth.ts'
import { TestAuthProvider } from '../../../src/testing/TestAuthProvider.tsx'
import { AuthToaster } from '../../../src/toaster/AuthToaster.tsx'
import { toastQueue } from '../../../src/toaster/toastQueue.ts'
import { toastTexts } from './toastsScene.tsx'

afterEach(() => {
  act(() => toastQueue.clear())
  cleanup()
})

const ENDING = /^Your session ends in (?:4\d|50) s\. Save your work/

function show(remainingMs: number) {
  const auth = createTestAuth({
    state: { status: 'authenticated', sessionEndsAtMs: Date.now() + remainingMs },
  })
  render(
    <TestAuthProvider auth={auth}>
      <AuthToaster />
    </TestAuthProvider>,
  )
  /** The end as a refresh has brought it, or the next second. */
  const endIn = (ms: number) =>
    act(() => auth.setState({ status: 'authenticated', sessionEndsAtMs: Date.now() + ms }))
  return { endIn }
}

it('says so in the last minute, and not before', () => {
  const { endIn } = show(90_000)
  expect(toastTexts()).toEqual([])
  endIn(50_000)
  expect(toastTexts()).toEqual([expect.stringMatching(ENDING)])
  expect(screen.queryByRole('button', { name: /Stay/ })).toBeNull()
})

it('goes when a refresh has brought a later end', () => {
  const { endIn } = show(50_000)
  expect(toastTexts()).toEqual([expect.stringMatching(ENDING)])
  endIn(900_000)
  expect(toastTexts()).toEqual([])
})

it('that the user has closed does not come back each second', () => {
  const { endIn } = show(50_000)
  fireEvent.click(screen.getByRole('button', { name: /^Close/ }))
  endIn(49_000)
  expect(toastTexts()).toEqual([])
})

it('that the user has closed comes in the last minute of the next session', () => {
  const { endIn } = show(50_000)
  fireEvent.click(screen.getByRole('button', { name: /^Close/ }))
  endIn(900_000)
  endIn(49_000)
  expect(toastTexts()).toEqual([expect.stringMatching(ENDING)])
})
