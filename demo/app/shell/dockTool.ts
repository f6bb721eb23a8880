// Which of the docked devtools is open; others than the dock may open one.
import { useSyncExternalStore } from 'react'

export type DockTool = 'latchkey' | 'query' | undefined

const dock: { open: DockTool; listeners: Set<() => void> } = { open: undefined, listeners: new Set() }

export function openDockTool(tool: DockTool): void {
  dock.open = tool
  for (const listener of dock.listeners) listener()
}

export function useDockTool(): DockTool {
  return useSyncExternalStore(listen, () => dock.open)
}

function listen(onChange: () => void): () => void {
  dock.listeners.add(onChange)
  return () => dock.listeners.delete(onChange)
}
