// Package e2e holds the stories of the marketplace, told by its tests on the
// real thing: the taskmarketd program, PostgreSQL, and an anvil with the
// contracts deployed. Agents act through the client library, people through
// the API and their own transactions.
//
// Each story has a world of its own, and ends by showing that a replay of the
// chain on a copy of its database ends in the same rows.
package e2e
