// What the outline says, in English, and how it looks: both come with it.

export const OUTLINE_MESSAGES = {
  outlineOf: 'Outline of the JSON',
  searchPath: 'Path or key',
  findNext: 'Find next',
  close: 'Close',
  notFound: 'Not found',
  noOutline: 'The outline is there as soon as the text is JSON.',
  keys: (count: number): string => (count === 1 ? '1 key' : `${count} keys`),
  items: (count: number): string => (count === 1 ? '1 item' : `${count} items`),
}

export const OUTLINE_CSS = `.lkje-box:has(>.lkje-outline){min-height:240px!important;padding-right:min(45%,420px)}
.lkje-box:has(>.lkje-outline)>.lkje-full{right:min(45%,420px)}
.lkje-outline{position:absolute;inset:0 0 0 auto;width:min(45%,420px);display:flex;flex-direction:column;border-left:1px solid var(--lkje-faint);background:var(--lkje-bg)}
.lkje-outline .lkje-find{padding:6px;border-bottom:1px solid var(--lkje-faint);background:var(--lkje-bar)}
.lkje-outline .lkje-find button{font:inherit;font-size:13px;color:inherit;background:transparent;border:1px solid var(--lkje-line);border-radius:4px;padding:2px 7px;cursor:pointer;min-height:26px}
.lkje-outline .lkje-find button:hover{background:var(--lkje-faint)}
.lkje-outline .lkje-find :is(button,input):focus-visible{outline:2px solid var(--lkje-focus);outline-offset:-1px}
.lkje-outline .lkje-find [role=status]{font-size:13px;color:var(--lkje-error)}
.lkje-outline [role=tree]{flex:1;min-height:0;overflow:auto;position:relative;outline:0}
.lkje-outline [role=tree]:focus-visible{box-shadow:inset 0 0 0 2px var(--lkje-focus)}
.lkje-rows{position:sticky;top:0;height:0}
.lkje-outline p{position:absolute;inset:0;margin:0;padding:12px;color:var(--lkje-soft);font-size:13px}
.lkje-outline [role=treeitem]{position:absolute;left:0;min-width:100%;height:24px;box-sizing:border-box;padding-right:8px;font-size:13px;line-height:24px;white-space:nowrap;cursor:pointer}
.lkje-outline [role=treeitem]:hover{background:var(--lkje-bar)}
.lkje-outline [role=treeitem][aria-selected=true]{background:var(--lkje-faint)}
.lkje[data-theme=high-contrast] .lkje-outline [role=treeitem][aria-selected=true]{background:var(--lkje-focus);color:#000}
.lkje-outline [aria-selected=true] :is(i,code){color:inherit}
.lkje-outline [role=tree]:focus-visible [aria-selected=true]{outline:1px solid var(--lkje-focus);outline-offset:-1px}
@media(forced-colors:active){.lkje-outline [aria-selected=true]{outline:2px solid Highlight;outline-offset:-2px}}
.lkje-turn{display:inline-block;width:16px;text-align:center}
.lkje-outline i{color:var(--lkje-soft);font-style:normal}
.lkje-outline code{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;color:var(--lkje-soft)}
@media(max-width:600px){.lkje-box:has(>.lkje-outline){min-height:340px!important;padding:0 0 190px}
.lkje-box:has(>.lkje-outline)>.lkje-full{right:0;bottom:190px}
.lkje-outline{inset:auto 0 0;width:auto;height:190px;border-left:0;border-top:1px solid var(--lkje-faint)}
.lkje-outline [role=treeitem]{height:24px}
.lkje-outline .lkje-find button{min-height:32px}}
`
