// Package moderation stores what users and rules report, the decisions of moderators with their statements of
// reasons, and the appeals against them.
package moderation

import "taskmarket/store/internal/pg"

// Store provides access to reports, decisions and appeals. It is safe for concurrent use.
type Store struct{ db *pg.DB }

// New returns a store on the database.
func New(db *pg.DB) *Store { return &Store{db: db} }
