// The editor's CSS as constructed stylesheets: no CSS file to import, and no CSP can block them.

/** The layout at the first paint; colours are the page's until the tools load. */
export const SHELL_CSS = `.lkje{display:flex;flex-direction:column;gap:6px;min-width:0;box-sizing:border-box;font-size:.875em;line-height:1.45}
.lkje *{box-sizing:border-box}
label:where(.lkje-label){font-weight:600}
div:where(.lkje-frame){display:flex;flex-direction:column;flex:1 1 auto;min-width:0;overflow:hidden;border:1px solid var(--lkje-line,GrayText);border-radius:calc(var(--latchkey-radius,10px)*.6);background:var(--lkje-bg,transparent)}
div:where(.lkje-frame:focus-within){outline:2px solid var(--latchkey-accent,var(--lkje-focus,Highlight));outline-offset:-1px}
.lkje-bar{container-type:inline-size;position:relative;z-index:2;min-height:33px;border-bottom:1px solid var(--lkje-faint,GrayText)}
.lkje-bar>div{min-height:32px}
.lkje-place{margin:0 10px;background:repeating-linear-gradient(90deg,currentColor 0 44px,#0000 0 60px) 0/224px 7px no-repeat;opacity:.16}
@container(max-width:600px){.lkje-bar>div{min-height:50px}}
.lkje-box{position:relative;direction:ltr;min-height:72px;flex:1 1 auto;min-width:0}
.lkje-area{display:block;width:100%;height:100%;min-height:inherit;margin:0;padding:0 12px;border:0;outline:0;resize:none;background:transparent;color:inherit;font:.93em/1.46 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;tab-size:2;white-space:pre;overflow:auto}
.lkje[data-gutter=true] .lkje-area{padding-left:50px;padding-left:calc(26px + round(3ch,1px))}
.lkje[data-auto=true] .lkje-area{field-sizing:content;max-height:inherit}
.lkje-below{display:flex;flex-direction:column;gap:6px;flex:none;min-width:0}
.lkje-note,.lkje-status{display:flex;flex-wrap:wrap;gap:2px 12px;font-size:13px;align-items:center;min-height:20px}
`

/** The CSS text of each of the editor's sheets. */
const looks = new WeakMap<CSSStyleSheet, string>()

/** Adds one of the editor's stylesheets to the document (or shadow root) of `element`, once. */
export function adoptStyle(element: Node, css: string = SHELL_CSS): void {
  const root = element.getRootNode() as Document | ShadowRoot
  // A simulated DOM or an old browser: readable without styles.
  if (!('adoptedStyleSheets' in root)) return
  if (root.adoptedStyleSheets.some((sheet) => looks.get(sheet) === css)) return
  // A sheet must come from the element's own window: a pop-up or a frame has another one.
  const sheet = new (element.ownerDocument!.defaultView as Window & typeof globalThis).CSSStyleSheet()
  looks.set(sheet, css)
  sheet.replaceSync(css)
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
}
