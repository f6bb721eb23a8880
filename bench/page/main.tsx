// The measured page: the provider and a hundred components that use the session, as an app would write them.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { AuthProvider, createAuth, useAuth } from 'latchkey'
import { memo, useEffect } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { appConfig } from 'virtual:app-config'
import './benchPage.ts'

const scriptStarted = { atMs: performance.now(), paints: window.instruments.paints }
const READERS = Array.from({ length: 100 }, (_, index) => index)

const auth = createAuth({ ...appConfig.auth, authHost: appConfig.auth.authHost ?? '' })
const queryClient = new QueryClient()
const renders = READERS.map(() => 0)
let root: Root | undefined
let signedInAtMs: number | undefined

const Reader = memo(({ index }: { index: number }) => {
  const state = useAuth()
  // After every render, whatever caused it.
  useEffect(() => {
    renders[index] = (renders[index] ?? 0) + 1
  })
  return <li>{state.status === 'authenticated' ? state.user.userId : state.status}</li>
})

function tell() {
  const { status } = auth.getState()
  document.documentElement.dataset['status'] = status
  if (status === 'authenticated') signedInAtMs ??= performance.now()
}

window.bench = {
  auth,
  scriptStarted,
  get signedInAtMs() {
    return signedInAtMs
  },
  renders,
  mount() {
    root = createRoot(document.querySelector('#root')!)
    root.render(
      <QueryClientProvider client={queryClient}>
        <AuthProvider auth={auth}>
          <ul>
            {READERS.map((index) => (
              <Reader key={index} index={index} />
            ))}
          </ul>
        </AuthProvider>
      </QueryClientProvider>,
    )
  },
  unmount() {
    root?.unmount()
  },
  async raiseToastStorm(count) {
    // Apart, so that the other measurements load what an app without toasts loads.
    const storm = await import('./toastStorm.tsx')
    return storm.raiseToastStorm(count)
  },
}

auth.subscribe(tell)
tell()
window.bench.mount()
