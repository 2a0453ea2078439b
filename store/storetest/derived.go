package storetest

import (
	"testing"

	"taskmarket/store"
)

// Derived returns, keyed by table, queries for the rows that must be functions of the canonical
// logs and of chain time.
func Derived() map[string]string {
	return map[string]string{
		"chain_logs": `SELECT block_hash, log_index, block_number, block_time, tx_hash, tx_index, address, topics, data, kind,
			task_id, application_id, event FROM chain_logs WHERE canonical`,
		"chain_parameters":     `SELECT * FROM chain_parameters`,
		"chain_validators":     `SELECT * FROM chain_validators`,
		"chain_quorums":        `SELECT * FROM chain_quorums`,
		"onchain_tasks":        `SELECT * FROM onchain_tasks`,
		"onchain_applications": `SELECT * FROM onchain_applications`,
		"tasks":                `SELECT id, status, escrow_task_id, human_id, turns_at, changed_block FROM tasks`,
		"applications": `SELECT id, task_id, human_id, message, stake_tx, stake_ordinal, status, onchain_application_id, turns_at
			FROM applications`,
	}
}

// Rows returns the rows that a query selects, as sorted text.
func Rows(tb testing.TB, s *store.Store, query string) []string {
	tb.Helper()
	var rows []string
	if err := DB(tb, s).Select(&rows, `SELECT to_jsonb(r)::text FROM (`+query+`) r ORDER BY 1`); err != nil {
		tb.Fatalf("%s: %v", query, err)
	}
	return rows
}
