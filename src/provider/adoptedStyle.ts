// The look of latchkey's own screens and buttons, as a constructed style sheet: no CSS file to import, and allowed by every CSP.

/**
 * Screens, dialog, buttons, and the app's name and mark. A rule is as strong as one for an element: those of the app that name a class
 * win, and what resets all elements does not. System colours follow the color-scheme of the page; older browsers ignore `light-dark()`.
 */
const OWN_CSS = `
span:where(.latchkey-brand){display:flex;gap:10px;align-items:center;margin:0 0 20px;font-weight:600}
button:where(.latchkey-button){box-sizing:border-box;min-height:36px;margin:0;padding:6px 16px;border:1px solid color-mix(in srgb,CanvasText 55%,Canvas);border-radius:calc(var(--latchkey-radius,10px)*.6);background:none;color:inherit;font:inherit;font-weight:600;cursor:pointer}
button:where(.latchkey-button:hover){background:color-mix(in srgb,CanvasText 12%,Canvas)}
button:where(.latchkey-main){border-color:var(--latchkey-accent,CanvasText);background:var(--latchkey-accent,CanvasText);color:var(--latchkey-on-accent,Canvas)}
button:where(.latchkey-main:hover){background:color-mix(in srgb,var(--latchkey-accent,CanvasText) 85%,Canvas)}
button:where(.latchkey-button,.latchkey-toast-close):where(:focus-visible){outline:2px solid var(--latchkey-accent,CanvasText);outline-offset:2px}
div:where(.latchkey-gate),dialog:where(.latchkey-dialog){box-sizing:border-box;width:min(30rem,calc(100% - 32px));max-width:none;padding:clamp(20px,6vw,32px);border:1px solid color-mix(in srgb,CanvasText 22%,Canvas);border-radius:var(--latchkey-radius,10px);background:Canvas;background:light-dark(Canvas,color-mix(in srgb,CanvasText 6%,Canvas));color:CanvasText;box-shadow:0 16px 40px -24px #0009;font:16px/1.5 var(--latchkey-font,system-ui,sans-serif);overflow-wrap:anywhere}
div:where(.latchkey-gate){margin:clamp(16px,12vh,8rem) auto}
dialog:where(.latchkey-dialog){margin:auto;width:min(26rem,calc(100% - 32px));pointer-events:auto}
dialog:where(.latchkey-dialog)::backdrop{background:#0009}
h1:where(.latchkey-gate h1),h2:where(.latchkey-dialog>h2){margin:0 0 12px;font:600 22px/1.3 var(--latchkey-font,system-ui,sans-serif);letter-spacing:-.01em;text-wrap:balance}
p:where(.latchkey-gate p,.latchkey-dialog>p){margin:0 0 16px}
p:where(.latchkey-gate .latchkey-problem){padding:10px 14px;border:1px solid color-mix(in srgb,#d93025 35%,Canvas);border-radius:calc(var(--latchkey-radius,10px)*.6);background:color-mix(in srgb,#d93025 10%,Canvas);font-weight:600}
div:where(.latchkey-dialog>div){display:flex;flex-wrap:wrap;gap:8px}
details:where(.latchkey-gate details){margin:24px 0 0;padding:16px 0 0;border-top:1px solid color-mix(in srgb,CanvasText 22%,Canvas);font-size:14px}
summary:where(.latchkey-gate summary){cursor:pointer}
p:where(.latchkey-gate details p){margin:8px 0 0}
:where(.latchkey-gate>div>:last-child){margin-bottom:0}
@media(max-width:30rem){button:where(.latchkey-gate .latchkey-main){width:100%;min-height:44px}}
`

/** Adds the own style, and that of a part, to the document or shadow root of `element`. Returns the removal. */
export function adoptStyle(element: Element, ofPart = ''): () => void {
  const root = element.getRootNode() as Document | ShadowRoot
  // A simulated DOM without style sheets.
  if (!('adoptedStyleSheets' in root)) return () => {}
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(OWN_CSS + ofPart)
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
  return () => {
    root.adoptedStyleSheets = root.adoptedStyleSheets.filter((other) => other !== sheet)
  }
}
