import type { Application } from '@/api/application'
import type { Task } from '@/api/task'
import type { WorkPart } from '@/lib/work-params'

/** A task or application, with the human's role in the task. */
export type Entry =
  | { as: 'worker'; task: Task }
  | { as: 'applicant'; task: Task; application: Application }

/**
 * Combines tasks with their applications, which are listed newest first. Of several applications
 * for a task, the newest counts. An application is left out until the page that contains its task
 * has loaded.
 */
export function entriesOf(me: string, tasks: Task[], applications: Application[]): Entry[] {
  // Reversed, because a map keeps the last entry of a key.
  const ofTask = new Map(applications.toReversed().map((each) => [each.taskId, each]))
  return tasks.flatMap((task): Entry[] => {
    if (task.humanId === me) return [{ as: 'worker', task }]
    const application = ofTask.get(task.id)
    return application ? [{ as: 'applicant', task, application }] : []
  })
}

/** Returns the section that an entry belongs to. */
export function partOf(entry: Entry): WorkPart {
  if (entry.as === 'applicant') {
    const { status } = entry.application
    const mayBeSent = status === 'new' && entry.task.status === 'funded'
    return mayBeSent || status === 'pending' ? 'applied' : 'done'
  }
  switch (entry.task.status) {
    case 'submitted':
    case 'validating':
      return 'review'
    case 'disputed':
      return 'disputed'
    case 'approved':
    case 'rejected':
    case 'cancelled':
      return 'done'
    default:
      return 'active'
  }
}
