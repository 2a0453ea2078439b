package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"time"

	"taskmarket/gen/client"
	"taskmarket/test/bench/measure"
)

// findEnd follows the board's pages to the last one and stores the cursor for it.
func (s *service) findEnd(ctx context.Context) error {
	api, err := client.NewClientWithResponses(s.url, client.WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		r.Header.Set("X-API-Key", s.callers[0].key)
		return nil
	}))
	if err != nil {
		return fmt.Errorf("create an API client: %w", err)
	}
	scope, pageSize := client.TaskScopeBoard, 100
	query := client.ListTasksParams{Scope: &scope, PageSize: &pageSize}
	for {
		page, err := api.ListTasksWithResponse(ctx, &query)
		if err != nil {
			return fmt.Errorf("read the board's pages: %w", err)
		}
		if page.JSON200 == nil {
			return fmt.Errorf("read the board's pages: %s: %s", page.Status(), page.Body)
		}
		if page.JSON200.NextCursor == nil {
			return nil
		}
		s.end, query.Cursor = *page.JSON200.NextCursor, page.JSON200.NextCursor
	}
}

// depth compares the last page of a long list with its first page.
func (s *service) depth(window time.Duration) measure.Target {
	return measure.Target{
		Name: "board's last page",
		Rows: []measure.Spec{{
			Name: "board's last page, CPU", Unit: "µs", Goal: measure.Goal{Ratio: 1.5}, Peer: "floor: its first page",
		}},
		Round: func(ctx context.Context, random *rand.Rand) ([]measure.Pair, error) {
			var first, last effort
			err := measure.RunInRandomOrder(random,
				func() (err error) { first, err = s.queryService(ctx, board(boardPath), window); return err },
				func() (err error) {
					last, err = s.queryService(ctx, board(boardPath+"&cursor="+url.QueryEscape(s.end)), window)
					return err
				})
			return []measure.Pair{{Floor: first.cpu, Ours: last.cpu}}, err
		},
	}
}

// board returns an endpoint for the page of the board at the path, without a floor.
func board(path string) endpoint {
	return endpoint{method: http.MethodGet, status: http.StatusOK, path: fixed(path)}
}
