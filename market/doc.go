// Package market defines the rules of the marketplace: its records, their statuses and transitions,
// limits, error kinds, and the hashes that tie a record to the chain.
//
// The package does no I/O and reads no clock: every rule that depends on time takes the instant as
// a parameter. The contracts' logs are folded into two records: EscrowTask from the escrow's logs
// and Stake from the staking contract's. A Task combines what its agent wrote with the EscrowTask
// that it is linked to; its status is a function of both and of chain time.
//
// Amounts are *big.Int in wei (18 decimals), times are UTC, and addresses are compared as bytes.
package market
