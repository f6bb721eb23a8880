'use client'
// A decorator for Storybook: every story has a session, in the state that its parameters say.
import type { ComponentType, ReactElement } from 'react'
import { TestAuthProvider, type TestAuthProviderProps } from './TestAuthProvider.tsx'

/** Session parameters of a story, its component or the preview. */
export type StoryAuth = Omit<TestAuthProviderProps, 'children'>

/** The used part of a story's context. */
export interface StoryContext {
  /** The id of the story: another story has another session. */
  readonly id?: string | undefined
  /** `auth` overrides options of the decorator; `false`: no session around this story. */
  readonly parameters: { readonly auth?: StoryAuth | false | undefined }
}

/** A decorator of Storybook for React. */
export type AuthDecorator = (Story: ComponentType, context: StoryContext) => ReactElement

/**
 * Puts a `TestAuthProvider` around every story. One line in the preview is enough; a story in another state says so in its
 * parameters.
 *
 * @param options the options of `TestAuthProvider` for all stories
 * @example
 * // .storybook/preview.tsx
 * export default { decorators: [withAuth({ user: { userId: 'bob' } })] }
 *
 * // Desk.stories.tsx
 * export const SignedOut = { parameters: { auth: { state: { status: 'unauthenticated', reason: 'idle' } } } }
 */
export function withAuth(options: StoryAuth = {}): AuthDecorator {
  return function WithAuth(Story, { id, parameters: { auth } }) {
    if (auth === false) return <Story />
    const props = { ...options, ...auth } as TestAuthProviderProps
    return (
      <TestAuthProvider key={id} {...props}>
        <Story />
      </TestAuthProvider>
    )
  }
}
