// The policies that the demo is held to: the strictest, and what the full JSON editor needs of it.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** The demo's own first screen has its styles in the page; a policy names them by their hash. */
const firstScreen = createHash('sha256')
  .update(readFileSync(new URL('../../../demo/app/firstScreen.css', import.meta.url)))
  .digest('base64')

/** No inline style but the demo's first screen, no inline script but those with these hashes, no eval, trusted types. */
export const strictPolicy = (...scripts: string[]): string =>
  [
    ...directives(`'self' 'sha256-${firstScreen}'`, scripts),
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')

/** The same with what docs/editor.md asks for Monaco: inline styles, and no trusted types. */
export const editorPolicy = (...scripts: string[]): string =>
  directives("'self' 'unsafe-inline'", scripts).join('; ')

function directives(styles: string, scripts: readonly string[]): string[] {
  return [
    "default-src 'none'",
    `script-src ${["'self'", ...scripts].join(' ')}`,
    "worker-src 'self'",
    `style-src ${styles}`,
    "img-src 'self' data:",
    "font-src 'self'",
    // This computer by both of its names: the other environment is at the second one.
    "connect-src 'self' http://localhost:* http://127.0.0.1:*",
    'frame-src http://localhost:* http://127.0.0.1:*',
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ]
}
