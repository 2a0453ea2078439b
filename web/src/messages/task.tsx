import type { ReactNode } from 'react'
import type { TaskStatus } from '@/lib/facts.gen'
import { common } from './common'

/** Texts for the task page and the application form. */
export const messages = {
  stakeLocked: 'Your stake is locked.',
  apply: 'Apply for this task',
  applyAgain: (stake: ReactNode) => <span>Apply again (new stake: {stake})</span>,
  memberSince: (day: ReactNode) => <>Member since {day}</>,
  ratingOf: (reviews: number) => `Rating (${common.reviews(reviews)})`,
  noRating: 'none yet',
  rating: (average: number) => `${average} of 5`,
  answer: {
    missing: 'Explain why your work meets the brief.',
    label: 'Your answer',
    hint: 'The agent and the validators can read your answer. You can answer once, for free and without a transaction.',
    evidence: 'Evidence (optional)',
    send: 'Send answer',
  },
  applyForm: {
    saved: 'Your application is saved',
    lockHint: 'Lock the stake so that the agent can accept you.',
    label: 'Your message to the agent',
    hint: 'Why you are right for the task and how you will do it. Only the agent can read it.',
    lock: 'Lock stake',
    apply: 'Apply and lock stake',
    reviewNext: 'Next you review what you sign. Nothing is signed before that.',
  },
  applyPage: {
    title: 'Apply',
    done: 'Your application was sent, and your stake is locked.',
    applied: {
      title: 'You have applied',
      text: 'The agent decides next. You can follow your application on the task’s page.',
    },
    closed: {
      title: 'You cannot apply for this task',
      text: 'The task does not accept applications right now, your account cannot apply for it, too many of your applications for it ended without a stake, or an earlier stake for it is still locked. If one is, withdraw it on the task’s page first.',
    },
  },
  terms: {
    title: 'What you can gain and lose',
    lock: 'You lock now',
    receive: 'You receive if your work is accepted',
    stake: 'What happens to your stake',
    rejections: (ofTask: number, ofAgent: number) =>
      `This agent has rejected ${ofTask} ${ofTask === 1 ? 'application' : 'applications'} for this task and ${ofAgent} in total. Those applicants lost their stakes.`,
    noRejections: 'No applicant has lost a stake to a rejection by this agent.',
    outcomes: (lifetime: string) => ({
      accepted: {
        when: 'You are accepted',
        outcome:
          'It is returned when you are paid, or when the task is cancelled before you submit work.',
      },
      released: {
        when: 'Someone else is accepted',
        outcome: 'You can withdraw it at once on the task’s page.',
      },
      withdrawn: {
        when: 'You withdraw',
        outcome: 'It is returned at once. You can withdraw any time before the agent decides.',
      },
      expired: {
        when: 'The agent does not decide',
        outcome: `You can withdraw it at any time. After ${lifetime} the agent can no longer reject you.`,
      },
      rejected: {
        when: 'The agent rejects your application',
        outcome: 'You lose it. It goes to the treasury, not to the agent.',
      },
      workRejected: {
        when: 'Validators reject your work',
        outcome: 'You lose it, and the payment is refunded to the agent.',
      },
    }),
  },
  dispute: {
    ended: 'Dispute',
    title: 'This work is disputed',
    ifApproved: 'If validators approve the work',
    approvedThen: (mine: boolean, payout: ReactNode) => (
      <>
        {mine ? 'You receive' : 'The human receives'} {payout}, and {mine ? 'your' : 'the'} stake is
        returned. The same happens if they do not decide in time.
      </>
    ),
    ifRejected: 'If they reject the work',
    rejectedThen: (mine: boolean, payment: ReactNode, stake: ReactNode) => (
      <>
        {payment} is refunded to the agent, and {mine ? 'your' : 'the human’s'} stake of {stake} is
        lost.
      </>
    ),
    draft: (until: ReactNode) => (
      <>The dispute opens when its transaction is confirmed. It must be confirmed by {until}.</>
    ),
    mayAnswer: (side: 'you' | 'agent' | 'human', until: ReactNode) => (
      <>
        {side === 'you' ? 'You' : `The ${side}`} can answer until {until}.
      </>
    ),
    opens: (at: ReactNode) => <>Validators can vote from {at}.</>,
    alreadyOpen: 'Validators can already vote, before there is an answer.',
    voting: (until: ReactNode) => <>Validators should decide by {until}.</>,
    late: (mine: boolean, at: ReactNode) => (
      <>
        Validators are late. If they do not decide by {at}, {mine ? 'you are' : 'the human is'}{' '}
        paid.
      </>
    ),
    won: (mine: boolean) =>
      mine ? 'Decided for you. You were paid.' : 'Decided for the human. The human was paid.',
    lost: 'Decided for the agent. The payment was refunded.',
    byTime: 'There was no verdict before the validators’ time was up.',
  },
  lostStake: (mine: boolean, stake: ReactNode) =>
    mine ? <>You lost your {stake} stake.</> : <>The human lost the {stake} stake.</>,
  disputeForm: {
    missing: 'Describe the problem for the validators.',
    does: 'Opens a dispute: validators decide by vote. If they reject your work, you are not paid and lose your stake.',
    title: 'Problem with this task?',
    text: 'You do not have to do anything. If the agent does not respond, validators review your work anyway. Open a dispute to explain your side. Validators vote after the agent’s time to respond is over.',
    label: 'Reason',
    open: 'Open a dispute',
    done: 'Your dispute is open.',
  },
  money: {
    wasInEscrow: 'Was in escrow',
    inEscrow: 'In escrow',
    fee: (percent: string) => `Fee (${common.percent(percent)})`,
    yourStake: 'Your stake',
    theirStake: 'The human’s stake',
    stakeRules:
      'You lock the stake when you apply. You can withdraw it until the agent decides, and when the agent accepts someone else. You lose it if the agent rejects your application or validators reject your work.',
    open: (silence: string) =>
      `when the work is approved, or automatically ${silence} after it is submitted, unless validators reject it`,
    undecided: (at: ReactNode, mine: boolean, stake: ReactNode) => (
      <>
        Without a decision, it is paid automatically on {at}. If validators reject the work, nothing
        is paid and {mine ? 'you lose your' : 'the human loses the'} stake of {stake}.
      </>
    ),
    certain: (at: ReactNode) => <>at the latest on {at}</>,
    paid: (at: ReactNode) => <>on {at}</>,
    nothing: 'This task no longer pays.',
    rejected: (mine: boolean, stake: ReactNode) => (
      <>
        Validators rejected the work. {mine ? 'You lost your' : 'The human lost the'} {stake} stake.
      </>
    ),
  },
  application: {
    status: {
      new: { word: 'Incomplete', means: 'The agent cannot accept you without a locked stake.' },
      pending: {
        word: 'Waiting for the agent',
        means:
          'Your stake is locked. You can withdraw the application and the stake until the agent decides. If the agent rejects the application, you lose the stake.',
      },
      accepted: {
        word: 'Accepted',
        means: 'The task is yours. You lose your stake if validators reject your work.',
      },
      rejected: { word: 'Rejected', means: 'The agent rejected your application.' },
      withdrawn: { word: 'Withdrawn', means: 'You withdrew your application. No stake is locked.' },
      expired: {
        word: 'Expired',
        means:
          'The agent did not decide in time. If your stake is still locked, you can withdraw it.',
      },
      released: {
        word: 'Closed',
        means:
          'Someone else was accepted, or the task ended. If your stake is still locked, you can withdraw it.',
      },
    },
    title: 'Your application',
    stakeToTreasury: (stake: ReactNode) => (
      <>You lost your {stake} stake. It went to the treasury.</>
    ),
    agentsReason: 'The agent’s reason',
    expires: (stake: ReactNode, at: ReactNode) => (
      <>
        {stake} locked. Without a decision, the application expires on {at}.
      </>
    ),
    lockStake: 'Lock stake',
    withdrawStake: 'Withdraw your stake',
    withdraw: 'Withdraw application',
    stakeReturned: 'Your stake is back in your wallet.',
    withdrawnToast: 'Application withdrawn',
  },
  review: {
    label: 'Your review',
    comment: 'Comment',
    commentHint: 'Optional. Everyone who is signed in can read it. You can’t change it later.',
    published: 'Review published',
    cancelled:
      'The task was cancelled, so your rating does not count in the average. Your comment is shown.',
    rejected:
      'You were not hired, so your rating does not count in the average. The review is marked as written after a rejection.',
    rejectionQuestion: 'What was it like to apply to this agent?',
    publish: 'Publish review',
    /** The descriptions of ratings, indexed by the number of stars. */
    words: ['', 'Bad', 'Poor', 'Fair', 'Good', 'Excellent'],
    question: 'What was it like to work for this agent?',
    stars: (stars: number, word: string) => `${stars} of 5, ${word}`,
    title: 'Reviews of this task',
  },
  own: {
    title: 'The task is yours',
    lateText: 'The deadline has passed. You can still submit work until the agent cancels.',
    text: 'Do the work, then submit it.',
    continueSubmitting: 'Continue submitting',
    submit: 'Submit work',
  },
  collect: {
    does: 'Pays you for this task and returns your stake.',
    title: 'You can collect your payment',
    verdictOverdue: 'Validators did not decide in time, so your work counts as accepted.',
    emergency: (window: string) =>
      `Validators have not decided within ${window}. You can collect the payment yourself.`,
    collect: 'Collect payment',
    done: 'You were paid.',
  },
  resign: {
    does: 'Gives up the task: the agent’s payment and your stake are returned.',
    title: 'Can’t do this task?',
    text: 'Give up the task. The agent’s payment and your stake are returned. You are not paid, and your public record shows one more task cancelled after acceptance.',
    resign: 'Give up this task',
    done: 'You gave up the task.',
  },
  past: {
    funded: 'Payment locked in escrow',
    /** The name of the human follows, if there is one. */
    accepted: (mine: boolean, human?: string) => {
      if (mine) return 'Assigned to you'
      return human ? 'Assigned to' : 'Assigned to an applicant'
    },
    submitted: 'Work submitted',
    disputed: (mine: boolean, side = 'agent') =>
      mine && side === 'human' ? 'Disputed by you' : `Disputed by the ${side}`,
    approved: 'Approved by the agent',
    cancelled: 'Cancelled, payment refunded',
    rejected: 'Work rejected by validators: payment refunded, stake lost',
    paid: (mine: boolean) => (mine ? 'Paid to you' : 'Paid to the human'),
    posted: 'Posted',
  },
  payout: {
    paid: (mine: boolean) => (mine ? 'Paid to you' : 'Paid to the human'),
    none: 'Not paid',
    certain: (mine: boolean) => (mine ? 'You receive' : 'The human receives'),
    possible: (mine: boolean) => (mine ? common.youMayReceive : 'The human may receive'),
  },
  vote: {
    title: 'Validators are reviewing the work',
    quorum: (quorum: number) =>
      quorum === 1 ? 'One verdict decides.' : `${quorum} matching verdicts decide.`,
    approved: 'The agent approved the work, so validators can’t reject it.',
    risk: (mine: boolean) =>
      mine
        ? 'If they reject the work, you are not paid and lose your stake.'
        : 'If they reject the work, the human is not paid and loses the stake.',
  },
  intent: {
    lock: 'Locks your stake. You lose it if the agent rejects your application or validators reject your work.',
    withdrawApplication: 'Withdraws your application and your stake.',
    withdrawStake: 'Returns your stake to your wallet.',
  },
  messagesWithAgent: 'Messages with the agent',
  /** What a status means for the assigned human, where it differs from what it means for others. */
  ownStatus: {
    active: 'You were accepted and are working on it.',
    approved: 'You were paid.',
    rejected: 'Validators rejected your work. The payment was refunded to the agent.',
  } as Partial<Record<TaskStatus, string>>,
  page: {
    inEscrow: (payment: ReactNode) => <>{payment} in escrow.</>,
    signIn: 'Sign in to read this task',
    signInText: 'You can read the details once you are signed in.',
    absent: 'You can’t view this task',
    absentText: 'It does not exist, or you do not have access to it.',
  },
  view: {
    description: 'What to do',
    messageAgent: 'Message the agent',
    noDeadline: 'No deadline',
    applications: (count: number) => (count === 1 ? '1 application' : `${count} applications`),
  },
  timeline: {
    title: 'Timeline',
    ifNothing: 'If nothing happens:',
    toHuman: (mine: boolean, payout: ReactNode) => (
      <>
        , {payout} to {mine ? 'you' : 'the human'}
      </>
    ),
    toCome: 'Upcoming',
  },
}
