// Tells this machine from all others: secrets may go to it over http (contract §2 "authHost").

/** Whether a host name is this machine: secrets may go there over http. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname === '[::1]' ||
    hostname.endsWith('.localhost') ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  )
}
