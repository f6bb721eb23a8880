// Loads PubNub's SDK, an optional peer of the package: the only file that imports it.

/** Inside `try`, because only there webpack and Rspack treat a missing package as optional. Otherwise their build fails. */
export async function loadPubnub(): Promise<{ readonly default: unknown }> {
  try {
    return await import('pubnub')
  } catch (cause) {
    throw new Error('The messaging SDK cannot be loaded', { cause })
  }
}
