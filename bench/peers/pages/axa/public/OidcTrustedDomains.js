// Read by axa's service worker: where tokens come from. The server of the bench has another port each time.
// oxlint-disable-next-line no-unused-vars -- a global of the worker that imports this
const trustedDomains = {
  default: { oidcDomains: [/^http:\/\/localhost:\d+/], accessTokenDomains: [] },
}
