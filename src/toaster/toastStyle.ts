// The style of the toasts as one constructed style sheet: no CSS file to import, allowed by every CSP.

import { adoptStyle } from '../provider/adoptedStyle.ts'

// Letters grow with the browser's own size, and do not shrink in an app whose rem is 10 px.
// System colours follow the color-scheme of the page. The accents contrast with white and with black.
const CSS = `
.latchkey-toasts{position:fixed;inset:auto auto var(--y,0px) var(--x,0px);z-index:2147483000;margin:0;border:0;padding:16px;padding-left:max(16px,env(safe-area-inset-left));padding-bottom:max(16px,env(safe-area-inset-bottom));width:min(30em,calc(100vw - var(--x,0px)));max-width:none;max-height:100vh;height:auto;box-sizing:border-box;overflow:visible;background:none;color:CanvasText;font:max(14px,.875rem)/1.45 system-ui,sans-serif;text-align:start;pointer-events:none}
.latchkey-toasts[data-position^=top]{top:var(--y,0px);bottom:auto;padding-top:max(16px,env(safe-area-inset-top))}
.latchkey-toasts[data-position$=right]{left:auto;right:var(--x,0px);padding-right:max(16px,env(safe-area-inset-right))}
.latchkey-toasts[data-position$=center]{left:calc(50vw - min(15em,50vw) + var(--x,0px))}
.latchkey-toasts *{box-sizing:border-box}
.latchkey-toasts ol{list-style:none;margin:0;padding:0;display:flex;flex-direction:column;gap:8px}
.latchkey-toast{margin:0;padding:0;pointer-events:auto;animation:latchkey-toast-in .2s ease-out}
.latchkey-toast[data-leaving]{pointer-events:none;animation:latchkey-toast-out .2s ease-in forwards}
.latchkey-toast-card{--accent:#1a73e8;display:flex;gap:8px;align-items:flex-start;padding:10px 8px 10px 12px;overflow:hidden;background:color-mix(in srgb,CanvasText 4%,Canvas);border:1px solid color-mix(in srgb,CanvasText 22%,Canvas);border-left:4px solid var(--accent);border-radius:8px;box-shadow:0 4px 16px #0000003d}
.latchkey-toast-card[data-kind=success]{--accent:#1e8e3e}
.latchkey-toast-card[data-kind=error]{--accent:#d93025}
.latchkey-toast-card[data-kind=loading]{--accent:#757c85}
.latchkey-toast-card>svg{flex:none;color:var(--accent)}
.latchkey-toast-card[data-kind=loading]>svg{animation:latchkey-toast-turn 1s linear infinite}
.latchkey-toast-card[data-countdown]{gap:14px;padding:14px 10px 14px 14px;font-size:max(16px,1rem)}
.latchkey-toast-card[data-countdown]>svg{transform:scaleX(-1)}
.latchkey-toast-body{flex:1 1 auto;min-width:0;overflow-wrap:anywhere}
.latchkey-toast-count{margin-inline-start:6px;font-weight:600}
.latchkey-toasts button{font:inherit;color:inherit;background:none;border:1px solid transparent;border-radius:6px;margin:0;cursor:pointer;pointer-events:auto}
.latchkey-toast-body button,.latchkey-toasts-more button{display:block;min-height:32px;margin-top:8px;padding:4px 12px;font-weight:600;border-color:color-mix(in srgb,CanvasText 55%,Canvas)}
.latchkey-toasts button:hover{background:color-mix(in srgb,CanvasText 12%,Canvas)}
.latchkey-toasts button:focus-visible{outline:2px solid CanvasText;outline-offset:2px}
.latchkey-toast-close{flex:none;display:grid;place-items:center;width:2em;height:2em;margin:-4px 0 -4px!important;padding:0}
.latchkey-toasts-more{display:flex;gap:12px;align-items:center;width:max-content;max-width:100%;margin:8px 0 0;padding:4px 8px 4px 12px;background:color-mix(in srgb,CanvasText 4%,Canvas);border:1px solid color-mix(in srgb,CanvasText 22%,Canvas);border-radius:8px;pointer-events:auto}
.latchkey-toasts-more button{margin:0;padding:2px 8px;min-height:28px}
.latchkey-toasts-said{position:fixed;left:0;bottom:0;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@keyframes latchkey-toast-in{from{opacity:0;transform:translateY(12px)}}
@keyframes latchkey-toast-out{to{opacity:0;transform:translateX(-24px)}}
@keyframes latchkey-toast-turn{to{transform:rotate(360deg)}}
@media(prefers-reduced-motion:reduce){.latchkey-toast,.latchkey-toast[data-leaving],.latchkey-toast-card[data-kind=loading]>svg{animation:none}.latchkey-toast[data-leaving]{opacity:0}}
@media(forced-colors:active){.latchkey-toast-card{border-color:CanvasText}}
@media print{.latchkey-toasts{display:none!important}}
`

/** Adds the style of toasts to the document or shadow root of `element`. Returns its removal. */
export const adoptToastStyle = (element: Element): (() => void) => adoptStyle(element, CSS)
