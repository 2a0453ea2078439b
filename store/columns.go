package store

import (
	"database/sql"

	"github.com/google/uuid"
	"github.com/lib/pq"
)

// orZero is a column whose NULL is the zero value.
func orZero[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

// text is a text column whose NULL is the empty string.
func text(s *string) string { return orZero(s) }

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

// nullInt is a number whose NULL is 0.
type nullInt int

// Scan implements sql.Scanner.
func (n *nullInt) Scan(src any) error {
	var scanned sql.NullInt64
	err := scanned.Scan(src)
	*n = nullInt(scanned.Int64)
	return err
}

// uuidArray is an array of ids; NULL is nil.
type uuidArray []uuid.UUID

// Scan implements sql.Scanner.
func (a *uuidArray) Scan(src any) error { return pq.Array((*[]uuid.UUID)(a)).Scan(src) }
