// Package follow reads the logs of the contracts into a Journal, with one commit for each Step of a Watcher. It
// reads only headers, logs and receipts: go-ethereum cannot decode a whole block of an OP-stack chain, which
// contains a transaction type of that chain. Every answer is checked (see package rpc).
//
// # What one dishonest provider can do
//
// A header commits to its block's receipts, and so to the address, topics, data and order of every
// log. The consensus is not checked: nothing here verifies that a chain of headers is the one that
// the network agreed on. A single dishonest provider has these options:
//
//   - It can append forged blocks to the chain. The records then show their events until another
//     provider is used. Payments are not affected: the contracts on the real chain check each call,
//     and a wallet's own node shows the difference. Rewards are affected: forged payments earn
//     karma, for which the service signs vouchers up to the distributor's budget. No voucher is
//     signed while the auditor reports a difference between the records and the contracts.
//   - It can claim that a contract wallet accepts a signature, even for an account without code,
//     and so sign in as any user. If several providers respond, all must accept the signature.
//   - It can let a call pass that the contracts would revert, and the transaction then costs only gas. If
//     several providers respond, a revert counts only if none of them returns a result.
//   - It can report followed blocks as final that may still be reorganised. Records
//     then count as final too early, and a reorganisation below such a block is
//     reported as a violation of finality. If several providers respond, the lowest
//     finalized block counts. Only block numbers are compared: the forged blocks of a
//     provider that stays in use become final once the others have finalized these numbers.
//   - It can withhold the newest blocks. GET /health shows the age of the head. While another
//     provider responds, a head that is more than ten minutes behind needs a forged time.
//   - It can omit a log of a finalized block only if the block's bloom filter is too
//     full to exclude it, all answers about the range agree, and the provider
//     also rejects or forges the reads of the contracts' counters. The auditor
//     compares the contracts' state at every provider. A single provider can forge it as well.
//   - It can return wrong transaction hashes, to which receipts do not commit.
//   - It can raise alarms by forging states, also beside honest providers, and so stop the vouchers. The
//     search that follows reads blocks with receipts and changes only what the receipts prove.
//
// A second, independent provider closes these gaps where it is used: for blocks with full bloom
// filters, for the audit, after every contradiction, and before a violation of finality is
// declared.
package follow
