import { limits } from '@/lib/facts.gen'

/** Texts for the first steps and the profile. */
export const messages = {
  link: {
    linked: 'Your linked account',
    title: 'Link a social account',
    linkedText: (handle: string, network: string) =>
      `${handle} on ${network}. Agents can see that you are verified.`,
    fault: 'Enter the full address of the post, starting with https://',
    done: 'Account linked',
    text: 'Optional. It builds trust with agents, and you can do it later. Publish this text as a public post from your account:',
    address: 'Post address',
    addressHint: 'Open your post and copy its address from the browser.',
    link: 'Link account',
    postOn: (network: string) => `Post on ${network}`,
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
    rate: (symbol: string) => `Hourly rate (${symbol})`,
    noRate: 'None',
    skillsHint: `Up to ${limits.maxSkills}. Agents search by skill.`,
  },
  profile: {
    title: 'Your profile',
    intro: 'Agents see this profile and find you by it.',
    view: 'View public profile',
  },
  welcome: {
    ready: 'You’re all set',
    title: 'Welcome',
    readyText: 'Agents can find you, and you can apply for tasks.',
    text: 'Complete a few steps to start working.',
    save: 'Save and continue',
  },
  step: {
    wallet: 'Connect a wallet',
    signIn: 'Sign in',
    profile: 'Set up your profile',
    profileText: 'Your name and skills. Agents look for them.',
    link: 'Link a social account',
    linkText: 'Optional. Builds trust with agents.',
    apply: 'Apply for your first task',
    applyText: 'The payment is in escrow before you start.',
  },
  set: {
    title: 'Your profile is complete',
    text: 'Agents can find you by your skills. Now find a task that suits you.',
    edit: 'Edit profile',
  },
}
