// The one style sheet of the demo servers' pages: light and dark, from 360 px up, visible focus, no motion needed.

export const styles = `
:root{color-scheme:light dark;--ground:#f4f2ee;--card:#fff;--ink:#1d1b17;--soft:#5d574d;--line:#dcd6ca;--brand:#1f5f4f;--on-brand:#fff;--wash:#e9f1ee;--danger:#9d2419;--focus:#0b57d0;--shadow:0 1px 2px rgb(40 30 10/.06),0 12px 32px -16px rgb(40 30 10/.25)}
@media (prefers-color-scheme:dark){:root{--ground:#15171a;--card:#1e2125;--ink:#f0ede7;--soft:#b3ada2;--line:#383c42;--brand:#7fd1b9;--on-brand:#0d2620;--wash:#22332e;--danger:#ff9d90;--focus:#8ab4f8;--shadow:0 1px 2px rgb(0 0 0/.4),0 16px 40px -20px rgb(0 0 0/.8)}}
.cloud{--brand:#2b50b8;--wash:#e8edfb;--ground:#eef1f8;background:var(--ground)}
@media (prefers-color-scheme:dark){.cloud{--brand:#9db7ff;--on-brand:#101c3d;--wash:#232c47;--ground:#12151c}}
*{box-sizing:border-box}
html{font:100%/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;background:var(--ground);color:var(--ink);-webkit-text-size-adjust:100%}
body{margin:0;min-height:100vh;min-height:100dvh;display:grid;grid-template-rows:auto 1fr auto;justify-items:center;padding:24px 16px;gap:16px}
header,main,footer{width:100%;max-width:560px}
.brand{display:flex;align-items:center;gap:10px;margin:0;font-weight:650;letter-spacing:-.01em}
.mark{fill:var(--brand)}.hole{fill:var(--card)}
main{align-self:start;background:var(--card);border:1px solid var(--line);border-radius:18px;box-shadow:var(--shadow);padding:28px}
h1{font-size:1.6rem;line-height:1.2;letter-spacing:-.02em;margin:0 0 6px;text-wrap:balance}
h2{font-size:.8rem;font-weight:650;text-transform:uppercase;letter-spacing:.06em;color:var(--soft);margin:26px 0 8px}
p{margin:0 0 14px}.soft{color:var(--soft)}
footer p{font-size:.82rem;color:var(--soft);margin:0}
form{margin:0}
ul.people{list-style:none;margin:0;padding:0;display:grid;gap:8px}
button,.button{font:inherit;color:inherit;cursor:pointer;border-radius:12px;border:1px solid var(--line);background:transparent;padding:11px 18px;min-height:44px;text-decoration:none;display:inline-block}
button:hover,.button:hover{border-color:var(--brand)}
.primary{background:var(--brand);border-color:var(--brand);color:var(--on-brand);font-weight:600}
button.danger{border-color:var(--danger);color:var(--danger)}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
.person{display:grid;grid-template-columns:44px 1fr auto;gap:2px 14px;align-items:center;width:100%;text-align:left;padding:10px 14px}
.person:hover{background:var(--wash)}
.person .face{grid-row:1/3;width:44px;height:44px;border-radius:50%;display:grid;place-items:center;background:var(--wash);color:var(--brand);font-weight:650;font-size:.95rem}
.person .name{font-weight:600;overflow-wrap:anywhere}.person .about{grid-column:2;color:var(--soft);font-size:.9rem;overflow-wrap:anywhere}
.badge{grid-row:1/3;grid-column:3;font-size:.75rem;font-weight:600;border:1px solid currentColor;color:var(--brand);border-radius:99px;padding:2px 9px;white-space:nowrap}
.check{display:flex;gap:12px;align-items:flex-start;margin:18px 0 0;padding:12px 14px;border:1px dashed var(--line);border-radius:12px;cursor:pointer}
.check input{width:20px;height:20px;margin:2px 0 0;accent-color:var(--brand);flex:none}
.check span{display:block}.check .soft{font-size:.9rem}
.actions{display:flex;flex-wrap:wrap;gap:10px;margin:22px 0 0}
.field{display:block;font-weight:600;margin:16px 0 0}
.field input,.field select{display:block;width:100%;font:inherit;font-weight:400;color:inherit;background:var(--card);border:1px solid var(--soft);border-radius:10px;padding:10px 12px;margin-top:6px;min-height:44px}
.hint{font-weight:400;color:var(--soft);font-size:.9rem;display:block}
.fault{border-left:4px solid var(--danger);padding:8px 12px;background:var(--ground);border-radius:0 10px 10px 0;color:var(--danger);font-weight:600}
dl{display:grid;grid-template-columns:auto 1fr;gap:6px 16px;margin:16px 0;padding:14px;background:var(--ground);border-radius:12px}
dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
details{margin-top:18px}summary{cursor:pointer;padding:6px 0}
@media (max-width:430px){body{padding:16px 12px}main{padding:20px 16px;border-radius:14px}.person{grid-template-columns:38px 1fr;padding:10px 12px}.person .face{width:38px;height:38px}.badge{grid-column:2;grid-row:auto;justify-self:start;margin-top:4px}.person .face{grid-row:1/4}.actions button,.actions .button{flex:1 1 auto;text-align:center}dl{grid-template-columns:1fr;gap:0 0}dd{margin-bottom:8px}}
@media (forced-colors:active){.badge,button,.button{border:1px solid}}
`
