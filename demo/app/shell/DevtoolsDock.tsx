// The devtools, docked below the app: the session, and beside it every call as the query devtools show it, without its secrets.
import { useQueryClient } from '@tanstack/react-query'
import { LatchkeyDevtoolsPanel } from 'latchkey/devtools'
import { lazy, Suspense, useRef, useState } from 'react'
import { appConfig } from 'virtual:app-config'
import { auth } from '../auth.ts'
import { Icon } from '../parts/Icon.tsx'

const QueryPanel = lazy(async () => {
  const { ReactQueryDevtoolsPanel } = await import('@tanstack/react-query-devtools')
  return { default: ReactQueryDevtoolsPanel }
})

const TOOLS = [
  ['latchkey', 'Session devtools'],
  ['query', 'Query devtools'],
] as const

export function DevtoolsDock() {
  const [open, setOpen] = useState<(typeof TOOLS)[number][0] | undefined>(
    appConfig.opensDevtools ? 'latchkey' : undefined,
  )
  const client = useQueryClient()
  const section = useRef<HTMLElement>(null)
  // The button that closes is gone then: the keyboard goes on where the tool is opened.
  const close = () => {
    section.current?.querySelector<HTMLElement>('[aria-expanded=true]')?.focus()
    setOpen(undefined)
  }
  return (
    <section ref={section} className="dock" aria-label="Devtools">
      <div className="dock-handles">
        {TOOLS.map(([name, title]) => (
          <button
            key={name}
            type="button"
            className="dock-handle"
            aria-expanded={open === name}
            onClick={() => setOpen(open === name ? undefined : name)}
          >
            <Icon name="tools" size={16} />
            {title}
            <span className={open === name ? 'turned' : ''}>
              <Icon name="chevron" size={16} />
            </span>
          </button>
        ))}
      </div>
      {open === 'latchkey' && (
        <div className="dock-panel">
          <LatchkeyDevtoolsPanel auth={auth} onClose={close} />
        </div>
      )}
      {open === 'query' && (
        <div className="dock-panel" data-third-party>
          <Suspense fallback={<p className="soft">Loading…</p>}>
            <QueryPanel client={client} theme="system" style={{ height: '100%' }} onClose={close} />
          </Suspense>
        </div>
      )}
    </section>
  )
}
