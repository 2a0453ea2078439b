package store

import (
	"context"
	"math"
)

// ChoresSQL is open to the test of its plan.
const ChoresSQL = chores

// KeeperStatusSQL is open to the test of its plan.
const KeeperStatusSQL = keeperStatusQuery

// Translate is open to the test of what a caller learns of failures.
var Translate = translate

// Want and PrepareWanted are open to the test of what happens to both at once.
func (s *Store) Want(query string)                 { s.want(query) }
func (s *Store) PrepareWanted(ctx context.Context) { s.prepareWanted(ctx) }

// LimitConns lets a test use up the connections.
func (s *Store) LimitConns(n int) { s.db.SetMaxOpenConns(n) }

// Statement is what a store sends, open to the tests of its plans.
type Statement struct {
	SQL  string
	Args []any
}

// TaskStatements returns what the page of tasks is read with, and what it is
// counted with when nobody keeps its length.
func (s *Store) TaskStatements(ctx context.Context, q TaskQuery) ([]Statement, error) {
	if err := s.findAgent(ctx, &q); err != nil {
		return nil, err
	}
	list, err := q.list()
	if err != nil {
		return nil, err
	}
	return list.statements(q.PageQuery)
}

// HumanStatements are the same for the page of humans.
func (*Store) HumanStatements(q HumanQuery) ([]Statement, error) {
	return q.list().statements(q.PageQuery)
}

// EventStatements are what events, and for whom there are any, are read with.
func (*Store) EventStatements(q EventQuery) map[string]Statement {
	arguments := q.arguments(math.MaxInt64)
	return map[string]Statement{
		"events":    {eventsQuery, arguments},
		"audiences": {audiencesQuery, []any{q.After.id, int64(math.MaxInt64), q.Limit}},
	}
}

func (l listing[R]) statements(query PageQuery) ([]Statement, error) {
	query, err := query.check()
	if err != nil {
		return nil, err
	}
	text, args, err := l.statement(query)
	if err != nil || l.length.sql != "" {
		return []Statement{{text, args}}, err
	}
	return []Statement{{text, args}, {l.countSQL(), l.filter.args}}, nil
}
