import type { ReactNode } from 'react'

const tasks = (count: number) => (count === 1 ? '1 task' : `${count} tasks`)

/** Texts for the page "Earnings". */
export const messages = {
  chart: {
    asTable: 'Show as a table',
    label: 'Bar chart of earnings by month',
    caption: 'Earnings by month',
    month: 'Month',
    tasks: 'Tasks',
  },
  credit: {
    does: 'Withdraws your money from the contract to your wallet.',
    title: 'Money waiting for you',
    withdraw: 'Withdraw',
    text: (amount: ReactNode) => (
      <>
        {amount} could not be paid to your wallet when it was due. You can withdraw it at any time.
      </>
    ),
    done: 'The money is in your wallet.',
  },
  intro: 'Your payments, the money in escrow for your tasks, and the stakes that you lost.',
  downloadCsv: 'Download CSV',
  none: {
    title: 'No payments yet',
    text: 'When a payment is released to you, it goes to your wallet and appears here.',
  },
  byMonth: 'By month',
  csvHeader: (symbol: string) => [
    'Paid at',
    'Task',
    'Agent',
    `Was in escrow (${symbol})`,
    `Fee (${symbol})`,
    `Received (${symbol})`,
    'Transaction',
    'Task ID',
  ],
  total: {
    title: 'Total earned',
    tasks: (count: number) => `${tasks(count)}, after fees`,
    none: 'Nothing earned yet',
  },
  locked: {
    title: 'In escrow for your tasks',
    tasks: (count: number) =>
      `${tasks(count)}, after fees. You are not paid for work that validators reject.`,
    none: 'No active tasks',
  },
  stakes: {
    title: 'Your locked stakes',
    of: (active: number, applications: number) =>
      active + applications === 0
        ? 'No stakes locked'
        : `For ${tasks(active)} and ${applications} ${applications === 1 ? 'application' : 'applications'}. You lose a stake if the agent rejects your application or validators reject your work.`,
  },
  wallet: {
    title: 'In your wallet',
    unreachable: 'We can’t reach the blockchain right now.',
    live: 'Live balance',
  },
  payments: 'Payments',
  paidBy: (day: ReactNode, agent: ReactNode) => (
    <>
      {day}, from {agent}
    </>
  ),
  losses: {
    title: 'Lost stakes',
    count: (stakes: number) => {
      if (stakes === 0) return 'No stakes lost'
      return stakes === 1 ? '1 stake' : `${stakes} stakes`
    },
    total: (total: ReactNode) => <>Total: {total}. Lost stakes go to the treasury.</>,
    by: {
      agent: (day: ReactNode) => <>The agent rejected your application of {day}</>,
      verdict: (day: ReactNode) => <>Validators rejected your work ({day})</>,
    },
  },
}
