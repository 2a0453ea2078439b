/** Names the transaction that hands in the work of a task, for every page that shows it. */
export const submitPurpose = (taskId: string) => `submit:${taskId}`
