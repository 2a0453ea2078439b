// Package market holds the rules of the marketplace: its records, their
// states and the transitions between them, the limits, the error kinds and
// the hashes that tie a record to the chain.
//
// Nothing here does I/O or looks at a clock: every rule that depends on time
// takes the instant as a parameter. What the contracts say is folded in two
// records: EscrowTask from the escrow's logs and Stake from the staking
// contract's. A Task is what people wrote plus the EscrowTask it is linked to,
// and its status is a function of the two and of chain time.
//
// Amounts are *big.Int in wei (18 decimals), times are UTC, and an address is
// compared as bytes.
package market
