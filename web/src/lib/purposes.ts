/**
 * Returns the purpose of the transaction that submits a task's work, for every page that shows it.
 */
export const submitPurpose = (taskId: string) => `submit:${taskId}`
