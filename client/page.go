package client

import (
	"context"
	"errors"
	"iter"
)

// PageQuery asks for a part of a list: by Cursor, as the page before answered
// it, else by Page from 1. Zero members take the API's defaults.
type PageQuery struct {
	Page     int
	PageSize int
	Cursor   string
}

// Parameters returns the query as TaskQuery, HumanQuery and ActivityQuery hold it.
func (q PageQuery) Parameters() (page, size *int, cursor *string) {
	return given(q.Page), given(q.PageSize), given(q.Cursor)
}

// pageQuery is the opposite of Parameters.
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

// wholePage is the largest page that most lists have.
const wholePage = 100

// errEndless ends an iteration that a server would have go on for ever.
var errEndless = errors.New("the server answered a list without an end")

// each goes through a list from where q begins, page after page, in pages as
// large as can be unless q says otherwise. An error ends it. Every page must
// bring something and lead somewhere new: a server cannot keep it going with
// nothing.
func each[T any](ctx context.Context, q PageQuery, fetch func(context.Context, PageQuery) ([]T, *string, error)) iter.Seq2[T, error] {
	if q.PageSize == 0 {
		q.PageSize = wholePage
	}
	return func(yield func(T, error) bool) {
		q, visited := q, circle{at: q.Cursor, next: 1}
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

// circle finds out that a walk goes in a circle, remembering one place of it
// (Brent's algorithm): a place that lies on the circle is passed again before
// the place after twice as many steps is remembered instead.
type circle struct {
	at          string // the place remembered
	steps, next int    // since when, and when to remember another
}

// closes takes one step and reports whether it leads back.
func (c *circle) closes(to string) bool {
	if to == c.at {
		return true
	}
	if c.steps++; c.steps == c.next {
		c.at, c.steps, c.next = to, 0, 2*c.next
	}
	return false
}
