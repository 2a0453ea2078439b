package store

// ChoresSQL is open to the test of its plan.
const ChoresSQL = chores

// Translate is open to the test of what a caller learns of failures.
var Translate = translate

// LimitConns lets a test use up the connections.
func (s *Store) LimitConns(n int) { s.db.SetMaxOpenConns(n) }
