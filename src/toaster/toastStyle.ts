// The look of the toasts.

/** Duration of the exit animation. */
export const EXIT_MS = 200

// Letters grow with the browser's own size, and do not shrink in an app whose rem is 10 px.
// System colours follow the color-scheme of the page. The colours of the kinds contrast with white and with black.
export const TOAST_CSS = `
section:where(.latchkey-toasts){position:fixed;inset:auto auto var(--latchkey-toasts-bottom,0px) var(--latchkey-toasts-side,0px);z-index:2147483000;display:block;margin:0;border:0;padding:16px;padding-left:max(16px,env(safe-area-inset-left));padding-bottom:max(16px,env(safe-area-inset-bottom));width:min(30em,calc(100vw - var(--latchkey-toasts-side,0px)));max-width:none;max-height:100vh;height:auto;box-sizing:border-box;overflow:visible;background:none;color:CanvasText;font:max(14px,.875rem)/1.45 var(--latchkey-font,system-ui,sans-serif);text-align:start;pointer-events:none}
section:where(.latchkey-toasts[data-position^=top]){top:0;bottom:auto;padding-top:max(16px,env(safe-area-inset-top))}
section:where(.latchkey-toasts[data-position$=right]){left:auto;right:var(--latchkey-toasts-side,0px);padding-right:max(16px,env(safe-area-inset-right))}
section:where(.latchkey-toasts[data-position$=center]){left:calc(50vw - min(15em,50vw))}
ol:where(.latchkey-toasts>ol){list-style:none;margin:0;padding:0}
li:where(.latchkey-toast){--kind:var(--latchkey-accent,#1a73e8);box-sizing:border-box;display:flex;gap:8px;align-items:flex-start;margin:8px 0 0;padding:10px 8px 10px 12px;overflow:hidden;background:Canvas;background:light-dark(Canvas,color-mix(in srgb,CanvasText 6%,Canvas));border:1px solid color-mix(in srgb,CanvasText 22%,Canvas);border-left:4px solid var(--kind);border-radius:var(--latchkey-radius,10px);box-shadow:0 4px 16px #0000003d;pointer-events:auto;animation:latchkey-toast-in .2s ease-out}
li:where(.latchkey-toast[data-leaving]){pointer-events:none;animation:latchkey-toast-out .2s ease-in forwards}
li:where(.latchkey-toast[data-kind=success]){--kind:#1e8e3e}
li:where(.latchkey-toast[data-kind=error]){--kind:#d93025}
li:where(.latchkey-toast[data-kind=loading]){--kind:#757c85}
li:where(.latchkey-toast[data-countdown]){gap:14px;padding:14px 10px 14px 14px;font-size:max(16px,1rem)}
svg:where(.latchkey-toast>svg){flex:none;color:var(--kind)}
svg:where(.latchkey-toast[data-kind=loading]>svg){animation:latchkey-toast-turn 1s linear infinite}
svg:where(.latchkey-toast[data-countdown]>svg){transform:scaleX(-1)}
div:where(.latchkey-toast-body){flex:1 1 auto;min-width:0;overflow-wrap:anywhere}
b:where(.latchkey-toast-count){margin-inline-start:6px;font-weight:600}
li button:where(.latchkey-toast .latchkey-button){display:block;min-height:32px;margin-top:8px;padding:4px 12px}
button:where(.latchkey-toast-close){box-sizing:border-box;flex:none;display:grid;place-items:center;width:2em;height:2em;margin:-4px 0;padding:0;border:0;border-radius:calc(var(--latchkey-radius,10px)*.6);background:none;color:inherit;font:inherit;cursor:pointer}
button:where(.latchkey-toast-close:hover){background:color-mix(in srgb,CanvasText 12%,Canvas)}
p:where(.latchkey-toasts-more){box-sizing:border-box;display:flex;gap:12px;align-items:center;width:max-content;max-width:100%;margin:8px 0 0;padding:4px 8px 4px 12px;background:Canvas;background:light-dark(Canvas,color-mix(in srgb,CanvasText 6%,Canvas));border:1px solid color-mix(in srgb,CanvasText 22%,Canvas);border-radius:var(--latchkey-radius,10px);pointer-events:auto}
p button:where(.latchkey-toasts-more .latchkey-button){padding:2px 8px;min-height:28px}
@keyframes latchkey-toast-in{from{opacity:0;transform:translateY(12px)}}
@keyframes latchkey-toast-out{to{opacity:0;transform:translateX(-24px)}}
@keyframes latchkey-toast-turn{to{transform:rotate(360deg)}}
@media(prefers-reduced-motion:reduce){li:where(.latchkey-toast,.latchkey-toast[data-leaving]),svg:where(.latchkey-toast>svg){animation:none}li:where(.latchkey-toast[data-leaving]){opacity:0}}
@media(forced-colors:active){li:where(.latchkey-toast){border-color:CanvasText}}
@media print{section:where(.latchkey-toasts){display:none}}
`
