/**
 * Does something that only one tab of this browser may do at a time. False where another tab does
 * it now; a tab that is closed leaves it to the others. Where the browser has no locks, which is
 * where a page is not secure, every tab may.
 */
export async function exclusively(name: string, what: () => Promise<void>): Promise<boolean> {
  const locks: LockManager | undefined = navigator.locks
  if (!locks) {
    await what()
    return true
  }
  return locks.request(`taskmarket.${name}`, { ifAvailable: true }, async (lock) => {
    if (lock) await what()
    return lock !== null
  })
}
