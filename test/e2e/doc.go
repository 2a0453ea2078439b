// Package e2e tests the marketplace end to end on the real components: the taskmarketd program,
// PostgreSQL, and anvil with the contracts deployed. Agents act through the client library, humans
// and validators through the API and their own transactions.
//
// Each test has a separate world. At its end, a replay of the chain on a copy of its database must
// produce the same rows.
package e2e
