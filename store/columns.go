package store

import (
	"github.com/google/uuid"
	"github.com/lib/pq"
)

// text is a text column whose NULL is the empty string.
func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// nullText is the inverse of text.
func nullText(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// stringArray is an array that is never NULL.
func stringArray(s []string) pq.StringArray {
	if s == nil {
		return pq.StringArray{}
	}
	return s
}

// uuidArray is an array of ids; NULL is nil.
type uuidArray []uuid.UUID

// Scan implements sql.Scanner.
func (a *uuidArray) Scan(src any) error { return pq.Array((*[]uuid.UUID)(a)).Scan(src) }
