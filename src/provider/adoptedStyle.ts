// Adds a constructed style sheet to the page: no CSS file to import, and allowed by every CSP.

/** Adds the sheet to the document or shadow root of `element`. Returns its removal. */
export function adoptStyle(element: Element, css: string): () => void {
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
