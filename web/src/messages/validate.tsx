import type { ReactNode } from 'react'

/** Texts for the validators' page. */
export const messages = {
  outcome: {
    paid: 'The human was paid',
    refunded: 'The payment was refunded to the agent',
    paidText: (payout: ReactNode) => <>The human received {payout}, and the stake was returned.</>,
    refundedText: (payment: ReactNode, stake: ReactNode) => (
      <>
        {payment} was refunded to the agent, and the human lost the {stake} stake.
      </>
    ),
  },
  round: (round: number) => (round === 1 ? 'Dispute' : 'Review'),
  youVoted: { pay: 'You voted: pay', reject: 'You voted: reject' },
  voteOver: 'Voting is closed',
  endsNow: 'ends now',
  opensIn: 'Voting opens in',
  opensNow: 'a moment',
  empty: {
    title: 'No work to review',
    text: 'Submitted work appears here. You can vote as soon as the agent approves or disputes the work, or does not respond in time.',
  },
  pending: (count: number) => {
    if (count === 0) return 'You have voted on every task in this list.'
    return count === 1
      ? 'You have not voted on one task in this list.'
      : `You have not voted on ${count} tasks in this list.`
  },
  case: {
    agreed: 'The brief',
    times: (due: ReactNode, submitted: ReactNode) => (
      <>
        Due {due}. Submitted {submitted}.
      </>
    ),
    seePage: 'See the task’s page',
    sides: 'Statements',
    noAnswer: (side: 'agent' | 'human') => `The ${side} did not answer.`,
    noAnswerYet: (side: 'agent' | 'human', until: ReactNode) => (
      <>
        The {side} has not answered yet, and can do so until {until}.
      </>
    ),
  },
  title: 'Validate',
  intro:
    'Decide whether the submitted work meets the brief. A verdict is a signature. It is free, and you can’t change it.',
  notOne: {
    title: 'This page is for validators',
    former: 'I used to be a validator',
    text: (account: ReactNode) => (
      <>
        Validators decide whether work meets the brief. The escrow contract lists them, and the
        account that you signed in with, {account}, is not on the list.
      </>
    ),
    formerText:
      'If you were a validator until recently, tasks from that time may still need your verdict.',
  },
  form: {
    refused: (why: string) => `Your verdict was not accepted: ${why}`,
    noChoice: 'Choose a verdict.',
    noReason: 'Give a reason. Both sides can read it after the decision.',
    reason: 'Reason',
    reasonHint:
      'What you compared, and what decided it. Both sides can read it after the decision.',
    optionalReason: 'Reason (optional)',
    onlyPay: 'The agent approved the work, so the only possible verdict is to pay the human.',
    agentApproved: 'The agent approved the work.',
    review: 'Review and sign',
    verdict: 'Your verdict',
  },
  choice: {
    pay: { word: 'Pay the human', means: 'The work meets the brief.' },
    reject: { word: 'Reject the work', means: 'The work does not meet the brief.' },
  },
  announce: {
    idle: '',
    checking: 'Checking what you will sign…',
    blocked: 'Your wallet is not ready.',
    review: 'Check what you will sign.',
    wallet: 'Sign the verdict in your wallet.',
    sending: 'Signed. Sending your verdict…',
    declined: 'You cancelled in your wallet. Nothing was signed.',
  },
  panel: {
    inWallet:
      'Sign the verdict in your wallet. If your wallet does not open, click its icon next to the address bar.',
    sign: 'Sign with my wallet',
    declined: 'You cancelled in your wallet.',
    nothingSigned: 'Nothing was signed.',
    sendAgain: 'Send again',
    check: 'Check before you sign',
    signature: 'This is a free signature, not a transaction. You can’t change your verdict.',
    verdict: 'Verdict',
    round: 'Round',
    fingerprint: 'Fingerprint of the work',
    contract: 'Contract',
    escrow: 'Escrow',
    chain: 'Chain',
    chainOf: (name: string, id: number) => `${name} (chain ID ${id})`,
    reason: 'Reason (sent with the verdict, not signed)',
  },
  vote: {
    title: 'Verdict',
    complete:
      'The vote is complete. We’re submitting the result to the contract and paying the network fee.',
    closed: 'Voting is closed. Without a decision, the human is paid.',
    open: (quorum: number, left: number, ends: ReactNode) => (
      <>
        {quorum === 1 ? 'One vote decides.' : `${quorum} matching votes decide.`}
        {left === 1 && quorum > 1 && ' The next vote can decide it.'} Voting closes {ends}. Without
        a decision, the human is paid.
      </>
    ),
    mine: {
      pay: 'Your verdict: pay the human. It is signed and counted.',
      reject: 'Your verdict: reject the work. It is signed and counted.',
    },
    opens: (at: ReactNode) => <>Voting opens {at}.</>,
    mayAnswer: (side: 'agent' | 'human', until: ReactNode) => (
      <>
        The {side} can still answer until {until}. You can wait for the answer, because you can’t
        change your verdict.
      </>
    ),
  },
}
