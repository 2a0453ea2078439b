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
// Nodes err, lag and lie. Each answer is checked against block headers whose
// hashes are computed here and which build on the block before; an answer that
// does not fit is an error of that provider, never an empty answer. For this a
// provider must serve batches and eth_getBlockReceipts.
//
// # What one dishonest provider can do
//
// A header commits to its block's receipts, and so to address, topics, data and
// order of every log. What nothing here checks is the consensus: whether a chain
// of headers is the one that the network agreed on. With one provider that lies:
//
//   - It can serve a chain of its own making behind the newest blocks. The records
//     then show that chain's events until another provider is asked. Money does
//     not move by that: calls are simulated and signed for the real chain, where
//     the contracts decide, and a wallet's own node shows the difference.
//   - It can hold back the newest blocks. The head's age shows that in GET /health.
//   - Behind finality it can leave a log out only of a block whose bloom filter is
//     too full to exclude it, only if every answer about the range agrees, and only
//     where it also refuses or forges the contracts' counters. The auditor compares
//     the contracts' state, which the same provider can forge, too.
//   - It can name wrong transaction hashes, to which receipts do not commit, and on
//     chains with receipt types of their own forge data fields of a block's logs.
//   - It can raise alarms by forging states; the search that follows reads blocks
//     with receipts and changes nothing that these do not prove.
//
// A second, independent provider closes these gaps as far as it is asked: for
// blocks with full bloom filters, for the audit, after every contradiction, and
// before a violation of finality is declared.
package chain
