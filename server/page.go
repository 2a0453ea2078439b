package server

import (
	"taskmarket/gen/api"
	"taskmarket/store"
)

// pageQuery reads a list's common parameters; the validator has filled in the
// document's defaults.
func pageQuery(page *api.Page, size *api.PageSize, cursor *api.Cursor) store.PageQuery {
	query := store.PageQuery{Page: 1}
	if page != nil {
		query.Page = *page
	}
	if size != nil {
		query.PageSize = *size
	}
	if cursor != nil {
		query.Cursor = *cursor
	}
	return query
}

// mapAll maps each item; an empty list is [], not null.
func mapAll[T, U any](items []T, convert func(T) U) []U {
	mapped := make([]U, len(items))
	for i, item := range items {
		mapped[i] = convert(item)
	}
	return mapped
}

// signed writes a number that the document has as an int64. Chain ids, block
// numbers and panels are far below 2^63.
func signed(n uint64) int64 {
	return int64(n) //nolint:gosec // see above
}

// optional is the pointer that an absent member needs: nil for the zero value.
func optional[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}
