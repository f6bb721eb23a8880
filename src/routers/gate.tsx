'use client'
// Creates the components of guarded routes: for signed-in users, and only with loader data of the current user.
import {
  type ComponentType,
  type ReactNode,
  startTransition,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react'
import { AuthError } from '../base/errors.ts'
import { Authenticated, type AuthenticatedProps } from '../provider/Authenticated.tsx'
import { useAuthObject } from '../provider/context.ts'
import { connectionOf, UNCONNECTED } from './connection.ts'

/** The screens of a guarded route, and its content. */
export interface GateProps extends Omit<AuthenticatedProps, 'children' | 'login'> {
  /** `Outlet` of the router, or a layout with an `<Outlet />` in it. */
  Outlet: ComponentType
  /** Shown while loaders run for another user. Default: nothing. */
  pending?: ReactNode
}

type Shown = Omit<GateProps, 'pending' | 'Outlet'>

/** A component of the router, shown to signed-in users only. */
export const gate =
  (shown: Shown, content: ReactNode): (() => ReactNode) =>
  () => <Authenticated {...shown}>{content}</Authenticated>

/** The same, but empty while loaders run: the router then shows another component, with its own gate. */
export function gateUnlessLoading(shown: Shown, Content: ComponentType): () => ReactNode {
  const Gate = gate(shown, <Content />)
  return () => (
    <Loaded pending={shown.fallback}>
      <Gate />
    </Loaded>
  )
}

/** A component of the router, shown to signed-in users only, and to them while nothing is loading. */
export const gateOfLoaded = (
  { pending, ...shown }: Omit<GateProps, 'Outlet'>,
  Content: ComponentType,
  isErrorScreen = false,
): (() => ReactNode) =>
  gate(
    shown,
    <Loaded pending={pending} isErrorScreen={isErrorScreen}>
      <Content />
    </Loaded>,
  )

interface LoadedProps {
  /** Shown while loaders run for another user. */
  pending: ReactNode
  children: ReactNode
  /** Whether the content is the screen for an error, which may be that no router is connected. */
  isErrorScreen?: boolean
}

function Loaded({ pending = null, children, isErrorScreen = false }: LoadedProps): ReactNode {
  const connection = connectionOf(useAuthObject()) ?? (isErrorScreen ? UNCONNECTED : undefined)
  if (!connection)
    throw new AuthError('invalid-config', 'No router is connected with the auth object of the provider', {
      remedy: 'Call connectRouter(router, auth) with the auth object that <AuthProvider> has.',
    })
  const { subscribe, wanted, loaded } = connection
  const wantedNow = useSyncExternalStore(subscribe, wanted, wanted)
  const [loadedNow, setLoadedNow] = useState(loaded)
  // A router shows loaded data in a transition: this update comes in the same one, or later.
  useEffect(() => {
    const look = () => startTransition(() => setLoadedNow(loaded()))
    look()
    return subscribe(look)
  }, [subscribe, loaded])
  return loadedNow === wantedNow ? children : pending
}
