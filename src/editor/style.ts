// The editor's look as one constructed stylesheet: no CSS file to import, and no CSP that could refuse it.

export const SHELL_CSS = `.lkje{--lkje-bg:#fff;--lkje-fg:#1b1f24;--lkje-soft:#57606a;--lkje-line:#8c959f;--lkje-faint:#d0d7de;--lkje-bar:#f6f8fa;--lkje-focus:#0550ae;--lkje-error:#b3261e;--lkje-warning:#7a4d00;--lkje-good:#116329;color-scheme:light;color:var(--lkje-fg);font:14px/1.45 system-ui,sans-serif;display:flex;flex-direction:column;gap:6px;min-width:0;box-sizing:border-box}
.lkje[data-theme=dark]{--lkje-bg:#1e1e1e;--lkje-fg:#e6edf3;--lkje-soft:#a8b3bf;--lkje-line:#7d8590;--lkje-faint:#3d444d;--lkje-bar:#262a30;--lkje-focus:#6cb6ff;--lkje-error:#ff9b93;--lkje-warning:#f0b75e;--lkje-good:#6fdd8b;color-scheme:dark}
.lkje[data-theme=high-contrast]{--lkje-bg:#000;--lkje-fg:#fff;--lkje-soft:#fff;--lkje-line:#fff;--lkje-faint:#fff;--lkje-bar:#000;--lkje-focus:#f38518;--lkje-error:#ff9b93;--lkje-warning:#ffd602;--lkje-good:#7dff9b;color-scheme:dark}
.lkje *{box-sizing:border-box}
.lkje-label{font-weight:600;align-self:flex-start}
.lkje-required{color:var(--lkje-error)}
.lkje-frame{display:flex;flex-direction:column;border:1px solid var(--lkje-line);border-radius:6px;background:var(--lkje-bg);min-width:0;overflow:hidden;flex:1 1 auto}
.lkje-frame:focus-within{outline:2px solid var(--lkje-focus);outline-offset:-1px}
.lkje[data-invalid=true] .lkje-frame{border-color:var(--lkje-error)}
.lkje[data-drop=true] .lkje-frame{outline:2px dashed var(--lkje-focus);outline-offset:-4px}
.lkje-box{position:relative;min-height:72px;flex:1 1 auto;min-width:0}
.lkje-area{display:block;width:100%;height:100%;min-height:inherit;margin:0;padding:0 12px 0 12px;border:0;outline:0;resize:none;background:transparent;color:inherit;font:13px/19px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;tab-size:2;white-space:pre;overflow:auto}
.lkje[data-wrapped=true] .lkje-area{white-space:pre-wrap;overflow-wrap:anywhere}
.lkje[data-auto=true] .lkje-area{field-sizing:content}
.lkje[data-disabled=true] .lkje-full,.lkje[data-disabled=true] .lkje-area{opacity:.65}
.lkje-full{position:absolute;inset:0;visibility:hidden}
.lkje[data-surface=full] .lkje-full{visibility:visible}
.lkje[data-surface=full] .lkje-area{position:absolute;left:0;bottom:0;width:1px;height:1px;min-height:0;padding:0;opacity:0;pointer-events:none;overflow:hidden}
.lkje-note{display:flex;flex-wrap:wrap;gap:4px 8px;align-items:center;padding:4px 8px;border-top:1px solid var(--lkje-faint);background:var(--lkje-bar);color:var(--lkje-soft);font-size:13px}
.lkje-status{display:flex;flex-wrap:wrap;gap:2px 12px;min-height:20px;font-size:13px;color:var(--lkje-soft)}
.lkje-bar{min-height:33px;border-bottom:1px solid var(--lkje-faint);background:var(--lkje-bar)}
.lkje button{font:inherit;font-size:13px;line-height:18px;color:inherit;background:transparent;border:1px solid transparent;border-radius:4px;padding:3px 7px;margin:0;cursor:pointer;min-height:26px}
.lkje button:hover:not([aria-disabled=true]){background:var(--lkje-faint)}
.lkje button:focus-visible{outline:2px solid var(--lkje-focus);outline-offset:-2px}
.lkje button[aria-disabled=true]{color:var(--lkje-soft);opacity:.6;cursor:default}
.lkje button[aria-pressed=true]{border-color:var(--lkje-line);background:var(--lkje-faint)}
.lkje .lkje-plain{border-color:var(--lkje-line)}
@media(prefers-reduced-motion:no-preference){.lkje-frame{transition:border-color .12s}}
@media(forced-colors:active){.lkje-frame{forced-color-adjust:auto}.lkje button[aria-pressed=true]{border-color:Highlight}}
`

const sheets = new WeakMap<Node, Map<string, CSSStyleSheet>>()

/** Gives the document (or shadow root) around `element` a look of the editor's, once. */
export function adoptStyle(element: Element, css: string = SHELL_CSS): void {
  const root = element.getRootNode() as Document | ShadowRoot
  // A server's DOM or an old browser: readable without a look.
  if (!('adoptedStyleSheets' in root) || typeof CSSStyleSheet !== 'function') return
  const known = sheets.get(root) ?? new Map<string, CSSStyleSheet>()
  sheets.set(root, known)
  const sheet = known.get(css) ?? new CSSStyleSheet()
  if (!known.has(css)) sheet.replaceSync(css)
  known.set(css, sheet)
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
}
