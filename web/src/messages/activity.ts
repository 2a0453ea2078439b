/** Texts for the page "Activity". */
export const messages = {
  filter: {
    all: 'All activity',
    days: { '1': 'Last 24 hours', '7': 'Last 7 days', '30': 'Last 30 days' },
    anyTime: 'Any time',
    type: 'Type',
    period: 'Period',
  },
  title: 'Activity',
  intro: 'Updates on your tasks, your money and your messages.',
  none: {
    filtered: 'No matching activity',
    showAll: 'Show all activity',
    title: 'No activity yet',
    text: 'Apply for a task. Its progress and your payments appear here.',
  },
  new: 'New',
  status: { pending: 'Not final yet', reverted: 'Dropped by the network' },
  kind: {
    task: 'Tasks',
    application: 'Applications',
    payout: 'Payments',
    dispute: 'Disputes',
    review: 'Reviews',
    claim: 'Rewards',
    message: 'Task messages',
    dm: 'Direct messages',
  },
}
