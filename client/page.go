package client

import (
	"context"
	"errors"
	"iter"
)

// PageQuery selects a page of a list, either by the Cursor from the previous page or by the Page
// number, starting at 1. For fields that are zero, the API uses its defaults.
type PageQuery struct {
	Page     int
	PageSize int
	Cursor   string
}

// Parameters returns the values for the corresponding fields of queries such as TaskQuery.
func (q PageQuery) Parameters() (page, size *int, cursor *string) {
	return optional(q.Page), optional(q.PageSize), optional(q.Cursor)
}

// pageQuery is the inverse of Parameters.
func pageQuery(page, size *int, cursor *string) PageQuery {
	var q PageQuery
	for _, m := range []struct{ from, to *int }{{page, &q.Page}, {size, &q.PageSize}} {
		if m.from != nil {
			*m.to = *m.from
		}
	}
	if cursor != nil {
		q.Cursor = *cursor
	}
	return q
}

// wholePage is the maximum page size for most lists.
const wholePage = 100

// errEndless is returned when an iteration is stopped because the list never ends.
var errEndless = errors.New("the server's list does not end: a page is empty, or a cursor repeats")

// each iterates over a list page by page, starting at the position in q. Unless q sets a size, a
// page has up to wholePage items. An error ends the iteration. To prevent a server from making the
// iteration endless, each page must contain items and lead to a new cursor.
func each[T any](ctx context.Context, q PageQuery, fetch func(context.Context, PageQuery) ([]T, *string, error)) iter.Seq2[T, error] {
	if q.PageSize == 0 {
		q.PageSize = wholePage
	}
	return func(yield func(T, error) bool) {
		q, visited := q, cycle{at: q.Cursor, next: 1}
		for {
			items, cursor, err := fetch(ctx, q)
			if err != nil {
				yield(*new(T), err)
				return
			}
			for _, item := range items {
				if !yield(item, nil) {
					return
				}
			}
			if cursor == nil {
				return
			}
			if len(items) == 0 || visited.closes(*cursor) {
				yield(*new(T), errEndless)
				return
			}
			q.Page, q.Cursor = 0, *cursor
		}
	}
}

// cycle detects repeated cursors with Brent's algorithm, which stores only one cursor. A newer cursor
// is stored after one step, then after two more, four more and so on. In a cycle, one of the stored
// cursors is reached again.
type cycle struct {
	at          string // the stored cursor
	steps, next int    // steps since the cursor was stored, and the number of steps after which to store a newer one
}

// closes takes one step to the cursor and reports whether this completes a cycle.
func (c *cycle) closes(to string) bool {
	if to == c.at {
		return true
	}
	if c.steps++; c.steps == c.next {
		c.at, c.steps, c.next = to, 0, 2*c.next
	}
	return false
}
