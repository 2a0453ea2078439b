package outbox

import (
	"context"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// Backlog describes the open keeper jobs of one kind in one state.
type Backlog struct {
	Kind   market.OutboxKind
	Sent   bool // whether the jobs have a transaction
	Count  int
	Oldest time.Duration // longest time since a job was opened, or, if Sent, since its first transaction was sent
	Nonce  *uint64       // lowest nonce of the current keeper's transactions; nil if there are none

	Stalled int    // jobs that do not advance
	Reason  string // why the oldest of these does not advance
}

// jobSince is an SQL expression for the time from which the age of an open job (a row of outbox) is
// counted. For a job without a transaction, it is the time when the job was created, or was reopened
// after it was done. For a job with a transaction, it is the time when the first transaction was
// recorded or the job was reopened, whichever is later. Both set run_at.
const jobSince = `CASE state WHEN 'sent' THEN greatest(created_at, run_at) ELSE created_at END`

// backlogQuery summarises the open jobs by kind and state. outbox_open_idx contains only open jobs, so
// closed ones are not read.
const backlogQuery = `
	SELECT kind, state = 'sent' AS sent, count(*) AS count,
	       greatest(0, extract(epoch FROM clock_timestamp() - min(` + jobSince + `)))::float8 AS oldest,
	       min(nonce) FILTER (WHERE sender = $3) AS nonce,
	       count(*) FILTER (WHERE error <> '') AS stalled,
	       coalesce((array_agg(error ORDER BY id) FILTER (WHERE error <> ''))[1], '') AS reason
	FROM outbox
	WHERE chain_id = $1 AND (escrow = $2 OR kind = 'claim') AND state IN ('pending', 'sent')
	GROUP BY kind, state
	ORDER BY kind, state`

// Backlog counts the keeper's open jobs by kind and state. Nonce is the account's lowest nonce in a group.
func (s *Store) Backlog(ctx context.Context, account common.Address) ([]Backlog, error) {
	var rows []struct {
		Kind   market.OutboxKind `db:"kind"`
		Sent   bool              `db:"sent"`
		Count  int               `db:"count"`
		Oldest float64           `db:"oldest"` // seconds
		Nonce  *int64            `db:"nonce"`

		Stalled int    `db:"stalled"`
		Reason  string `db:"reason"`
	}
	err := s.db.Select(ctx, nil, &rows, backlogQuery, s.deployment.ChainID, s.deployment.Escrow, account)
	jobs := make([]Backlog, len(rows))
	for i, row := range rows {
		jobs[i] = Backlog{Kind: row.Kind, Sent: row.Sent, Count: row.Count, Oldest: pg.Seconds(row.Oldest), Stalled: row.Stalled, Reason: row.Reason}
		if row.Nonce != nil {
			jobs[i].Nonce = new(pg.Counter(*row.Nonce))
		}
	}
	return jobs, pg.Translate(err, "count the open jobs")
}
