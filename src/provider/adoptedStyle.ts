// Adds a constructed style sheet to the page: no CSS file to import, and allowed by every CSP.

/**
 * The buttons of latchkey's own parts, and the app's name and mark above them. A rule of these sheets is as strong as one for an element: those of the app that name
 * a class win, and what resets all elements does not. Several parts have them: what one of them changes names a second element.
 */
export const BUTTON_CSS = `
span:where(.latchkey-brand){display:flex;gap:10px;align-items:center;margin:0 0 20px;font-weight:600}
button:where(.latchkey-button){box-sizing:border-box;min-height:36px;margin:0;padding:6px 16px;border:1px solid color-mix(in srgb,CanvasText 55%,Canvas);border-radius:calc(var(--latchkey-radius,10px)*.6);background:none;color:inherit;font:inherit;font-weight:600;cursor:pointer}
button:where(.latchkey-button:hover){background:color-mix(in srgb,CanvasText 12%,Canvas)}
button:where(.latchkey-main){border-color:var(--latchkey-accent,CanvasText);background:var(--latchkey-accent,CanvasText);color:var(--latchkey-on-accent,Canvas)}
button:where(.latchkey-main:hover){background:color-mix(in srgb,var(--latchkey-accent,CanvasText) 85%,Canvas)}
button:where(.latchkey-button,.latchkey-toast-close):where(:focus-visible){outline:2px solid var(--latchkey-accent,CanvasText);outline-offset:2px}
`

/**
 * Adds the rules as one sheet to the document or shadow root of `element`. Returns its removal. The parts come one by one: a bundler
 * keeps a text that is put together at the top of a file, also where nothing uses it.
 */
export function adoptStyle(element: Element, ...parts: readonly string[]): () => void {
  const css = parts.join('')
  const root = element.getRootNode() as Document | ShadowRoot
  if ('adoptedStyleSheets' in root && typeof CSSStyleSheet === 'function') {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
    return () => {
      root.adoptedStyleSheets = root.adoptedStyleSheets.filter((other) => other !== sheet)
    }
  }
  // Browsers from before 2023.
  const style = element.ownerDocument.createElement('style')
  style.textContent = css
  element.ownerDocument.head.append(style)
  return () => style.remove()
}
