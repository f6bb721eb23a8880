// The devtools of the session while nobody is signed in; inside the app they stand in the dock.
import { LatchkeyDevtools } from 'latchkey/devtools'
import { useSyncExternalStore } from 'react'
import { auth } from '../auth.ts'

export function GateDevtools() {
  const status = useSyncExternalStore(auth.subscribe, () => auth.getState().status)
  if (status === 'authenticated') return null
  return (
    <div className={status === 'initializing' ? 'after-a-while' : 'gate-devtools'}>
      <LatchkeyDevtools auth={auth} />
    </div>
  )
}
