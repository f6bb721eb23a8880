// Loads the parts that come later, and tries again where a deploy or a bad network was in the way.

const RETRY_AFTER_MS = 500

const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

/** Tries twice; some browsers remember a failed module, so the second try asks for it under another address. */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load()
  } catch {
    await wait(RETRY_AFTER_MS)
    try {
      return await load()
    } catch (error) {
      const address = /https?:\/\/\S+/.exec(error instanceof Error ? error.message : '')?.[0]
      if (!address || new URL(address).origin !== location.origin) throw error
      const again = new URL(address)
      again.searchParams.set('again', String(Date.now()))
      return (await import(/* @vite-ignore */ /* webpackIgnore: true */ again.href)) as Part
    }
  }
}

/** Resolves when the browser has nothing better to do: the first keystroke goes first. */
export function whenIdle(timeout = 300): Promise<void> {
  return new Promise((resolve) => {
    if (typeof requestIdleCallback === 'function') requestIdleCallback(() => resolve(), { timeout })
    else setTimeout(resolve, 1)
  })
}

/**
 * What the page's CSP would have to say for the full editor; nothing when it may come. Without style attributes its lines lie
 * on each other, without style elements they have no colours, and it writes HTML and starts workers without trusted types.
 */
export function findMissingPermission(): string | undefined {
  const probe = document.createElement('div')
  try {
    probe.innerHTML = '<i style="top:1px"></i>'
  } catch {
    return "no require-trusted-types-for 'script'"
  }
  const style = document.createElement('style')
  // An empty one is let pass.
  style.textContent = 'lkje-probe{top:0}'
  document.head.append(style)
  const allowsElements = style.sheet !== null
  style.remove()
  const allowsAttributes = (probe.firstElementChild as HTMLElement | null)?.style.top === '1px'
  return allowsElements && allowsAttributes ? undefined : "style-src 'unsafe-inline'"
}
