// Gives every module of the React 18.3 leg, packages included, the one copy of React 18 that is installed beside React 19.
import { registerHooks } from 'node:module'

const NINETEEN = /\/node_modules\/(react|react-dom)\//

registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier.replace(NINETEEN, '/node_modules/$1-18/'), context)
    return { ...resolved, url: resolved.url.replace(NINETEEN, '/node_modules/$1-18/') }
  },
})
