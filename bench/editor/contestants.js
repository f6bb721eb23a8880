// Mounts one editor by name, each from its own chunk, with the same handles for the bench.
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'

const until = (isDone) =>
  new Promise((resolve) => {
    const look = () => (isDone() ? resolve() : setTimeout(look, 2))
    look()
  })

/** After the next frame has been painted. */
const painted = () =>
  new Promise((resolve) => {
    requestAnimationFrame(() => {
      const channel = new MessageChannel()
      channel.port1.addEventListener('message', () => resolve())
      channel.port1.start()
      channel.port2.postMessage(0)
    })
  })

/** The schema of the rows of `makeText`; the number in the last row may have only one digit. */
const SCHEMA = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      id: { type: 'integer', minimum: 1 },
      name: { type: 'string', minLength: 1 },
      tags: { type: 'array', items: { type: 'string' } },
      ok: { type: 'boolean' },
      n: { type: 'number', maximum: 9 },
    },
    additionalProperties: false,
  },
}

async function mountLatchkey(root, props) {
  const { JsonEditor } = await import('../../src/editor/index.ts')
  const ref = { current: null }
  const tree = createRoot(root)
  tree.render(createElement(JsonEditor, { ref, label: 'Bench', height: 500, ...props }))
  await until(() => root.querySelector('.lkje-area') !== null)
  const says = (verdict) => root.querySelector(`.lkje-verdict[data-verdict=${verdict}]`) !== null
  return {
    ready: until(() => root.querySelector('.lkje[data-surface=full]') !== null),
    text: () => ref.current.getValue(),
    length: () => ref.current.getValue().length,
    set: (text) => ref.current.setValue(text),
    focus: () => ref.current.focus(),
    target: () => root.querySelector('.lkje-full [role=textbox]'),
    hasError: () => says('invalid'),
    isRight: () => says('valid'),
    validate: () => ref.current.validate(),
    unmount: () => tree.unmount(),
  }
}

const makers = {
  latchkey: (root) => mountLatchkey(root, {}),
  // Not a contestant: the others do not support schemas.
  withSchema: (root) => mountLatchkey(root, { schema: SCHEMA }),
  async codemirror(root) {
    const { EditorView, extensions } = await import('./codemirror.js')
    const view = new EditorView({ parent: root, extensions: extensions() })
    view.dom.style.height = '500px'
    return {
      ready: Promise.resolve(),
      text: () => view.state.doc.toString(),
      length: () => view.state.doc.length,
      set: (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
      focus: () => view.focus(),
      target: () => view.contentDOM,
      hasError: () =>
        root.querySelector('.cm-lintRange-error, .cm-lintPoint-error, .cm-lint-marker-error') !== null,
    }
  },
  async vanilla(root) {
    const { createJSONEditor, Mode } = await import('vanilla-jsoneditor')
    const editor = createJSONEditor({ target: root, props: { mode: Mode.text, content: { text: '' } } })
    await until(() => root.querySelector('.cm-content') !== null)
    return {
      ready: Promise.resolve(),
      text: () => editor.get().text ?? '',
      length: () => editor.get().text?.length ?? 0,
      set: (text) => editor.set({ text }),
      focus: () => editor.focus(),
      target: () => root.querySelector('.cm-content'),
      hasError: () => root.querySelector('.jse-message.jse-error') !== null,
    }
  },
  async monaco(root) {
    const { Editor, monaco } = await import('./stockMonaco.js')
    const tree = createRoot(root)
    let shown
    tree.render(
      createElement(Editor, { height: 500, defaultLanguage: 'json', onMount: (editor) => (shown = editor) }),
    )
    await until(() => shown !== undefined)
    return {
      ready: Promise.resolve(),
      text: () => shown.getValue(),
      length: () => shown.getModel().getValueLength(),
      set: (text) => shown.setValue(text),
      focus: () => shown.focus(),
      target: () => root.querySelector('[role=textbox], textarea'),
      hasError: () => monaco.editor.getModelMarkers({}).length > 0,
    }
  },
  // Not a contestant: the minimum that a large text costs in Monaco, for comparison.
  async bareMonaco(root) {
    const { monaco } = await import('./stockMonaco.js')
    const box = document.createElement('div')
    box.style.height = '500px'
    root.append(box)
    const editor = monaco.editor.create(box, { language: 'plaintext', minimap: { enabled: false } })
    const paste = (event) => {
      event.preventDefault()
      event.stopPropagation()
      const before = editor.getModel()
      editor.setModel(monaco.editor.createModel(event.clipboardData.getData('text/plain'), 'plaintext'))
      before.dispose()
    }
    box.addEventListener('paste', paste, { capture: true })
    return {
      ready: Promise.resolve(),
      length: () => editor.getModel().getValueLength(),
      set: (text) => editor.setValue(text),
      focus: () => editor.focus(),
      target: () => box.querySelector('[role=textbox], textarea'),
      // It has no check: its result is the text.
      hasError: () => editor.getModel().getValueLength() > 2,
    }
  },
  async textarea(root) {
    const { TextArea } = await import('./textArea.js')
    const tree = createRoot(root)
    tree.render(createElement(TextArea))
    await until(() => root.querySelector('textarea') !== null)
    const area = root.querySelector('textarea')
    return {
      ready: Promise.resolve(),
      text: () => area.value,
      length: () => area.value.length,
      set(text) {
        area.value = text
        area.dispatchEvent(new InputEvent('input', { bubbles: true }))
      },
      focus: () => area.focus(),
      target: () => area,
      hasError: () => root.querySelector('p').textContent !== '',
    }
  },
}

window.painted = painted
window.makeText = (length) => {
  const row = '  {"id": 12345, "name": "user name", "tags": ["a", "b"], "ok": true, "n": 1.25},\n'
  const text = `[\n${row.repeat(Math.floor(length / row.length))}  {"n": 1}\n]`
  // Flattened, like a clipboard or a response: otherwise the engine would flatten the string in the editor's time.
  return new TextDecoder().decode(new TextEncoder().encode(text))
}
/** Time of JSON.parse and the validator alone for a text. */
window.checkAlone = async (text) => {
  const { Validator } = await import('@cfworker/json-schema')
  const validator = new Validator(SCHEMA, '2020-12', false)
  const start = performance.now()
  if (!validator.validate(JSON.parse(text)).valid) throw new Error('the text does not fit the schema')
  return performance.now() - start
}
/** Returns the time until a key could be typed, including loading the editor's files. */
window.mount = async (name) => {
  const start = performance.now()
  window.contestant = await makers[name](document.querySelector('#root'))
  const there = performance.now()
  await painted()
  const end = performance.now()
  // Work after the textbox is ready is not included.
  const files = performance
    .getEntriesByType('resource')
    .filter((file) => file.startTime >= start && file.responseEnd <= there)
  return { duration: end - start, files: files.map((file) => new URL(file.name).pathname) }
}
window.longest = 0
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.longest = Math.max(window.longest, entry.duration)
}).observe({ entryTypes: ['longtask'] })
window.isHarnessReady = true
