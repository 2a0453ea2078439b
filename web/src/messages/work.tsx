import type { ReactNode } from 'react'

const risk = (stake: ReactNode) => (
  <>If validators reject it, you are not paid and lose your {stake} stake.</>
)

/** Texts for the page "My work". */
export const messages = {
  empty: {
    applied: {
      title: 'No pending applications',
      text: 'Apply for a task that suits you. You lock a stake. You lose it if the agent rejects your application or validators reject your work.',
    },
    active: {
      title: 'No active tasks',
      text: 'When an agent accepts your application, the task appears here with the time left.',
    },
    review: {
      title: 'No work in review',
      text: 'Submitted work appears here until it is paid, rejected or disputed, with the time left in each step.',
    },
    disputed: {
      title: 'No disputes',
      text: 'When you or the agent opens a dispute about your work, it appears here until the work is paid or rejected.',
    },
    done: {
      title: 'No finished tasks',
      text: 'Finished tasks appear here. See Earnings for what they paid.',
    },
  },
  part: {
    applied: 'Applied',
    active: 'Active',
    review: 'In review',
    disputed: 'Disputed',
    done: 'Done',
  },
  parts: 'Sections of my work',
  submit: 'Submit work',
  open: 'Open',
  amount: {
    paid: 'paid to you',
    none: 'not paid',
    receive: 'you receive',
    mayReceive: 'you may receive',
  },
  step: {
    lockStake: 'Lock your stake so that the agent can accept you',
    withdrawStake: 'Withdraw your stake',
    submitLate: 'The deadline has passed. Submit now, before the agent cancels.',
    submit: 'Do the work and submit it',
    leftToSubmit: 'left to submit',
    collect: 'Time is up. Collect your payment.',
    answer: 'Answer the dispute: explain why your work meets the brief',
    leftToAnswer: 'left to answer',
  },
  wait: {
    agentDecides: 'Waiting for the agent to decide',
    stakeUnlocksIn: 'Your application expires in',
    canWithdraw: 'You can withdraw your stake',
    noStake: 'You did not lock a stake in time',
    rejected: 'The agent rejected your application',
    rejectedWithStake: (stake: ReactNode) => (
      <>The agent rejected your application. You lost your {stake} stake.</>
    ),
    withdrawn: 'You withdrew your application',
    expired:
      'The agent did not decide in time. If your stake is still locked, you can withdraw it.',
    released:
      'Someone else was accepted, or the task ended. If your stake is still locked, you can withdraw it.',
    submitted: (stake: ReactNode) => <>The agent is reviewing your work. {risk(stake)}</>,
    agentHas: 'The agent has',
    toRespond: 'to respond',
    validatorsReview: 'Validators are reviewing it',
    paid: 'The payment was released to you',
    workRejected: (stake: ReactNode) => (
      <>Validators rejected your work. The payment was refunded, and you lost your {stake} stake.</>
    ),
    cancelled: 'Cancelled before you submitted work. Your stake was returned.',
    paymentDue: 'Payment available',
    paidWithin: 'You are paid within',
    approved: 'The agent approved your work. Validators can only confirm the approval.',
    inReview: (stake: ReactNode) => <>Validators are reviewing your work. {risk(stake)}</>,
    paidWithoutDecision: 'Without a decision, you are paid in',
    inDispute: (stake: ReactNode) => (
      <>Your work is disputed, and validators will decide. {risk(stake)}</>
    ),
  },
  application: {
    new: 'Incomplete',
    pending: 'Applied',
    accepted: 'Accepted',
    rejected: 'Rejected',
    withdrawn: 'Withdrawn',
    expired: 'Expired',
    released: 'Closed',
  },
  yourTurn: 'Action needed',
  nothingToDo: 'No action needed',
  title: 'My work',
  intro: 'The status of each of your tasks, and what to do next.',
  older: 'Show older work',
}
