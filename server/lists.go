package server

import (
	"encoding/base64"
	"strconv"
	"strings"

	"taskmarket/gen/api"
	"taskmarket/market"
	"taskmarket/store"
)

// pageQuery converts the common parameters of lists. The validator has already filled in the
// defaults from openapi.yaml.
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

// mapAll converts each item. An empty list becomes [], not null.
func mapAll[T, U any](items []T, convert func(T) U) []U {
	mapped := make([]U, len(items))
	for i, item := range items {
		mapped[i] = convert(item)
	}
	return mapped
}

// signed converts a number that openapi.yaml defines as an int64. Chain ids, block numbers and
// panel numbers are far below 2^63.
func signed(n uint64) int64 {
	return int64(n) //nolint:gosec // see above
}

// optional returns a pointer for an optional field: nil for the zero value.
func optional[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

// part is one page of a list that is short enough to be read as a whole.
type part[T any] struct {
	items      []T
	page, size int
	next       *api.Cursor
}

// pageOf returns one page of a list. A cursor encodes the number of preceding items, which is enough for
// lists that rarely change except at their end.
func pageOf[T any](list []T, page *api.Page, size *api.PageSize, cursor *api.Cursor) (part[T], error) {
	query := pageQuery(page, size, cursor)
	start := (query.Page - 1) * query.PageSize
	if query.Cursor != "" {
		var err error
		if start, err = readOffset(query.Cursor); err != nil {
			return part[T]{}, err
		}
	}
	start = min(start, len(list))
	end := min(start+query.PageSize, len(list))
	cut := part[T]{items: list[start:end], page: query.Page, size: query.PageSize}
	if end < len(list) {
		cut.next = new(writeOffset(end))
	}
	return cut, nil
}

const offsetPrefix = "offset "

func writeOffset(n int) string {
	return base64.RawURLEncoding.EncodeToString([]byte(offsetPrefix + strconv.Itoa(n)))
}

func readOffset(cursor string) (int, error) {
	text, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if digits, ok := strings.CutPrefix(string(text), offsetPrefix); ok && err == nil {
		if n, err := strconv.ParseUint(digits, 10, 31); err == nil {
			return int(n), nil
		}
	}
	return 0, market.Invalid("cursor", "malformed", "is not a next_cursor that this list returned")
}
