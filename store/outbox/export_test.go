package outbox

// KeeperStatusSQL is exported for a test of its query plan.
const KeeperStatusSQL = keeperStatusQuery
