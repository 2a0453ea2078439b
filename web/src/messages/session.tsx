import type { ReactNode } from 'react'

/** Texts for the sign-in dialog. */
export const messages = {
  title: 'Sign in with your wallet',
  text: 'You sign a message to prove who you are. Signing is free and moves no money.',
  noWallet: {
    title: 'No wallet found in this browser',
    text: 'Install an Ethereum wallet as a browser extension and reload this page, or open this page in your wallet’s own browser.',
  },
  connectedAs: (address: ReactNode) => <>Connected as {address}</>,
  connect: 'Choose the account in your wallet',
  otherNetwork: 'Your wallet is on another network',
  checkNetwork: 'Check the network',
  sign: 'Sign the message in your wallet',
  waiting: 'Waiting for your wallet…',
  switchNetwork: 'Switch network',
  otherWallet: 'Use another wallet',
  signedInAs: (username: ReactNode) => <>Signed in as {username}</>,
  testMoney: 'Test money, signs automatically',
  usedLast: 'Last used',
}
