// An eager provider: the server renders public content, and hydration begins with the same, whatever has happened meanwhile.
import { QueryClient } from '@tanstack/react-query'
import { act, screen } from '@testing-library/react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { expect, it } from 'vitest'
import { useAuth } from '../../../src/hooks/useAuth.ts'
import { Authenticated } from '../../../src/provider/Authenticated.tsx'
import { AuthProvider } from '../../../src/provider/AuthProvider.tsx'
import { createAuth } from '../../../src/session/createAuth.ts'
import { createScene, CONFIG } from '../../node/session/sessionScene.ts'
import { AuthToaster } from '../../../src/toaster/AuthToaster.tsx'
import { notify } from '../../../src/toaster/notify.ts'
import { renderApp } from '../appScene.tsx'

const Status = () => <p>public, {useAuth().status}</p>
const app = (auth: ReturnType<typeof createAuth>) => (
  <AuthProvider auth={auth} queryClient={new QueryClient()} eager>
    <Status />
    <Authenticated fallback={<p>one moment</p>}>
      <p>private</p>
    </Authenticated>
  </AuthProvider>
)

it('renders public content on the server, and hydrates it without a mismatch though the user is signed in by then', async () => {
  const html = renderToString(app(createAuth(CONFIG)))
  expect(html).toContain('initializing')
  expect(html).toContain('one moment')
  expect(html).not.toContain('private')

  const { auth, host } = createScene()
  void auth.start()
  await host.settle()
  expect(auth.getState().status).toBe('authenticated')
  const container = document.createElement('div')
  document.body.append(container)
  container.innerHTML = html
  const faults: unknown[] = []
  const root = await act(async () =>
    hydrateRoot(container, app(auth), { onRecoverableError: (error) => faults.push(error) }),
  )
  expect(faults).toEqual([])
  expect(container.textContent).toBe('public, authenticatedprivate')
  await act(async () => root.unmount())
  container.remove()
})

it('puts the toasts where the app wants them', async () => {
  const scene = renderApp(<AuthToaster position="top-right" />)
  act(() => void notify.info('Saved.'))
  await scene.settle()
  expect(screen.getByLabelText('Notifications').dataset['position']).toBe('top-right')
})
