// Package market defines the rules of the marketplace: its records, their statuses and transitions,
// limits, error kinds, and the hashes that tie a record to the chain.
//
// The package does no I/O and does not read the clock. Every rule that depends on time takes the
// current time as a parameter. The contracts' logs are folded into EscrowTask (a task in the
// escrow), Stake (an application in the staking contract) and Parameters (the escrow's settings). A
// Task combines the agent's texts with the EscrowTask that it is linked to. Its status is a
// function of both and of chain time.
//
// Amounts are *big.Int in wei (18 decimals), times are UTC, and addresses are compared as bytes.
package market
