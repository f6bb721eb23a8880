// Starts workers. If the app's files are on another origin, such as a CDN, the worker is a `data:` script that imports its file.

/** `create` contains the literal `new Worker(new URL('…', import.meta.url), { type: 'module' })` that bundlers look for. */
export function startWorker(create: () => Worker): Worker {
  try {
    return create()
  } catch (error) {
    const Real = Worker
    let args: ConstructorParameters<typeof Worker> | undefined
    // Bundlers replace the URL only inside `new Worker(…)`: this stub reads it there.
    globalThis.Worker = function capture(...received: typeof args & {}) {
      args = received
    } as never
    try {
      create()
    } finally {
      globalThis.Worker = Real
    }
    const [file = '', options] = args ?? []
    const { origin, href } = new URL(file, location.href)
    if (origin === location.origin) throw error
    const quoted = JSON.stringify(href)
    const text = options?.type === 'module' ? `import ${quoted}` : `importScripts(${quoted})`
    // Not `blob:`: the schema validator rejects the address of such a worker.
    return new Real(`data:text/javascript,${encodeURIComponent(text)}`, options)
  }
}
