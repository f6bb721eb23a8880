// Gives every module of the React 18.3 leg, packages included, the one copy of React 18 that is installed beside React 19, and the last React Router that runs on it.
import { registerHooks } from 'node:module'

const NINETEEN = /\/node_modules\/(react|react-dom)\//
const ROUTER_8 = /\/node_modules\/react-router\/dist\/.*$/

const older = (address: string) =>
  address
    .replace(NINETEEN, '/node_modules/$1-18/')
    .replace(ROUTER_8, '/node_modules/react-router-7/dist/development/index.mjs')

registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(older(specifier), context)
    return { ...resolved, url: older(resolved.url) }
  },
})
