package store

import (
	"context"
	"math/big"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/lib/pq"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// TaskScope selects tasks by their relation to the viewer.
type TaskScope string

// The scopes of a task list.
const (
	ScopeMine  TaskScope = "mine"  // tasks that the agent created, or that the human is assigned to or applied for
	ScopeBoard TaskScope = "board" // funded tasks that are shown, visible to every user
	ScopeHired TaskScope = "hired" // tasks that the human was assigned to
)

// TaskSort is the order of a task list.
type TaskSort string

// The orders of a task list.
const (
	SortNewest   TaskSort = "newest"
	SortAmount   TaskSort = "amount"   // largest first
	SortDeadline TaskSort = "deadline" // nearest first, tasks without a deadline last
)

// TaskQuery selects tasks. Zero fields do not restrict the list.
type TaskQuery struct {
	PageQuery
	Viewer        market.Principal
	Scope         TaskScope
	Status        []market.Status
	Q             string // search terms for title and description
	Skill         string
	Place         string // prefix of the location, normalised like market.Task.Place
	Remote        *bool
	MinAmount     *big.Int   // wei
	MaxAmount     *big.Int   // wei
	DueAfter      *time.Time // also selects tasks without a deadline
	AgentUsername string
	Sort          TaskSort // SortNewest if empty

	agent uuid.UUID // the id of AgentUsername; zero if unknown
}

// Tasks lists the tasks in the scope that the viewer can read. It returns KindInvalid for an
// invalid query. A task includes its submission only if the viewer is a party to the task.
func (s *Store) Tasks(ctx context.Context, q TaskQuery) (Page[TaskView], error) {
	if err := s.resolveAgent(ctx, &q); err != nil {
		return Page[TaskView]{}, err
	}
	list, err := q.list()
	if err != nil {
		return Page[TaskView]{}, err
	}
	return pg.SelectPage(ctx, s.db, list, q.PageQuery, func(r taskViewRow) TaskView { return r.viewFor(q.Viewer) })
}

// resolveAgent reads the agent's id in a separate statement. With the id as an argument to the
// list's statement, the planner can estimate whether the agent has few or many tasks.
func (s *Store) resolveAgent(ctx context.Context, q *TaskQuery) error {
	if q.AgentUsername == "" {
		return nil
	}
	err := s.db.Get(ctx, nil, &q.agent, `
		SELECT id FROM users WHERE kind = 'agent' AND lower(username) COLLATE "C" = lower($1) COLLATE "C"`, q.AgentUsername)
	if err = pg.Translate(err, "select the agent of a task list"); market.KindOf(err) == market.KindNotFound {
		return nil
	}
	return err
}

func (q TaskQuery) list() (pg.List[taskViewRow], error) {
	order, place, err := taskOrder(q.Sort)
	if err != nil {
		return pg.List[taskViewRow]{}, err
	}
	list := pg.List[taskViewRow]{
		What: "select tasks", Columns: taskViewColumns, From: "tasks t", Joins: taskViewJoins,
		Order: order, Key: place, AdHoc: q.filtered(),
	}
	if err := q.scope(&list.Filter); err != nil {
		return pg.List[taskViewRow]{}, err
	}
	q.addFilters(&list.Filter)
	return list, nil
}

func taskOrder(sort TaskSort) (pg.Order, func(taskViewRow) (string, uuid.UUID), error) {
	switch sort {
	case SortNewest, "":
		return pg.Order{Name: "newest", Key: "t.created_at", ID: "t.id", Descending: true, Parse: pg.ParseTimeKey},
			func(r taskViewRow) (string, uuid.UUID) { return pg.TimeKey(r.CreatedAt.Time), r.ID }, nil
	case SortAmount:
		return pg.Order{Name: "amount", Key: "t.amount", ID: "t.id", Descending: true, Parse: pg.ParseWeiKey},
			func(r taskViewRow) (string, uuid.UUID) { return r.Amount.String(), r.ID }, nil
	case SortDeadline:
		return pg.Order{Name: "deadline", Key: pg.OrInfinity("t.deadline"), ID: "t.id", Parse: pg.ParseTimeOrInfinity},
			func(r taskViewRow) (string, uuid.UUID) { return pg.TimeKey(r.Deadline.Time), r.ID }, nil
	}
	return pg.Order{}, nil, market.Invalid("sort", "enum", "must be newest, amount or deadline")
}

// scope restricts the list to the statuses and to the tasks that the viewer can read.
func (q TaskQuery) scope(f *pg.Filter) error {
	switch {
	case q.Scope == ScopeBoard:
		f.Add(onBoard)
		if len(q.Status) > 0 && !slices.Contains(q.Status, market.StatusFunded) {
			f.Add("false")
		}
		return nil
	case q.Scope == ScopeMine && q.Viewer.Kind == market.PrincipalAgent:
		f.Add("t.agent_id = ? AND t.lapsed_at IS NULL", q.Viewer.ID)
	case q.Scope == ScopeMine && q.Viewer.Kind == market.PrincipalHuman:
		// Every signed-in user can read the tasks on the board, so tasks on the board with a withdrawn
		// application are included.
		f.Add(`t.status <> 'new' AND t.id IN (
			SELECT id FROM tasks WHERE human_id = ?
			UNION ALL
			SELECT task_id FROM applications a WHERE a.human_id = ? AND (a.status <> 'withdrawn' OR `+onBoard+`))`,
			q.Viewer.ID, q.Viewer.ID)
	case q.Scope == ScopeHired && q.Viewer.Kind == market.PrincipalHuman:
		f.Add("t.human_id = ?", q.Viewer.ID)
	default:
		return market.Invalid("scope", "enum", "must be mine or board")
	}
	if len(q.Status) > 0 {
		f.Add("t.status = ANY (?)", pq.Array(q.Status))
	}
	return nil
}

// onBoard is a literal condition, so that the board's partial indexes can be used.
const onBoard = "t.status = 'funded' AND t.visibility = 'shown'"

// filtered reports whether the list has a filter. The statements for filtered lists are not
// prepared, because there are too many variants.
func (q TaskQuery) filtered() bool {
	return q.Q != "" || q.Skill != "" || q.Place != "" || q.Remote != nil ||
		q.MinAmount != nil || q.MaxAmount != nil || q.DueAfter != nil || q.AgentUsername != ""
}

func (q TaskQuery) addFilters(f *pg.Filter) {
	// A search for texts that market.Task.TextsWithheldFrom withholds would reveal them.
	if q.Scope == ScopeMine && q.Viewer.Kind == market.PrincipalHuman && (q.Q != "" || q.Skill != "" || q.Place != "") {
		f.Add("(t.visibility <> 'removed' OR t.human_id = ?)", q.Viewer.ID)
	}
	if q.Q != "" {
		f.AddWords("t.search", q.Q)
	}
	if q.Skill != "" {
		f.Add("t.skills @> ?", pq.StringArray{q.Skill})
	}
	if q.Place != "" {
		f.AddPrefix("t.place", q.Place)
	}
	if q.Remote != nil {
		f.Add("t.remote = ?", *q.Remote)
	}
	if q.MinAmount != nil {
		f.Add("t.amount >= ?", pg.Wei{Int: q.MinAmount})
	}
	if q.MaxAmount != nil {
		f.Add("t.amount <= ?", pg.Wei{Int: q.MaxAmount})
	}
	if q.MinAmount != nil && q.MaxAmount != nil && q.MinAmount.Cmp(q.MaxAmount) > 0 {
		f.Add("false") // otherwise the planner would scan the whole board
	}
	if q.DueAfter != nil {
		f.Add(pg.OrInfinity("t.deadline")+" > ?", q.DueAfter.UTC()) // UTC, because PostgreSQL accepts a smaller range of UTC offsets than Go
	}
	if q.AgentUsername != "" {
		f.Add("t.agent_id = ?", q.agent)
	}
}

// BoardTask is the public part of a task that is open for applications.
type BoardTask struct {
	ID            uuid.UUID
	Title         string
	Skills        []string
	Location      string
	Remote        bool
	Amount        string // wei
	Deadline      *time.Time
	AgentName     string
	AgentUsername string
	AgentVerified bool
}

type boardRow struct {
	pg.Listed
	ID            uuid.UUID      `db:"id"`
	Title         string         `db:"title"`
	Skills        pq.StringArray `db:"skills"`
	Location      *string        `db:"location"`
	Remote        bool           `db:"remote"`
	Amount        pg.Wei         `db:"amount"`
	Deadline      pg.NullTime    `db:"deadline"`
	CreatedAt     pg.NullTime    `db:"created_at"`
	AgentName     string         `db:"agent_name"`
	AgentUsername string         `db:"agent_username"`
	AgentVerified bool           `db:"agent_verified"`
}

func (r boardRow) task() BoardTask {
	return BoardTask{
		ID: r.ID, Title: r.Title, Skills: r.Skills, Location: pg.Text(r.Location), Remote: r.Remote, Amount: r.Amount.String(),
		Deadline: r.Deadline.Pointer(), AgentName: r.AgentName, AgentUsername: r.AgentUsername, AgentVerified: r.AgentVerified,
	}
}

// visibleTasks selects those of the tasks $1 that neither a measure nor a rule hides.
const visibleTasks = `SELECT id FROM tasks WHERE id = ANY ($1) AND visibility = 'shown'`

// Board lists the tasks that are open for applications, newest first. The list can be a few seconds old, but
// never contains a task hidden by a measure or a rule; see WithStandby.
func (s *Store) Board(ctx context.Context, page PageQuery) (Page[BoardTask], error) {
	list := pg.List[boardRow]{
		What: "select the board",
		Columns: `t.id, t.title, t.skills, t.location, t.remote, t.amount, t.deadline, t.created_at,
			u.name AS agent_name, u.username AS agent_username, u.verified_at IS NOT NULL AS agent_verified`,
		From: "tasks t", Joins: " JOIN users u ON u.id = t.agent_id",
		Order: pg.Order{Name: "board", Key: "t.created_at", ID: "t.id", Descending: true, Parse: pg.ParseTimeKey},
		Key:   func(r boardRow) (string, uuid.UUID) { return pg.TimeKey(r.CreatedAt.Time), r.ID },
	}
	list.Filter.Add(onBoard)
	return pg.SelectRecentPage(ctx, s.db, s.standby, list, visibleTasks, page, boardRow.task)
}
