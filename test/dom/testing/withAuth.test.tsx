// Stories with a session: the decorator of the preview, and what a story says of its own.
import { render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { useAuth } from '../../../src/index.ts'
import { type StoryContext, withAuth } from '../../../src/testing/index.ts'

function Who() {
  const { status, user } = useAuth()
  return <p>{user?.userId ?? status}</p>
}
const show = (decorate: ReturnType<typeof withAuth>, context: Partial<StoryContext> = {}) =>
  render(decorate(Who, { parameters: {}, ...context }))

describe('withAuth', () => {
  it('signs in every story as the preview says', () => {
    show(withAuth({ user: { userId: 'bob' } }))
    expect(screen.getByText('bob')).toBeTruthy()
  })

  it('shows a story in the state of its own parameters', () => {
    const signedOut = { auth: { state: { status: 'unauthenticated', reason: 'idle' } } } as const
    show(withAuth({ user: { userId: 'bob' } }), { parameters: signedOut })
    expect(screen.getByText('unauthenticated')).toBeTruthy()
  })

  it('gives the next story a session of its own', () => {
    const decorate = withAuth()
    const { rerender } = show(decorate, { id: 'a' })
    expect(screen.getByText('alice')).toBeTruthy()
    rerender(decorate(Who, { id: 'b', parameters: { auth: { user: { userId: 'carol' } } } }))
    expect(screen.getByText('carol')).toBeTruthy()
  })

  it('leaves a story alone that has its own provider', () => {
    expect(() => show(withAuth(), { parameters: { auth: false } })).toThrow('No <AuthProvider>')
  })
})
