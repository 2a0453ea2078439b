// Package migrations embeds the SQL migrations. Once a migration has run on any deployed database,
// its statements must not change. schema.sql is a dump of the resulting schema.
package migrations

import "embed"

// FS contains the migrations.
//
//go:embed *_*.sql
var FS embed.FS

// Frozen is the number of the last migration before the first release. Migrations up to this number lock
// tables while they scan them, and store.Migrate runs them only on databases without records (ADR 0019).
// Later ones run while the previous release serves requests.
const Frozen = 23
