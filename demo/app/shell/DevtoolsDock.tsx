// The query devtools, docked below the app: every call of the session shows there, without its secrets.
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Icon } from '../parts/Icon.tsx'
import { useTheme } from '../theme.ts'

const Panel = lazy(async () => {
  const { ReactQueryDevtoolsPanel } = await import('@tanstack/react-query-devtools')
  return { default: ReactQueryDevtoolsPanel }
})

export function DevtoolsDock() {
  const [isOpen, setOpen] = useState(false)
  const client = useQueryClient()
  const theme = useTheme()
  return (
    <section className="dock" aria-label="Query devtools">
      <button type="button" className="dock-handle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name="tools" size={16} />
        Query devtools
        <span className={isOpen ? 'turned' : ''}>
          <Icon name="chevron" size={16} />
        </span>
      </button>
      {isOpen && (
        <div className="dock-panel" data-third-party>
          <Suspense fallback={<p className="soft">Loading…</p>}>
            <Panel client={client} theme={theme} style={{ height: '100%' }} onClose={() => setOpen(false)} />
          </Suspense>
        </div>
      )}
    </section>
  )
}
