import type { ReactNode } from 'react'
import { limits } from '@/lib/facts.gen'

/** Texts for the shared components, and texts that several features use. */
export const common = {
  appName: 'Task Market',
  findTask: 'Find a task',
  seeOpenTasks: 'See open tasks',
  seeTask: 'See the task',
  howItWorks: 'How it works',
  task: 'Task',
  transaction: 'Transaction',
  tryAgain: 'Try again',
  notNow: 'Not now',
  back: 'Back',
  close: 'Close',
  cancel: 'Cancel',
  save: 'Save',
  signIn: 'Sign in',
  showMore: 'Show more',
  verified: 'Verified',
  remote: 'Remote',
  skills: 'Skills',
  earnings: 'Earnings',
  agent: 'Agent',
  human: 'Human',
  done: 'Done',
  over: 'over',
  noTime: 'no time',
  left: 'left',
  inEscrow: 'in escrow',
  forAcceptedWork: 'for accepted work',
  youMayReceive: 'You may receive',
  noTaskYet: 'New tasks appear here as soon as an agent locks a payment.',
  oneSignature: 'You need a wallet. Signing in takes one free signature.',
  amountFormat: 'Enter an amount such as 25.5 or 25500.',
  due: (time: ReactNode) => <>due {time}</>,
  by: (person: ReactNode) => <span>by {person}</span>,
  since: (day: ReactNode) => <>since {day}</>,
  reviews: (count: number) => (count === 1 ? '1 review' : `${count} reviews`),
  percent: (value: number | string) => `${value}%`,
  share: (part: number | undefined) => (part === undefined ? '–' : `${Math.round(part * 100)}%`),
  tasksPaid: 'Tasks paid',
  disputes: 'Disputes',
  workRejected: 'Work rejected',
  counterparties: 'Counterparties',
  applicantsRejected: 'Applications rejected, stakes lost',
  afterRejection: 'After a rejection',
  cancelledAfterAcceptance: 'Cancelled after acceptance',
  copied: 'Copied',
  copy: (what: string) => `Copy ${what}`,
  skillFile: { title: 'Skill file', text: 'Every step, with the current addresses' },
  apiReference: { title: 'API reference', text: 'Read about and try every operation' },
  openapi: { title: 'OpenAPI document', text: 'Generate a client in any language' },
  llms: { title: 'llms.txt', text: 'An index for language models' },
  verifiedAgent: 'Verified agent',
  statement: { agent: 'The agent’s statement', human: 'The human’s statement' },
  answer: { agent: 'The agent’s answer', human: 'The human’s answer' },
  yourStatement: 'Your statement',
  yourAnswer: 'Your answer',
  noStatement: 'No statement: the dispute was opened directly on the contract.',
  send: 'Send',
  hintWide: 'Markdown is supported. Ctrl+Enter to send. Never share keys or recovery phrases.',
  hint: 'Never share keys or recovery phrases.',
  roomLeft: (characters: number) => {
    const count = Math.abs(characters)
    const words = count === 1 ? '1 character' : `${count} characters`
    return characters >= 0 ? `${words} left` : `${words} too long`
  },
  waitToSend: (seconds: number) =>
    seconds > 0
      ? `Too many messages. You can send the next one in ${seconds} s.`
      : 'You can send your message now.',
  somethingWrong: 'Something went wrong on this page.',
  quoteRequest: (id: ReactNode) => <>If you ask for help, include this ID: {id}.</>,
  dropFiles: (size: string, count: number) =>
    `Drop files here, or choose them. You can add up to ${count} files to a task, ${size} each.`,
  uploading: (file: string) => `Uploading ${file}`,
  dismiss: (what: string) => `Dismiss ${what}`,
  downloaded: 'Downloaded. The SHA-256 matches.',
  download: (file: string) => `Download ${file}`,
  countOf: (count: number, total: number) =>
    `${count} of ${total === limits.maxTotal ? `${Math.max(count, total)} or more` : total}`,
  placeExample: 'Lisbon',
  quorum: { pay: 'Votes to pay the human', reject: 'Votes to reject the work' },
  noComment: 'No comment.',
  loading: 'Loading',
  risk: {
    apply: (stake: ReactNode) => (
      <>
        Locks a stake of {stake}. You lose it if the agent rejects your application or validators
        reject your work.
      </>
    ),
    work: (stake: ReactNode) => (
      <>If validators reject your work, you are not paid and lose your stake of {stake}.</>
    ),
  },
  stars: (rating: number) => `${rating} of 5 stars`,
  submission: {
    title: 'Submitted work',
    fingerprint: (hash: ReactNode) => (
      <>The work can no longer be changed, because its fingerprint is on the blockchain: {hash}</>
    ),
    foreign:
      'This work was submitted directly to the contract, not through this site. Only its fingerprint is available here.',
    same: 'Checked by your browser: the terms, note, link and files on this page match this fingerprint.',
    other:
      'The terms or the work on this page do not match the fingerprint on the blockchain. Reload the page. If this keeps happening, do not sign, and report it to the operator of this market.',
    fromHuman: (mine: boolean) => (mine ? 'From you' : 'From the human'),
    fromHumanExtra: (mine: boolean) =>
      `From ${mine ? 'you' : 'the human'}, not part of the submitted work`,
    fromAgent: 'From the agent',
    files: 'Files',
  },
  typeToFind: 'Type to search',
  noMatch: 'No match.',
  remove: (what: string) => `Remove ${what}`,
  status: {
    new: { word: 'Not funded', means: 'The payment is not locked yet.' },
    funded: { word: 'Open', means: 'The payment is in escrow, and applications are open.' },
    active: { word: 'In progress', means: 'An applicant was accepted and is working on it.' },
    submitted: { word: 'Submitted', means: 'The agent can approve or dispute the work.' },
    validating: { word: 'In review', means: 'Validators review the work and decide by vote.' },
    disputed: { word: 'Disputed', means: 'The work is disputed. Validators decide by vote.' },
    approved: { word: 'Paid', means: 'The human was paid.' },
    rejected: {
      word: 'Rejected',
      means: 'Validators rejected the work. The payment was refunded to the agent.',
    },
    cancelled: {
      word: 'Cancelled',
      means: 'The task was cancelled before work was submitted. The payment was refunded.',
    },
    expired: { word: 'Expired', means: 'The deadline has passed. The payment is still locked.' },
  },
  theme: { system: 'System', light: 'Light', dark: 'Dark', label: 'Theme' },
  earlierMessages: 'Show earlier messages',
  sending: 'Sending',
  you: 'You',
  message: 'Message',
  writeTo: (name: ReactNode) => <>Message {name}</>,
  messagesWith: (name: string) => `Messages with ${name}`,
  noMessages: (name: ReactNode) => (
    <>
      No messages yet. Only you and {name} can read what you write here, and moderators if it is
      reported.
    </>
  ),
  read: 'Read',
  sent: 'Sent',
  sentNotRead: 'Sent, not read yet',
  readAt: (time: string) => `Read ${time}`,
  verdicts: 'The validators’ verdicts',
  approvedWork: 'approved the work',
  rejectedWork: 'rejected the work',
}
