import type { ReactNode } from 'react'

/** Texts for the list of open tasks and its search. */
export const messages = {
  sort: { newest: 'Newest first', amount: 'Highest payment', deadline: 'Nearest deadline' },
  where: { any: 'Remote or on site', yes: 'Remote', no: 'On site' },
  anyDeadline: 'Any',
  daysLeft: (days: number) => `At least ${days} ${days === 1 ? 'day' : 'days'} left`,
  filters: 'Filter and sort',
  order: 'Sort by',
  whereLabel: 'Location type',
  minimum: (symbol: ReactNode) => <>Minimum payment ({symbol})</>,
  deadline: 'Deadline',
  clearAll: 'Clear all',
  searchLabel: 'Search by keyword',
  search: 'Search tasks',
  place: 'Location',
  anySkill: 'Any skill',
  skill: 'Skill',
  signIn: 'Sign in to search and to read the details',
  none: 'No open tasks found',
  saved: 'Search saved in this browser',
  saveSearch: 'Save this search',
  savedSearches: 'Saved searches',
  rename: (search: string) => `Rename ${search}`,
  delete: (search: string) => `Delete ${search}`,
  searchName: 'Search name',
  nothingFits: 'No task matches all of your filters.',
  clearFilters: 'Clear filters',
  title: 'Open tasks',
  intro:
    'Every payment is already in escrow. You’re paid when the work is approved, or automatically if no one objects. If validators reject your work, you are not paid and lose your stake.',
  summary: {
    remote: { yes: 'remote', no: 'on site' },
    minimum: (amount: string) => `from ${amount}`,
    daysLeft: (days: number) => `at least ${days} day${days === 1 ? '' : 's'} left`,
    sort: { amount: 'highest payment', deadline: 'nearest deadline' },
  },
}
