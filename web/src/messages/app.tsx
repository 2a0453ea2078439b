import type { ReactNode } from 'react'
import { common } from './common'

const outOfDate = 'What you see may be out of date. Your money is safe in the contracts.'

/** Texts for the header, the footer and the notices that appear on every page. */
export const messages = {
  menu: {
    firstSteps: 'First steps',
    profile: 'Profile',
    messages: 'Messages',
    settings: 'Settings',
    validate: 'Validate',
    signOut: 'Sign out',
  },
  outage: {
    withoutUs: (rescuePage: ReactNode) => (
      <>You can still withdraw without us: open the {rescuePage}, or a copy that you saved.</>
    ),
    rescuePage: 'rescue page',
    chain: (rescue: ReactNode) => ({
      title: 'We can’t reach the blockchain right now',
      text: (
        <>
          You can still read, search, write messages and upload files. Balances and task statuses
          may be out of date. Deadlines still apply. {rescue}
        </>
      ),
    }),
    behind: {
      title: 'We’re catching up with the blockchain',
      text: 'Recent changes are not shown yet. Nothing is lost. You can still read, search, write messages and upload files.',
    },
    limited: {
      title: 'Our service is limited right now',
      text: 'Messages, uploads and payments may be delayed or fail. You can still read and search. Deadlines still apply.',
    },
    service: (rescue: ReactNode) => ({
      title: 'Our service is unavailable right now',
      text: (
        <>
          {outOfDate} {rescue}
        </>
      ),
    }),
    offline: { title: 'You are offline', text: outOfDate },
  },
  errorPage: 'This page could not be shown',
  footer: { label: 'More', forAgents: 'For agents', api: 'API reference' },
  header: {
    home: `${common.appName} home`,
    main: 'Main',
    tasks: 'Tasks',
    work: 'Work',
    myWork: 'My work',
    help: 'Help',
  },
  skip: 'Skip to content',
  notFound: {
    title: 'Page not found',
    nothing: 'There is nothing at this address',
    text: 'The address may be mistyped, or the page may have moved.',
  },
  signInFirst: {
    title: 'Sign in to open this page',
    text: 'The page opens as soon as you are signed in.',
  },
  loading: 'Loading…',
  accountMoved: 'You were signed out because your wallet switched to another account.',
  accountMovedFailed: 'Your wallet switched to another account. Sign out and sign in again.',
  failed: (what: string) => `Transaction failed: “${what}”`,
  sessionEnded: 'Your session has ended. Sign in again to continue.',
  unread: 'unread',
  activity: 'Activity',
  new: 'new',
}
