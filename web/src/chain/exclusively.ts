/**
 * Runs `work` in at most one tab of this browser at a time. Returns false if it is already running
 * in another tab; closing that tab releases the lock. Without the Web Locks API, which requires a
 * secure context, it always runs.
 */
export async function exclusively(name: string, work: () => Promise<void>): Promise<boolean> {
  const locks: LockManager | undefined = navigator.locks
  if (!locks) {
    await work()
    return true
  }
  return locks.request(`taskmarket.${name}`, { ifAvailable: true }, async (lock) => {
    if (lock) await work()
    return lock !== null
  })
}
