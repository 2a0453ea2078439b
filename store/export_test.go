package store

import (
	"context"
	"math"

	"taskmarket/store/internal/pg"
)

// ChoresSQL is open to the test of its plan.
const ChoresSQL = chores

// KeeperStatusSQL is open to the test of its plan.
const KeeperStatusSQL = keeperStatusQuery

// Statement is what a store sends, open to the tests of its plans.
type Statement struct {
	SQL  string
	Args []any
}

// TaskStatements returns what the page of tasks is read with, and what it is
// counted with when nobody keeps its length.
func (s *Store) TaskStatements(ctx context.Context, q TaskQuery) ([]Statement, error) {
	if err := s.resolveAgent(ctx, &q); err != nil {
		return nil, err
	}
	list, err := q.list()
	if err != nil {
		return nil, err
	}
	return statements(list, q.PageQuery)
}

// HumanStatements are the same for the page of humans.
func (*Store) HumanStatements(q HumanQuery) ([]Statement, error) {
	return statements(q.list(), q.PageQuery)
}

// EventStatements are what events, and for whom there are any, are read with.
func (*Store) EventStatements(q EventQuery) map[string]Statement {
	arguments := q.arguments(math.MaxInt64)
	return map[string]Statement{
		"events":    {eventsQuery, arguments},
		"audiences": {audiencesQuery, []any{q.After.id, int64(math.MaxInt64), q.Limit}},
	}
}

func statements[R pg.ListedRow](list pg.List[R], query PageQuery) ([]Statement, error) {
	query, err := query.Check()
	if err != nil {
		return nil, err
	}
	text, args, err := list.Statement(query)
	if err != nil || list.Length.SQL != "" {
		return []Statement{{text, args}}, err
	}
	count, countArgs := list.CountStatement()
	return []Statement{{text, args}, {count, countArgs}}, nil
}
