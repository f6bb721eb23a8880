// The first editor of a page, with its number of renders so far.
import { Profiler } from 'react'
import { createRoot } from 'react-dom/client'
import { flushSync } from 'react-dom'
import { JsonEditor } from '../../src/editor/index.ts'

const phases: string[] = []
flushSync(() =>
  createRoot(document.querySelector('#root')!).render(
    <Profiler id="editor" onRender={(_id, phase) => phases.push(phase)}>
      <JsonEditor label="Map" defaultValue="[1]" />
    </Profiler>,
  ),
)
const page = { phasesWhenShown: [...phases] }
export type FirstEditorPage = typeof page
Object.assign(window, { page })
