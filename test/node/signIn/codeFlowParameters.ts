// What no app can set of an authorize request.

/** Names of the parameters that the code flow itself sets: no app can replace them. */
export const CODE_FLOW_PARAMETERS = [
  'client_id',
  'redirect_uri',
  'state',
  'nonce',
  'scope',
  'response_type',
  'response_mode',
  'code_challenge',
  'code_challenge_method',
  'request',
  'request_uri',
]
