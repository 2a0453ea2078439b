// Package rescue withdraws a wallet's money from the contracts with only an Ethereum node. It needs
// no server, no account and no local record.
//
// Open takes the escrow's address and reads the addresses of the other contracts. Rescue.Holdings
// finds the wallet's records in them: tasks that it posted or works on, stakes that it locked or
// that were locked for its tasks, credits, and rewards. It finds the records in the logs, with as
// many requests as the node's limits require, and reads their current state from the latest block,
// which every node has.
//
// Each record lists its exits, those that are open now and those that will open later, with their
// times. Package market defines the rules for exits, and this package makes the calls.
// Rescue.Plan makes a plan for an exit, simulates it and describes its consequence. Rescue.Execute
// sends exactly that plan.
//
// Data that only the server stores is missing: titles, deadlines, messages, and reward vouchers
// that were not submitted to the chain yet.
package rescue
