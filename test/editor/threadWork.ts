// How long this thread works, whatever else the machine does meanwhile.

/** The processor time of `work`, in milliseconds. */
export function measureWork(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
