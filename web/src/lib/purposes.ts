/** The purpose of the transaction that submits the work of a task, for every page that shows it. */
export const submitPurpose = (taskId: string) => `submit:${taskId}`
