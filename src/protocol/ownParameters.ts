// The parameters of an authorize request that the code flow itself sets.

/** Matches their names. */
export const OWN_PARAMETERS: RegExp =
  /^(response_(type|mode)|client_id|redirect_uri|scope|state|nonce|code_challenge.*|request.*)$/
