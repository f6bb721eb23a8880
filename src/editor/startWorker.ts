// Starts workers, also where the app's files come from another origin, such as a CDN: browsers take those only from within a file of the page.

/** `create` names the file itself, as bundlers want it: `new Worker(new URL('…', import.meta.url), { type: 'module' })`. */
export function startWorker(create: () => Worker): Worker {
  try {
    return create()
  } catch (error) {
    const Real = Worker
    let given: ConstructorParameters<typeof Worker> | undefined
    // Only to a worker that is created does a bundler say which address the file has got.
    globalThis.Worker = function take(...told: typeof given & {}) {
      given = told
    } as never
    try {
      create()
    } finally {
      globalThis.Worker = Real
    }
    const [file = '', options] = given ?? []
    const { origin, href } = new URL(file, location.href)
    if (origin === location.origin) throw error
    const quoted = JSON.stringify(href)
    const text = options?.type === 'module' ? `import ${quoted}` : `importScripts(${quoted})`
    // No `blob:`: in such a worker the validator takes its address for a broken one.
    return new Real(`data:text/javascript,${encodeURIComponent(text)}`, options)
  }
}
