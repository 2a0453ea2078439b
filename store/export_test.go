package store

// ChoresSQL is open to the test of its plan.
const ChoresSQL = chores

// Translate is open to the test of what a caller learns of failures.
var Translate = translate
