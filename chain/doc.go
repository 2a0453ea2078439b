// Package chain speaks to Ethereum: it follows the contracts' logs, makes the
// calls that wallets sign, checks signatures, proves what a transaction did,
// and sends what anyone may send.
//
// The pieces, and what each is allowed to know:
//
//   - Node is one or more RPC providers of one chain, asked one at a time.
//   - Watcher follows the logs into a Journal, one commit per Step. It reads
//     headers, logs and receipts only: a block of an OP-stack chain cannot be
//     decoded whole, because it holds transactions of a type of its own.
//   - Contracts makes calldata and reads logs. It does no I/O.
//   - Reader and Verifier ask the chain for what no log says.
//   - Signer holds a key. Sender turns calls into transactions, and Keeper
//     works off jobs with them.
//
// Nodes err, lag and lie. Whatever comes from one is checked against a block
// header whose hash is computed here and whose parent is the block before, and
// what does not fit is an error of that provider, never an empty answer. For
// this a provider must serve batches and eth_getBlockReceipts.
package chain
