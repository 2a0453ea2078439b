/**
 * Runs `work` in only one tab of this browser at a time. Returns false if another tab runs it; a
 * closed tab releases the lock. Without the Web Locks API, which needs a secure context, it always
 * runs.
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
