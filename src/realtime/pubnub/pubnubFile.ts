// Loads the messaging service's SDK, an optional peer of the package: the only file that names it.

/**
 * Asked for together with the file that uses it, so that neither waits for the other. Inside `try`, because webpack and Rspack
 * take a package that is missing for an optional one only there; else they build nothing.
 */
export async function loadPubnub(): Promise<{ readonly default: unknown }> {
  try {
    return await import('pubnub')
  } catch (cause) {
    throw new Error('The messaging SDK cannot be loaded', { cause })
  }
}
