// Package chain is the service's knowledge of the contracts. It encodes the calls that wallets sign, decodes
// logs, checks signatures, and proves the effects of transactions.
//
//   - Contracts encodes calls and decodes logs. It does no I/O.
//   - Reader and Verifier read what no log contains, from the nodes of package rpc.
//   - Signer signs for one account.
//
// Package follow reads the contracts' logs into the records, package send sends transactions, package keeper
// sends the calls that need no user, and package audit compares the records with the contracts' state.
package chain
