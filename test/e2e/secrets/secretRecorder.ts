// Runs first in every page of the app and tells of what only passes by: writes to storages, messages, attributes, timeline.

/** Handed to the browser as a text: nothing outside it is there. */
export function recordInPage(apps: readonly string[]): void {
  if (!apps.includes(location.origin)) return
  const { __keepForScan: tell } = window as unknown as {
    __keepForScan(place: string, text: string): Promise<void>
  }
  const told = new Set<string>()
  const textOf = (value: unknown): string => {
    if (typeof value === 'string') return value
    try {
      return JSON.stringify(value, (_key, member: unknown) => {
        if (member instanceof Map || member instanceof Set) return [...member]
        if (member instanceof ArrayBuffer) return new TextDecoder().decode(member)
        return ArrayBuffer.isView(member) ? new TextDecoder().decode(member) : member
      })
    } catch {
      return String(value)
    }
  }
  const keep = (place: string, ...values: unknown[]) => {
    for (const text of values.map(textOf)) {
      if (typeof text !== 'string' || text.length < 6 || told.has(place + text)) continue
      told.add(place + text)
      void tell(place, text)
    }
  }
  /** Tells of every call of a method before it is made. */
  const watch = (owner: object, name: string, place: string | ((self: unknown) => string)) => {
    const usual = Reflect.get(owner, name) as (...args: unknown[]) => unknown
    Reflect.set(owner, name, function watched(this: unknown, ...args: unknown[]) {
      keep(typeof place === 'string' ? place : place(this), ...args)
      return Reflect.apply(usual, this, args)
    })
  }

  watch(
    Storage.prototype,
    'setItem',
    (self) => `writing to ${self === localStorage ? 'local' : 'session'} storage`,
  )
  for (const name of ['put', 'add']) watch(IDBObjectStore.prototype, name, 'writing to IndexedDB')
  for (const name of ['pushState', 'replaceState']) watch(History.prototype, name, 'writing to the history')
  watch(BroadcastChannel.prototype, 'postMessage', 'message between tabs')
  watch(MessagePort.prototype, 'postMessage', 'message to a port')
  watch(Worker.prototype, 'postMessage', 'message to a worker')
  const { Worker: Usual } = window
  window.Worker = class extends Usual {
    constructor(...args: ConstructorParameters<typeof Worker>) {
      super(...args)
      keep('address of a worker', String(args[0]))
      this.addEventListener('message', ({ data }) => keep('message of a worker', data))
    }
  }

  addEventListener('message', ({ data, source }) => {
    const isFrame = [...document.querySelectorAll('iframe')].some((frame) => frame.contentWindow === source)
    keep(isFrame ? 'message of the frame' : 'message of a window', data)
  })
  addEventListener('error', (event) => keep('errors', event.message, event.filename, event.error?.stack))
  addEventListener('unhandledrejection', ({ reason }) => keep('errors', String(reason), reason?.stack))
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      keep(entry.entryType === 'navigation' ? 'navigation entry' : 'performance timeline', entry.toJSON())
  }).observe({
    entryTypes: PerformanceObserver.supportedEntryTypes.filter((type) => type !== 'element'),
  })

  const keepAttributes = (element: Element) => {
    for (const { value } of element.attributes)
      keep(element.localName === 'iframe' ? 'attributes of the frame' : 'attributes', value)
  }
  new MutationObserver((changes) => {
    keep('title', document.title)
    for (const { target, addedNodes } of changes) {
      if (target instanceof Element) keepAttributes(target)
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue
        for (const one of [node, ...node.querySelectorAll('*')]) keepAttributes(one)
      }
    }
  }).observe(document, { attributes: true, childList: true, subtree: true })
}
