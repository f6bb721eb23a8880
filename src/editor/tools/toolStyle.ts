// The look of the tools; it arrives with them, so that the first paint does not wait for it.
export const TOOL_CSS = `.lkje-compare{position:absolute;inset:0;background:var(--lkje-bg)}
.lkje-tools{display:flex;flex-wrap:wrap;gap:2px;padding:3px}
.lkje-tools button[data-group=true]{margin-left:9px;position:relative}
.lkje-tools button[data-group=true]::before{content:"";position:absolute;left:-6px;top:4px;bottom:4px;width:1px;background:var(--lkje-faint)}
.lkje-find{display:flex;flex-wrap:wrap;gap:4px;padding:0 6px 6px}
.lkje-find input{font:inherit;font-size:13px;color:inherit;background:var(--lkje-bg);border:1px solid var(--lkje-line);border-radius:4px;padding:2px 6px;min-width:0;flex:1 1 110px}
.lkje-says{display:flex;flex-wrap:wrap;gap:2px 12px}
.lkje-verdict{font-weight:600;color:var(--lkje-soft)}
.lkje-verdict[data-verdict=valid]{color:var(--lkje-good)}
.lkje-verdict[data-verdict=doubtful]{color:var(--lkje-warning)}
.lkje-verdict[data-verdict=invalid]{color:var(--lkje-error)}
.lkje-heard{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.lkje-progress{display:inline-flex;gap:6px;align-items:center}
.lkje-progress progress{width:90px}
.lkje-problems{list-style:none;margin:0;padding:0;font-size:13px;display:flex;flex-direction:column;gap:3px}
.lkje-problems li{padding-left:9px;border-left:3px solid var(--lkje-error);overflow-wrap:anywhere}
.lkje-problems li[data-severity=warning]{border-color:var(--lkje-warning)}
.lkje-problems li:not([data-severity]){border-color:transparent}
.lkje-problems a{color:var(--lkje-focus);text-underline-offset:2px}
.lkje-problems a:focus-visible{outline:2px solid var(--lkje-focus);outline-offset:1px;border-radius:2px}
`
