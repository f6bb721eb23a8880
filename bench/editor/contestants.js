// Mounts one editor by name and gives the bench the same few handles on each of them.
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'

const until = (isDone) =>
  new Promise((resolve) => {
    const look = () => (isDone() ? resolve() : setTimeout(look, 4))
    look()
  })

const makers = {
  async latchkey(root) {
    const { JsonEditor } = await import('../../src/editor/index.ts')
    performance.mark('mount')
    const ref = { current: null }
    const tree = createRoot(root)
    tree.render(createElement(JsonEditor, { ref, label: 'Bench', height: 500 }))
    await until(() => root.querySelector('.lkje-area') !== null)
    performance.mark('typable')
    return {
      ready: until(() => root.querySelector('.lkje[data-surface=full]') !== null),
      length: () => ref.current.getValue().length,
      set: (text) => ref.current.setValue(text),
      focusEnd: () => ref.current.focus(),
      target: () => root.querySelector('.lkje-full [role=textbox]'),
      hasError: () => root.querySelector('.lkje-verdict[data-verdict=invalid]') !== null,
      unmount: () => tree.unmount(),
    }
  },
  async codemirror(root) {
    const [{ basicSetup, EditorView }, { json, jsonParseLinter }, { linter, lintGutter }] = await Promise.all(
      [import('codemirror'), import('@codemirror/lang-json'), import('@codemirror/lint')],
    )
    performance.mark('mount')
    const view = new EditorView({
      parent: root,
      extensions: [basicSetup, json(), linter(jsonParseLinter()), lintGutter()],
    })
    view.dom.style.height = '500px'
    performance.mark('typable')
    return {
      ready: Promise.resolve(),
      length: () => view.state.doc.length,
      set: (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
      focusEnd: () => view.focus(),
      target: () => view.contentDOM,
      hasError: () =>
        root.querySelector('.cm-lintRange-error, .cm-lintPoint-error, .cm-lint-marker-error') !== null,
      unmount: () => view.destroy(),
    }
  },
  async vanilla(root) {
    const { createJSONEditor, Mode } = await import('vanilla-jsoneditor')
    performance.mark('mount')
    const editor = createJSONEditor({ target: root, props: { mode: Mode.text, content: { text: '' } } })
    await until(() => root.querySelector('.cm-content') !== null)
    performance.mark('typable')
    return {
      ready: Promise.resolve(),
      length: () => editor.get().text?.length ?? 0,
      set(text) {
        editor.set({ text })
      },
      focusEnd() {
        editor.focus()
      },
      target: () => root.querySelector('.cm-content'),
      hasError: () => root.querySelector('.jse-message.jse-error') !== null,
      unmount: () => void editor.destroy(),
    }
  },
  async monaco(root) {
    const [{ Editor, loader }, monaco] = await Promise.all([
      import('@monaco-editor/react'),
      import('monaco-editor/editor'),
    ])
    await Promise.all([
      import('monaco-editor/features/register.all'),
      import('monaco-editor/languages/features/json/register'),
    ])
    globalThis.MonacoEnvironment = {
      getWorker: (_id, label) =>
        label === 'json'
          ? new Worker(new URL('../../src/editor/monaco/json.worker.ts', import.meta.url), { type: 'module' })
          : new Worker(new URL('../../src/editor/monaco/editor.worker.ts', import.meta.url), {
              type: 'module',
            }),
    }
    loader.config({ monaco })
    performance.mark('mount')
    const tree = createRoot(root)
    let shown

    tree.render(
      createElement(Editor, {
        height: 500,
        defaultLanguage: 'json',
        onMount: (editor) => (shown = editor),
      }),
    )
    await until(() => shown !== undefined)
    performance.mark('typable')
    return {
      ready: Promise.resolve(),
      length: () => shown.getModel().getValueLength(),
      set: (text) => shown.setValue(text),
      focusEnd: () => shown.focus(),
      target: () => root.querySelector('[role=textbox], textarea'),
      hasError: () =>
        root.querySelector('.squiggly-error') !== null || monaco.editor.getModelMarkers({}).length > 0,
      unmount: () => tree.unmount(),
    }
  },
  textarea(root) {
    performance.mark('mount')
    const area = document.createElement('textarea')
    const says = document.createElement('p')
    area.style.cssText = 'width:100%;height:500px'
    root.append(area, says)
    let timer = 0
    area.addEventListener('input', () => {
      clearTimeout(timer)
      timer = window.setTimeout(() => {
        try {
          JSON.parse(area.value)
          says.textContent = ''
        } catch (error) {
          says.textContent = String(error)
        }
      }, 166)
    })
    performance.mark('typable')
    return {
      ready: Promise.resolve(),
      length: () => area.value.length,
      set(text) {
        area.value = text
      },
      focusEnd: () => area.focus(),
      target: () => area,
      hasError: () => says.textContent !== '',
      unmount: () => root.replaceChildren(),
    }
  },
}

window.makeText = (length) => {
  const row = '  {"id": 12345, "name": "user name", "tags": ["a", "b"], "ok": true, "n": 1.25},\n'
  return `[\n${row.repeat(Math.floor(length / row.length))}  {}\n]`
}
window.mount = async (name) => {
  window.contestant = await makers[name](document.querySelector('#root'))
}
window.longest = 0
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.longest = Math.max(window.longest, entry.duration)
}).observe({ entryTypes: ['longtask'] })
