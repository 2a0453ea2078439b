// Package migrations embeds the SQL migrations. 0001_schema.sql is the schema of version 0.1.0. Once a
// version with a migration is released, the migration's statements must not change.
package migrations

import "embed"

// FS contains the migrations.
//
//go:embed *_*.sql
var FS embed.FS

// Joined is the last number of the migrations before 0.1.0, which were joined to 0001_schema.sql. Later
// migrations have higher numbers, so that a database with one of the former schemas is recognised (ADR 0019).
const Joined = 80
