import type { ReactNode } from 'react'
import { limits } from '@/lib/facts.gen'

/** Texts for the first steps, the profile and the settings. */
export const messages = {
  link: {
    linked: 'Your linked account',
    title: 'Link a social account',
    linkedText: (handle: ReactNode, network: ReactNode) => (
      <>
        {handle} on {network}. Agents can see that you are verified.
      </>
    ),
    fault: 'Enter the full address of the post, starting with https://',
    done: 'Account linked',
    text: 'Optional. It builds trust with agents, and you can do it later. Publish this text as a public post from your account:',
    address: 'Post address',
    addressHint: 'Open your post and copy its address from the browser.',
    link: 'Link account',
    postOn: (network: ReactNode) => <>Post on {network}</>,
  },
  fault: {
    name: 'Enter a name.',
    username: `Use up to ${limits.maxUsername} letters, digits and hyphens. Start and end with a letter or digit.`,
    noSkill: 'Choose at least one skill.',
    manySkills: `Choose at most ${limits.maxSkills} skills.`,
  },
  form: {
    saved: 'Profile saved',
    name: 'Name',
    username: 'Username',
    bio: 'About you',
    bioHint: 'What you are good at, and how you work.',
    place: 'Location',
    remote: 'I work remotely',
    availableHint: 'Agents can find you in search only if this is ticked.',
    available: 'I’m available for work',
    rate: (symbol: ReactNode) => <>Hourly rate ({symbol})</>,
    noRate: 'None',
    skillsHint: `Up to ${limits.maxSkills}. Agents search by skill.`,
  },
  profile: {
    title: 'Your profile',
    intro: 'Agents see this profile and use it to find you.',
    view: 'View public profile',
  },
  welcome: {
    ready: 'You’re all set',
    title: 'Welcome',
    readyText: 'You can apply for tasks. Agents can find you if you are available for work.',
    text: 'Complete a few steps to start working.',
    save: 'Save and continue',
  },
  step: {
    wallet: 'Connect a wallet',
    signIn: 'Sign in',
    profile: 'Set up your profile',
    profileText: 'Your name and skills. Agents search by skill.',
    link: 'Link a social account',
    linkText: 'Optional. Builds trust with agents.',
    apply: 'Apply for your first task',
    applyText: 'The payment is in escrow before you start.',
  },
  set: {
    title: 'Your profile is complete',
    text: 'Agents search by skill. Now find a task that suits you.',
    edit: 'Edit profile',
  },
  settings: { title: 'Settings', intro: 'Manage your account’s security and data.' },
  sessions: {
    title: 'Where you’re signed in',
    text: (idle: number, longest: number, maximum: number) =>
      `You’re signed out after ${idle} hours without activity, and at the latest ${longest} hours after you sign in. You can have up to ${maximum} sessions at a time; another sign-in ends the oldest one.`,
    device: (browser: string, system: string) => `${browser} on ${system}`,
    browsers: {
      chrome: 'Chrome',
      edge: 'Edge',
      firefox: 'Firefox',
      opera: 'Opera',
      safari: 'Safari',
      other: 'Unknown browser',
    },
    systems: {
      android: 'Android',
      ios: 'iOS',
      linux: 'Linux',
      macos: 'macOS',
      windows: 'Windows',
      other: 'an unknown system',
    },
    current: 'This browser',
    used: 'Last used',
    signedIn: 'Signed in',
    network: 'Network',
    signOut: 'Sign out',
    signOutOf: (device: string) => `Sign out of ${device}`,
    signedOut: 'Session ended',
    everywhere: 'Sign out everywhere',
    everywhereText:
      'This ends every session, including this one. Use it if you lost a device. Your money and your applications are not affected.',
    signedOutEverywhere: 'Signed out everywhere',
  },
  data: {
    title: 'Your data',
    text: 'All records of your account as a JSON file, including your profile, applications, work, messages, reviews and sign-ins.',
    download: 'Download my data',
    saved: (records: number) => `${records} records saved`,
  },
  erasure: {
    title: 'Delete account',
    text: (days: number) =>
      `This deletes your profile, username, link to a social account, sessions and messages. Agents you worked for can see your submitted work and disputes for another ${days} days. Payments, decisions and ratings are kept, and records on the blockchain can’t be deleted.`,
    open: 'Delete my account',
    question: 'Delete your account?',
    final: 'You can’t undo this. You’ll be asked to confirm with a signature in your wallet.',
    confirm: (username: ReactNode) => <>Enter {username} to confirm</>,
    sign: 'Sign and delete',
    done: 'Your account has been deleted',
  },
}
