// Package migrations embeds the schema's history: goose files that are never
// edited once they have run anywhere. schema.sql is the dump of their result.
package migrations

import "embed"

// FS holds the migrations.
//
//go:embed *_*.sql
var FS embed.FS
