// Package migrations embeds the migrations. A migration that has run anywhere keeps its statements;
// schema.sql is a dump of the result.
package migrations

import "embed"

// FS holds the migrations.
//
//go:embed *_*.sql
var FS embed.FS
