package server

import (
	"encoding/base64"
	"strconv"
	"strings"

	"taskmarket/gen/api"
	"taskmarket/market"
)

// part is a page of a list that is short enough to be read whole.
type part[T any] struct {
	items      []T
	page, size int
	next       *api.Cursor
}

// pageOf cuts a page out of a list. A cursor says how many items came before:
// these lists only grow at their end.
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
	return 0, market.Invalid("cursor", "malformed", "this is not a next_cursor of this list")
}
