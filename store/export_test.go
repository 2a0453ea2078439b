package store

import (
	"context"
	"math"
	"slices"

	"github.com/google/uuid"

	"taskmarket/store/internal/pg"
)

// AgentActionsSQL is exported for a test of its query plan.
var AgentActionsSQL = agentActions

// Statement is a statement whose query plan is tested.
type Statement struct {
	SQL  string
	Args []any
}

// TaskStatements returns the statement for a page of tasks and, unless the list's length is stored,
// the statement that counts the tasks.
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

// HumanStatements returns the statements for a page of humans.
func (*Store) HumanStatements(q HumanQuery) ([]Statement, error) {
	return statements(q.list(), q.PageQuery)
}

// EventStatements returns the statements that read events and their audiences.
func (*Store) EventStatements(q EventQuery) map[string]Statement {
	arguments := q.arguments(math.MaxInt64)
	return map[string]Statement{
		"events":    {eventsQuery, arguments},
		"audiences": {audiencesQuery, []any{q.After.id, int64(math.MaxInt64), q.Limit}},
	}
}

// ExportStatement returns the statement of the first page of a section.
func ExportStatement(name string, account uuid.UUID) Statement {
	section := exportSections[slices.IndexFunc(exportSections, func(e exportSection) bool { return e.name == name })]
	_, expressions := section.columns()
	return Statement{section.sql(expressions), []any{account, nil}}
}

func statements[R pg.ListedRow](list pg.List[R], query PageQuery) ([]Statement, error) {
	query, err := query.Check()
	if err != nil {
		return nil, err
	}
	text, args, err := list.Statement(query)
	if err != nil || list.Length != "" {
		return []Statement{{text, args}}, err
	}
	count, countArgs := list.CountStatement()
	return []Statement{{text, args}, {count, countArgs}}, nil
}

// The retention periods are exported for a test of the operators' manual.
const (
	EventRetention    = eventRetention
	JobRetention      = jobRetention
	SpendingRetention = spendingRetention
)
