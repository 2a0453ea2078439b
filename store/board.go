package store

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/lib/pq"

	"taskmarket/market"
)

// BoardTask is what everybody may know of a task that is open for applications.
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
	listed
	ID            uuid.UUID      `db:"id"`
	Title         string         `db:"title"`
	Skills        pq.StringArray `db:"skills"`
	Location      *string        `db:"location"`
	Remote        bool           `db:"remote"`
	Amount        wei            `db:"amount"`
	Deadline      nullTime       `db:"deadline"`
	CreatedAt     nullTime       `db:"created_at"`
	AgentUsername string         `db:"agent_username"`
	AgentVerified bool           `db:"agent_verified"`
}

func (r boardRow) task() BoardTask {
	return BoardTask{
		ID: r.ID, Title: r.Title, Skills: r.Skills, Location: text(r.Location), Remote: r.Remote, Amount: r.Amount.String(),
		Deadline: r.Deadline.pointer(), AgentUsername: r.AgentUsername, AgentVerified: r.AgentVerified,
	}
}

// Board lists the tasks that are open for applications, newest first.
func (s *Store) Board(ctx context.Context, page PageQuery) (Page[BoardTask], error) {
	list := listing[boardRow]{
		what: "select the board",
		columns: `t.id, t.title, t.skills, t.location, t.remote, t.amount, t.deadline, t.created_at,
			u.username AS agent_username, u.verified_at IS NOT NULL AS agent_verified`,
		found: "tasks t", joins: " JOIN users u ON u.id = t.agent_id", length: boardLength,
		order: order{name: "board", key: "t.created_at", id: "t.id", descending: true, parse: parseTimeKey},
		place: func(r boardRow) (string, uuid.UUID) { return timeKey(r.CreatedAt.Time), r.ID },
	}
	list.filter.add("t.status = '" + string(market.StatusFunded) + "'") // literally, for the board's partial index
	return selectPage(ctx, s, list, page, boardRow.task)
}
