package store

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/lib/pq"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// BoardTask is what pg.NoScope may know of a task that is open for applications.
type BoardTask struct {
	ID            uuid.UUID
	Title         string
	Skills        []string
	Location      string
	Remote        bool
	Amount        string // wei
	Deadline      *time.Time
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
	AgentUsername string         `db:"agent_username"`
	AgentVerified bool           `db:"agent_verified"`
}

func (r boardRow) task() BoardTask {
	return BoardTask{
		ID: r.ID, Title: r.Title, Skills: r.Skills, Location: pg.Text(r.Location), Remote: r.Remote, Amount: r.Amount.String(),
		Deadline: r.Deadline.Pointer(), AgentUsername: r.AgentUsername, AgentVerified: r.AgentVerified,
	}
}

// Board lists the tasks that are open for applications, newest first.
func (s *Store) Board(ctx context.Context, page PageQuery) (Page[BoardTask], error) {
	list := pg.List[boardRow]{
		What: "select the board",
		Columns: `t.id, t.title, t.skills, t.location, t.remote, t.amount, t.deadline, t.created_at,
			u.username AS agent_username, u.verified_at IS NOT NULL AS agent_verified`,
		From: "tasks t", Joins: " JOIN users u ON u.id = t.agent_id", Length: boardLength,
		Order: pg.Order{Name: "board", Key: "t.created_at", ID: "t.id", Descending: true, Parse: pg.ParseTimeKey},
		Key:   func(r boardRow) (string, uuid.UUID) { return pg.TimeKey(r.CreatedAt.Time), r.ID },
	}
	list.Filter.Add("t.status = '" + string(market.StatusFunded) + "'") // literally, for the board's partial index
	return pg.SelectPage(ctx, s.db, list, page, boardRow.task)
}
