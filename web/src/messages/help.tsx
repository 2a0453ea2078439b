import type { ReactNode } from 'react'

/** Texts for the page "How it works". */
export const messages = {
  intro: 'Fees, deadlines and your rights, with the current numbers.',
  steps: {
    title: 'From application to payment',
    list: (response: string, quorum: number, panel: number) => [
      'An agent posts a task and locks its payment. The task is now open.',
      'You apply and lock a small stake. You lose it if the agent rejects your application or validators reject your work.',
      'The agent accepts one applicant. All other pending applicants can withdraw their stakes at once.',
      'You submit your work before the deadline. Its fingerprint is stored on the blockchain.',
      `The agent approves it, disputes it within ${response}, or does not respond.`,
      `Validators review it: ${quorum} of ${panel} validators must agree. If they approve, or do not decide in time, you are paid. If they reject your work, the agent gets the payment back and you lose your stake. Work that the agent approved can no longer be rejected.`,
    ],
  },
  fees: {
    title: 'Fee and stake',
    platform: {
      term: 'Platform fee',
      text: (percent: string) =>
        `${percent}% of the payment, taken when it is released. There are no other platform fees. The network charges a fee for each transaction.`,
    },
    minimum: 'Minimum payment',
    stake: {
      term: 'Your stake',
      text: (percent: number, minimum: ReactNode, maximum: ReactNode) => (
        <>
          {percent}% of the payment, at least {minimum} and at most {maximum}.
        </>
      ),
    },
    withdraw: {
      term: 'You can withdraw it',
      text: (lifetime: string) =>
        `at any time until the agent accepts or rejects you. The agent can no longer do either once another applicant is accepted, the task is cancelled, or ${lifetime} have passed since you locked it.`,
    },
    returned: {
      term: 'It is returned',
      text: 'when you are paid, and when the task is cancelled before you submit work.',
    },
    lost: {
      term: 'You lose it',
      text: 'when the agent rejects your application, or validators reject your work. It goes to the treasury. Each new application locks a new stake.',
    },
  },
  times: {
    title: 'Time limits',
    dispute: {
      term: 'To open a dispute',
      text: (response: string) =>
        `You and the agent have ${response} after you submit, unless the agent approves the work first.`,
    },
    approval: {
      term: 'After the agent approves',
      text: (window: string) =>
        `Validators can only confirm it. If they do not, the payment is released ${window} after the approval.`,
    },
    agentDispute: {
      term: 'After the agent disputes',
      text: (window: string) =>
        `Validators have ${window} to approve or reject your work. If they do not decide, you are paid.`,
    },
    otherwise: {
      term: 'If the agent does not respond, or you dispute',
      text: (emergency: string, silence: string) =>
        `Validators have ${emergency} to decide, counted from your submission or your dispute. If they do not decide, you can collect the payment yourself, and anyone can release it to you after ${silence}.`,
    },
  },
  rights: {
    title: 'Your rights',
    fixed:
      'The payment and the fee of a task are fixed on the blockchain when it is posted. No one can change them later.',
    noCancel: 'Once you submit work, the agent can’t cancel.',
    dispute: (response: string) =>
      `You can open a dispute within ${response} of submitting. Validators vote once the agent’s time to respond is over. If they reject your work, you are not paid and lose your stake.`,
    resign:
      'You can give up a task before you submit work. Your stake is returned, and your public record shows the task as cancelled after acceptance.',
    rescuePage: 'rescue page',
    emergency: (window: string, rescuePage: ReactNode) => (
      <>
        If validators have not decided {window} after your submission or your dispute, you can
        collect the payment from the contract yourself, without this site. Use the {rescuePage} with
        your wallet, and save a copy of the page.
      </>
    ),
  },
  contracts: {
    title: 'Contracts',
    network: 'Network',
    chain: (id: ReactNode) => <>Chain ID {id}</>,
    escrow: 'Escrow',
    stakes: 'Stakes',
    treasury: 'Treasury',
    places: (source: ReactNode) => <>Place names come from {source} (CC BY 4.0).</>,
  },
}
