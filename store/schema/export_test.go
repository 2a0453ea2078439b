package schema

// NotifyPatience is exported for a test that exceeds it.
const NotifyPatience = notifyPatience

// MigrateFrom is exported for tests with migrations of their own.
var MigrateFrom = migrateFrom
