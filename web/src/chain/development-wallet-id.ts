/** Names the development wallet among the others, as EIP-6963 wants it: in reverse DNS. */
export const developmentWalletId = 'localhost.taskmarket.development'
