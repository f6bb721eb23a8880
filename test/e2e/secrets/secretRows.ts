// Where a secret may be met in a real browser: the rows of the table in docs/security.md, each with its places.

/** A script in the page itself, in a picture that took long; whether one did is the machine's affair. */
export const OF_SLOW_FRAMES = ['code | performance timeline', 'token of a link | performance timeline']

/** 'kind | place' as a scan gives them. */
export const ALLOWED_IN_BROWSER: Readonly<Record<string, readonly string[]>> = {
  'access token': [
    'access token | header authorization to authHost',
    'access token | header authorization to the firm’s own server',
  ],
  'refresh token and its verifier': [
    'refresh token | body of POST authHost/oauth/token',
    'verifier | body of POST authHost/oauth/token',
  ],
  'both, on the way to another tab': [],
  'verifier of a sign-in in progress': ['verifier | writing to session storage'],
  code: [
    'code | address of GET the app, a page',
    'code | message of the frame',
    'code | body of POST authHost/oauth/token',
    // The browser's own records of the address.
    'code | navigation entry',
    'code | activation of the page',
    ...OF_SLOW_FRAMES.slice(0, 1),
  ],
  '`jti` of passthrough': [
    'jti | address of GET authHost/oauth/passthrough',
    'jti | address of GET authHost/oauth/logout',
  ],
  'token that a link brings': [
    'token of a link | address of GET the app, a page',
    'token of a link | navigation entry',
    'token of a link | activation of the page',
    ...OF_SLOW_FRAMES.slice(1),
  ],
  'nonce of reauthenticate': ['nonce | address of GET authHost/cloudprovider/reauthenticate'],
  "cloud provider's access token": ['cloud token | page', 'cloud token | props and state'],
  "support's request code, assertion": [
    'request code | body of POST authHost/support/authorization',
    'assertion | body of POST authHost/oauth/token',
  ],
  'access token of real time': [
    'real-time token | address of GET real time',
    'real-time token | performance timeline',
  ],
}
