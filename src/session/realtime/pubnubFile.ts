// Loads the messaging service's SDK, an optional peer of the package: the only file that names it (spec §7).

/** Asked for together with the file that uses it, so that neither waits for the other. */
export const loadPubnub = () => import('pubnub')
