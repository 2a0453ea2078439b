// Package store keeps the marketplace's records in PostgreSQL.
//
// It has two halves. The records half is what people write: users, tasks,
// applications, messages. The journal half is what the chain says: a Step of
// the watcher is committed in one transaction together with everything that
// follows from it, so that at any moment the chain-derived columns are a pure
// function of the canonical logs and of chain time. The way of a log is
//
//	chain_logs → onchain_tasks, onchain_applications, chain_parameters
//	           → tasks, applications → activities, outbox
//
// and each arrow is a fold that can be run again for any record: advancing,
// rewinding and linking all call the same functions on what they touched.
//
// Exported methods are one transaction each. What the database refuses for the
// caller's sake comes back as a *market.Error; every other error says what was
// being done.
package store
