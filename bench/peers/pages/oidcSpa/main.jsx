// oidc-spa as its guide sets it up: a first script that decides whether the app is loaded, then the app.
import { oidcEarlyInit } from 'oidc-spa/entrypoint'

const { shouldLoadApp } = oidcEarlyInit({ BASE_URL: '/' })
if (shouldLoadApp) void import('./app.jsx')
