// The style of the devtools: one constructed style sheet in system colours, light or dark as the page.

/** Colour of a badge. */
export type Tone = 'plain' | 'good' | 'warn' | 'bad'

// The open panel moves the toasts up by `--latchkey-toasts-bottom`.
// Sets every property, because the panel is rendered inside a page with its own styles.
export const DEVTOOLS_CSS = `
.latchkey-dt,.latchkey-dt *{box-sizing:border-box}
.latchkey-dt{--line:color-mix(in srgb,CanvasText 22%,Canvas);--soft:color-mix(in srgb,CanvasText 72%,Canvas);--wash:color-mix(in srgb,CanvasText 5%,Canvas);--good:light-dark(#136c2e,#7fd99a);--warn:light-dark(#7a4d00,#f2c063);--bad:light-dark(#b3261e,#ff9a92);--mark:light-dark(#1a56c4,#8ab4ff);color:CanvasText;font:max(13px,.8125rem)/1.5 system-ui,sans-serif;text-align:start;letter-spacing:normal}
.latchkey-dt :is(h2,h3,p,ol,ul){margin:0;padding:0;font:inherit;color:inherit;text-align:start;letter-spacing:normal;text-transform:none}
.latchkey-dt :is(ol,ul){list-style:none}
.latchkey-dt button{font:inherit;color:inherit;background:Canvas;border:1px solid var(--line);border-radius:6px;margin:0;min-height:28px;padding:2px 10px;cursor:pointer}
.latchkey-dt button:hover{background:var(--wash)}
.latchkey-dt :is(button,summary,textarea):focus-visible{outline:2px solid var(--mark);outline-offset:1px}
.latchkey-dt-open{position:fixed;z-index:99998;bottom:12px}
.latchkey-dt-open[data-side=right]{right:68px}
.latchkey-dt-open[data-side=left]{left:12px}
.latchkey-dt .latchkey-dt-open button{display:flex;gap:8px;align-items:center;min-height:40px;border-radius:20px;padding:4px 14px;font-weight:600;box-shadow:0 2px 10px #0003}
.latchkey-dt-dot{width:9px;height:9px;border-radius:50%;background:var(--soft)}
.latchkey-dt-dot[data-tone=good]{background:var(--good)}
.latchkey-dt-dot[data-tone=warn]{background:var(--warn)}
.latchkey-dt-dot[data-tone=bad]{background:var(--bad)}
.latchkey-dt-float{position:fixed;z-index:99999;inset:auto 0 0;height:min(32.5rem,60dvh);box-shadow:0 -4px 24px #0003;border-top:1px solid var(--line)}
:root:has(.latchkey-dt-float){--latchkey-toasts-bottom:min(32.5rem,60dvh)}
.latchkey-dt-panel{display:flex;flex-direction:column;height:100%;min-height:0;background:Canvas;color:CanvasText;container-type:inline-size}
.latchkey-dt-panel:focus{outline:none}
.latchkey-dt-head{display:flex;flex-wrap:wrap;gap:6px 10px;align-items:center;padding:8px 14px;border-bottom:1px solid var(--line);background:var(--wash)}
.latchkey-dt .latchkey-dt-head h2{font-weight:700;font-size:max(14px,.875rem)}
.latchkey-dt-head>:nth-child(3){flex:1 1 60px}
@container (max-width:37em){.latchkey-dt-head>:nth-child(4){order:1}}
.latchkey-dt .latchkey-dt-said{padding:6px 14px;border-bottom:1px solid var(--line)}
.latchkey-dt .latchkey-dt-said:empty{display:none}
.latchkey-dt textarea{display:block;width:100%;height:140px;margin-top:6px;font:max(12px,.75rem)/1.4 ui-monospace,monospace;color:inherit;background:Canvas;border:1px solid var(--line)}
.latchkey-dt-body{flex:1 1 auto;min-height:0;overflow:auto;padding:4px 14px 20px}
.latchkey-dt-columns{display:grid;grid-template-columns:minmax(0,1fr);gap:0 28px;align-items:start}
@container (min-width:55em){.latchkey-dt-columns{grid-template-columns:repeat(2,minmax(0,1fr))}}
.latchkey-dt details{padding:8px 0;border-bottom:1px solid var(--line)}
.latchkey-dt summary{padding:2px 0;cursor:pointer}
.latchkey-dt summary h3{display:inline;font-weight:600}
.latchkey-dt summary+*{margin-top:4px}
.latchkey-dt-soft{color:var(--soft)}
.latchkey-dt-badge{display:inline-block;padding:0 8px;border:1px solid currentColor;border-radius:10px;font-weight:600;white-space:nowrap}
.latchkey-dt-badge[data-tone=good]{color:var(--good)}
.latchkey-dt-badge[data-tone=warn]{color:var(--warn)}
.latchkey-dt-badge[data-tone=bad]{color:var(--bad)}
.latchkey-dt .latchkey-dt-states{display:flex;flex-wrap:wrap;gap:4px;margin-bottom:6px}
.latchkey-dt-states li{padding:0 8px;border:1px solid var(--line);border-radius:6px;color:var(--soft)}
.latchkey-dt-states li[aria-current]{border-color:var(--mark);color:var(--mark);font-weight:600;box-shadow:0 0 0 1px var(--mark)}
.latchkey-dt-row{display:grid;grid-template-columns:minmax(0,2fr) minmax(0,3fr);gap:0 12px;padding:1px 0}
.latchkey-dt-row>*{min-width:0;overflow-wrap:anywhere}
.latchkey-dt-row>:first-child{color:var(--soft)}
.latchkey-dt-row>:last-child{font-variant-numeric:tabular-nums}
.latchkey-dt-events li{display:grid;grid-template-columns:5em minmax(0,1fr);gap:0 10px;padding:2px 0}
.latchkey-dt-events time{color:var(--soft);font-variant-numeric:tabular-nums}
.latchkey-dt-events li>div{overflow-wrap:anywhere}
.latchkey-dt [data-outcome=failed]{color:var(--bad)}
.latchkey-dt-events+button{margin-top:6px}
@media(forced-colors:active){.latchkey-dt-states li[aria-current]{outline:2px solid CanvasText}}
@media print{.latchkey-dt{display:none!important}}
`
