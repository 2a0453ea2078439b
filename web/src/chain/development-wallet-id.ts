/** The EIP-6963 identifier of the development wallet, in reverse DNS. */
export const developmentWalletId = 'localhost.taskmarket.development'
