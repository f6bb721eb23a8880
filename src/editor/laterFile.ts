// A file that comes when it is first used, and is at hand at once for the next editor of the page.

const RETRY_AFTER_MS = 500

/** Tries twice, for a deploy or a bad network may be in the way; then once more under another address, for some browsers remember a failed module. */
async function loadPatiently<Exports>(load: () => Promise<Exports>): Promise<Exports> {
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
    /** Its exports, once they have come. */
    arrived: (): Exports | undefined => arrived,
    load: async (): Promise<Exports> => (arrived ??= await loadPatiently(load)),
  }
}
