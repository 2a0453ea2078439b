package store

// ChoresSQL is open to the test of its plan.
const ChoresSQL = chores
