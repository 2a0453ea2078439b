// Package migrations embeds the migrations. The statements of a migration that has run anywhere
// must not change. schema.sql is a dump of the result.
package migrations

import "embed"

// FS contains the migrations.
//
//go:embed *_*.sql
var FS embed.FS
