// Package migrations embeds the SQL migrations. Once a migration has run on any deployed database,
// its statements must not change. schema.sql is a dump of the resulting schema.
package migrations

import "embed"

// FS contains the migrations.
//
//go:embed *_*.sql
var FS embed.FS
