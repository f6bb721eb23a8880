'use client'
// Provides a session in any state without a server, for tests and stories of an app's components; as a decorator for Storybook too.
import { QueryClient, QueryClientContext, QueryClientProvider } from '@tanstack/react-query'
import {
  type ComponentType,
  type ReactElement,
  type ReactNode,
  useContext,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { AuthProvider, type AuthProviderProps } from '../provider/AuthProvider.tsx'
import { createTestAuth, type TestAuth, type TestAuthOptions } from './testAuth.ts'

/** Props of `TestAuthProvider`: your own test auth, or the options for one. */
export type TestAuthProviderProps = Pick<
  AuthProviderProps,
  'children' | 'fallback' | 'eager' | 'messages' | 'queryClient'
> &
  (
    | ({
        /** The test auth of `createTestAuth`, which the test reads and changes. Default: a new one. */
        auth: TestAuth
      } & { [Name in keyof TestAuthOptions]?: undefined })
    | ({ auth?: undefined } & TestAuthOptions)
  )

/**
 * Provides a session in any state, and a QueryClient where there is none. Changes of `state` and `user` are applied; all other props are read once.
 *
 * @example
 * <TestAuthProvider state={{ status: 'unauthenticated', reason: 'session-clash' }}>
 *   <App />
 * </TestAuthProvider>
 */
export function TestAuthProvider(props: TestAuthProviderProps): ReactNode {
  const { children, fallback, eager, messages, queryClient, auth: givenAuth, ...options } = props
  const [ownAuth] = useState(() => givenAuth ?? createTestAuth(options))
  const auth = givenAuth ?? ownAuth
  const nearest = useContext(QueryClientContext)
  const [ownClient] = useState(() => new QueryClient())

  const { state = { status: 'authenticated', user: options.user } } = options
  // Compared by content: a story passes a new object on every render.
  const wanted = JSON.stringify(state)
  const shown = useRef(wanted)
  useLayoutEffect(() => {
    if (givenAuth || shown.current === wanted) return
    shown.current = wanted
    auth.setState(state)
  }, [auth, givenAuth, state, wanted])

  return (
    <QueryClientProvider client={queryClient ?? nearest ?? ownClient}>
      <AuthProvider auth={auth} fallback={fallback} eager={eager} messages={messages}>
        {children}
      </AuthProvider>
    </QueryClientProvider>
  )
}

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
