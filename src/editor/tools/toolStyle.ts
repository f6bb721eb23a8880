// The CSS of the tools; it loads with them, so that the first paint does not wait for it.
export const TOOL_CSS = `:is(label,div):where(.lkje>*){color:var(--lkje-fg);color-scheme:var(--lkje-scheme)}
.lkje-probe{position:absolute;width:0;height:0;visibility:hidden;@starting-style{color:#0000}}
.lkje[data-theme=light]{--lkje-bg:#fffffe;--lkje-fg:#1b1f24;--lkje-soft:#57606a;--lkje-line:#8c959f;--lkje-faint:#d0d7de;--lkje-bar:#f6f8fa;--lkje-focus:#0550ae;--lkje-error:#b3261e;--lkje-warning:#7a4d00;--lkje-good:#116329;--lkje-scheme:light}
.lkje[data-theme=dark]{--lkje-bg:#1e1e1e;--lkje-fg:#e6edf3;--lkje-soft:#a8b3bf;--lkje-line:#7d8590;--lkje-faint:#3d444d;--lkje-bar:#262a30;--lkje-focus:#6cb6ff;--lkje-error:#ff9b93;--lkje-warning:#f0b75e;--lkje-good:#6fdd8b;--lkje-scheme:dark}
.lkje[data-theme=high-contrast]{--lkje-bg:#000;--lkje-fg:#fff;--lkje-soft:#fff;--lkje-line:#fff;--lkje-faint:#fff;--lkje-bar:#000;--lkje-focus:#f38518;--lkje-error:#ff9b93;--lkje-warning:#ffd602;--lkje-good:#7dff9b;--lkje-scheme:dark}
label:where(.lkje-label){align-self:flex-start}
.lkje-required{color:var(--lkje-error)}
.lkje[data-invalid=true] .lkje-frame{border-color:var(--lkje-error)}
.lkje-bar,.lkje-note{background:var(--lkje-bar)}
.lkje-note{padding:4px 8px;border-top:1px solid var(--lkje-faint)}
.lkje-note,.lkje-status{color:var(--lkje-soft)}
.lkje[data-drop=true] .lkje-frame{outline:2px dashed var(--lkje-focus);outline-offset:-4px}
.lkje[data-disabled=true] .lkje-box{filter:grayscale(1);cursor:not-allowed}
.lkje[data-own-theme=true]{background:var(--lkje-bg);padding:8px;border-radius:8px}
.lkje[data-wrapped=true] .lkje-area{white-space:pre-wrap;overflow-wrap:anywhere}
.lkje-full{position:absolute;inset:0 0 0 4px}
.lkje-monaco{position:absolute;inset:0}
.lkje-full .monaco-editor .editorPlaceholder{color:var(--lkje-soft)}
.lkje[data-surface=plain] .lkje-full{opacity:0;pointer-events:none}
.lkje[data-surface=full] .lkje-area{position:absolute;left:0;bottom:0;width:1px;height:1px;min-height:0;padding:0;opacity:0;pointer-events:none;overflow:hidden;field-sizing:fixed}
:is(.lkje-bar,.lkje-note) button{font:inherit;font-size:13px;line-height:18px;color:inherit;background:transparent;border:1px solid transparent;border-radius:4px;padding:3px 7px;cursor:pointer;min-height:26px}
:is(.lkje-bar,.lkje-note) button:hover:not([aria-disabled=true]){background:var(--lkje-faint)}
:is(.lkje-bar,.lkje-note) button:focus-visible{outline:2px solid var(--lkje-focus);outline-offset:-2px}
:is(.lkje-bar,.lkje-note) button[aria-disabled=true]{color:var(--lkje-soft);opacity:.6;cursor:default}
:is(.lkje-bar,.lkje-note) button[aria-pressed=true]{border-color:var(--lkje-line);background:var(--lkje-faint)}
.lkje-note .lkje-plain{border-color:var(--lkje-line)}
@media(prefers-reduced-motion:no-preference){div:where(.lkje-frame){transition:border-color .12s}}
.lkje[data-theme=high-contrast] :is(.lkje-bar,.lkje-note) button:is([aria-pressed=true],:hover:not([aria-disabled=true])){background:var(--lkje-fg);color:var(--lkje-bg)}
@media(forced-colors:active){:is(.lkje-bar,.lkje-note) button[aria-pressed=true]{border-color:Highlight}}
.lkje-full .monaco-editor .find-widget:is(.narrow-find-widget,.collapsed-find-widget){max-width:calc(100% - 33px)!important}
.lkje-full .monaco-editor .find-widget.collapsed-find-widget :is(.button.previous,.button.next,.button.replace,.button.replace-all),.lkje-full .monaco-editor .find-widget .matchesCount{display:flex}
.lkje-full .monaco-editor .find-widget.collapsed-find-widget .codicon-find-selection{display:none}
.lkje-full .monaco-editor .find-widget.collapsed-find-widget .matchesCount{min-width:0!important;margin:0;padding-left:1px;font-size:11px}
.lkje-full .monaco-editor .find-widget.collapsed-find-widget .button{margin-left:0}
.lkje-full .overlayWidgets>:has(>.quick-input-widget){width:100%}
.lkje-full .quick-input-widget{left:50%!important;margin-left:0!important;transform:translateX(-50%);width:min(600px,100% - 16px)!important}
@media(max-width:600px){.lkje-full .quick-input-list-entry-keybinding{display:none}}
.lkje-compare{position:absolute;inset:0;background:var(--lkje-bg)}
.lkje-full .overflow-guard{isolation:isolate}
.lkje-compare :is(.diffOverview,.monaco-sash){z-index:0}
.lkje-compare .diffViewport{opacity:.4}
.lkje-tools{display:flex;gap:2px;padding:3px;overflow-x:auto}
.lkje-tools button{white-space:nowrap}
.lkje-group{display:contents}
.lkje-opened{position:absolute;z-index:2;inset:100% 0 auto;display:flex;flex-wrap:wrap;gap:2px;padding:3px;background:var(--lkje-bar);border-bottom:1px solid var(--lkje-faint);box-shadow:0 4px 8px #0002}
@container(max-width:600px){.lkje-tools button{min-height:44px;min-width:44px}}
.lkje-box[data-resize=true]{resize:vertical;overflow:hidden}
.lkje[data-held=true] .lkje-below{height:var(--lkje-held)!important;overflow:hidden}
.lkje-area::placeholder{color:var(--lkje-soft);opacity:1}
.lkje-says{display:flex;flex-wrap:wrap;gap:2px 12px}
.lkje-verdict{font-weight:600;color:var(--lkje-soft)}
.lkje-verdict[data-verdict=valid]{color:var(--lkje-good)}
.lkje-verdict[data-verdict=doubtful]{color:var(--lkje-warning)}
.lkje-verdict[data-verdict=invalid]{color:var(--lkje-error)}
.lkje-heard{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.lkje-progress{display:inline-flex;gap:6px;align-items:center}
.lkje-progress progress{width:90px}
.lkje-problems{list-style:none;margin:-2px 0;padding:2px 0;min-height:0;overflow:auto;font-size:13px;display:flex;flex-direction:column;gap:3px}
.lkje-problems li{padding-inline-start:9px;border-inline-start:3px solid var(--lkje-error);overflow-wrap:anywhere}
.lkje-problems li[data-severity=warning]{border-color:var(--lkje-warning)}
.lkje-problems li:not([data-severity]){border-color:transparent}
.lkje-problems a{color:var(--lkje-focus);text-underline-offset:2px}
.lkje-problems a:focus-visible{outline:2px solid var(--lkje-focus);outline-offset:1px;border-radius:2px}
`
