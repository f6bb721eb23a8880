// Loads a file on first use; afterwards it is available synchronously, such as for the page's second editor.

const RETRY_AFTER_MS = 500

/** Tries twice (a deployment, a bad network), then once under a new URL: some browsers cache a failed module. */
async function loadWithRetries<Exports>(load: () => Promise<Exports>): Promise<Exports> {
  const loaded = await load().catch(() => {})
  if (loaded) return loaded
  await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS))
  try {
    return await load()
  } catch (error) {
    const address = /https?:\/\/\S+/.exec(error instanceof Error ? error.message : '')?.[0]
    if (!address || new URL(address).origin !== location.origin) throw error
    const again = new URL(address)
    again.searchParams.set('again', String(Date.now()))
    return (await import(/* @vite-ignore */ /* webpackIgnore: true */ again.href)) as Exports
  }
}

export function createLaterFile<Exports extends object>(load: () => Promise<Exports>) {
  let arrived: Exports | undefined
  return {
    /** The exports, once loaded. */
    arrived: (): Exports | undefined => arrived,
    load: async (): Promise<Exports> => (arrived ??= await loadWithRetries(load)),
  }
}
