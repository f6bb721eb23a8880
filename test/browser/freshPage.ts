// A frame with a separate module graph, like a page that has just loaded: test files of a run share one page.
import { expect, onTestFinished } from 'vitest'

/** Loads a module in a new frame and waits until it has left its exports on the frame's window as `page`. */
export async function openFreshPage<Exports>(path: string, { policy = '' } = {}) {
  const frame = document.createElement('iframe')
  const meta = policy === '' ? '' : `<meta http-equiv="Content-Security-Policy" content="${policy}">`
  frame.srcdoc = `<!doctype html>${meta}<body><div id="root"></div><script type="module" src="${path}"></script>`
  frame.style.cssText = 'width: 800px; height: 600px'
  document.body.append(frame)
  onTestFinished(() => frame.remove())
  const read = (): Exports | undefined => Reflect.get(frame.contentWindow ?? {}, 'page')
  await expect.poll(read, { timeout: 20_000 }).toBeDefined()
  return { frame, window: frame.contentWindow!, document: frame.contentDocument!, page: read()! }
}
