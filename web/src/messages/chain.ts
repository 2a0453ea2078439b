/** Texts for wallet and chain failures. */
export const messages = {
  otherTab: {
    title: 'Another tab is already asking your wallet for this.',
    hint: 'Respond to that request. If that tab is closed, try again.',
  },
  failed: 'The transaction failed.',
  noWork: 'There is no work to give a verdict on.',
  otherMarket:
    'This task is in a different escrow contract than the one this site uses now. Nothing was signed.',
  contract: { token: 'Token', staking: 'Application stakes', escrow: 'Escrow' },
  otherCall:
    'The server proposed a different transaction than the one you asked for. Nothing was signed.',
  doNotSign:
    'Reload the page. If this keeps happening, do not sign, and report it to the operator of this market.',
  tooLittle: {
    title: (symbol: string) => `Your wallet does not have enough ${symbol} for the stake.`,
    hint: (symbol: string) => `Add ${symbol} to your wallet, then try again. Nothing was signed.`,
  },
  otherToken: 'The token contract reports a different network or address. Nothing was signed.',
  badTime: {
    title: 'The blockchain node reports an invalid time. Nothing was signed.',
    hint: 'Try again in a moment.',
  },
  badSignature: {
    title: 'The token does not accept this wallet’s signatures.',
    hint: 'Use another wallet. If this is a smart wallet, send one transaction with it first.',
  },
  developmentWallet: 'Development wallet',
  browserWallet: 'Browser wallet',
  cancelled:
    'You cancelled the transaction in your wallet. Nothing changed, but the network fee was spent.',
  replaced: {
    title: 'Your wallet replaced the transaction with another one.',
    hint: 'Your wallet’s history shows which one. You can start again here.',
  },
  noEffect: {
    title: 'The transaction was sent, but changed nothing in the contract.',
    hint: 'Only the network fee was spent. Reload the page to see the current state.',
  },
  reverted: 'The transaction failed on the blockchain.',
  revertedHint: 'Nothing changed, but the network fee was spent. You can try again.',
  notSent: {
    title: 'Your wallet reports that the transaction failed.',
    hint: 'Nothing changed, but a network fee may have been spent. You can try again.',
  },
  partlySent: {
    title: 'Only part of the transaction took effect.',
    hint: 'Reload the page to see the current state.',
  },
  otherSignIn:
    'The server requested a signature that does not sign you in here. Nothing was signed.',
  otherErasure:
    'The server requested a signature that does not delete this account. Nothing was signed.',
  permissionExpired: {
    title: 'The permission has expired or is about to expire.',
    hint: 'Try again, and check the new permission before you sign.',
  },
  noBatch: {
    title: 'Your wallet can’t send both calls in one transaction. Nothing was sent.',
    hint: 'Try again. Your wallet will then ask you twice.',
  },
  otherVerdict: 'The server requested a signature for a different verdict. Nothing was signed.',
  decided: 'This task is already decided.',
  nothingSigned: 'Nothing was signed.',
  voted: { title: 'You have already given your verdict.', hint: 'You can’t change it.' },
  moved: {
    title: 'The task has changed since you opened it. Nothing was signed.',
    hint: 'Read it again, then decide.',
  },
  noWallet: { title: 'No wallet is connected.', hint: 'Connect your wallet again.' },
  otherChain: 'The data on the blockchain does not match this page. Nothing was signed.',
  otherNetwork: {
    title: 'Your wallet is on another network. Nothing was signed.',
    hint: 'Switch the network in your wallet, then try again.',
  },
  otherAccount: {
    title: 'Your wallet is locked or on another account. Nothing was signed.',
    hint: 'Unlock it, and select the account that you use on this page. Then try again.',
  },
  declined: 'You cancelled in your wallet. Nothing was signed.',
  pendingRequest: 'Your wallet has a pending request. Open your wallet and respond to it.',
  disconnected: {
    title: 'Your wallet has no connection to the network.',
    hint: 'Check its connection, then try again.',
  },
  noAccess:
    'Your wallet does not allow this page to use your account. Connect it in your wallet, then try again.',
  noGas: 'Your wallet does not have enough of the network’s currency for the fee.',
  sendGas: 'Add some to your wallet, then try again.',
  unreachable: 'We can’t reach the blockchain right now.',
  moneyIsSafe: 'Your money is safe in the contracts. Try again in a moment.',
  badNode: 'The blockchain node returned an error.',
  badWallet:
    'Something went wrong in your wallet or on this page. Unlock your wallet, reload the page, then try again.',
}
