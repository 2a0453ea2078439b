package store

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// operationsQuery reads single rows by key, and counts the findings and the blocks to read again.
// There are few of both.
const operationsQuery = `
	SELECT h.number, h.time, h.safe, h.finalized,
	       (SELECT b.time FROM chain_blocks b
	        WHERE b.chain_id = $1 AND b.canonical AND b.number <= h.safe ORDER BY b.number DESC LIMIT 1) AS safe_time,
	       (SELECT b.time FROM chain_blocks b
	        WHERE b.chain_id = $1 AND b.canonical AND b.number <= h.finalized ORDER BY b.number DESC LIMIT 1) AS finalized_time,
	       h.holder, h.epoch, extract(epoch FROM h.lease_until - clock_timestamp())::float8 AS lease_left,
	       coalesce(k.holder, '') AS keeper_holder, coalesce(k.epoch, 0) AS keeper_epoch, k.account AS keeper_account,
	       extract(epoch FROM k.lease_until - clock_timestamp())::float8 AS keeper_left,
	       (SELECT count(*) FROM chain_findings f WHERE f.chain_id = $1 AND f.escrow = $2) AS findings,
	       (SELECT count(*) FROM chain_rereads r WHERE r.chain_id = $1) AS rereads
	FROM chain_head h
	LEFT JOIN keeper_lease k ON k.chain_id = h.chain_id
	WHERE h.chain_id = $1`

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

type operationsRow struct {
	Number        int64       `db:"number"`
	Time          pg.NullTime `db:"time"`
	Safe          int64       `db:"safe"`
	SafeTime      pg.NullTime `db:"safe_time"`
	Finalized     int64       `db:"finalized"`
	FinalizedTime pg.NullTime `db:"finalized_time"`

	Holder    string          `db:"holder"`
	Epoch     int64           `db:"epoch"`
	LeaseLeft sql.NullFloat64 `db:"lease_left"` // seconds

	KeeperHolder  string          `db:"keeper_holder"`
	KeeperEpoch   int64           `db:"keeper_epoch"`
	KeeperAccount pg.NullAddress  `db:"keeper_account"`
	KeeperLeft    sql.NullFloat64 `db:"keeper_left"` // seconds

	Findings int `db:"findings"`
	Rereads  int `db:"rereads"`
}

// Operations returns the state of the watcher and the keeper for operators. It returns KindNotFound
// before a watcher has started.
func (s *Store) Operations(ctx context.Context) (market.Operations, error) {
	var row operationsRow
	if err := s.db.Get(ctx, nil, &row, operationsQuery, s.deployment.ChainID, s.deployment.Escrow); err != nil {
		return market.Operations{}, pg.Translate(err, "select the state of the watcher and the keeper")
	}
	jobs, err := s.backlog(ctx, row.KeeperAccount.Address)
	if err != nil {
		return market.Operations{}, err
	}
	spent, err := s.KeeperSpent(ctx, common.Address{}, 0)
	if err != nil {
		return market.Operations{}, err
	}
	return market.Operations{
		Followed:  market.Level{Number: pg.Counter(max(row.Number, 0)), Time: row.Time.Time},
		Safe:      market.Level{Number: pg.Counter(row.Safe), Time: row.SafeTime.Time},
		Finalized: market.Level{Number: pg.Counter(row.Finalized), Time: row.FinalizedTime.Time},
		Watcher:   market.LeaseState{Holder: row.Holder, Epoch: row.Epoch, Left: seconds(row.LeaseLeft.Float64)},
		Keeper:    market.LeaseState{Holder: row.KeeperHolder, Epoch: row.KeeperEpoch, Left: seconds(row.KeeperLeft.Float64)},

		KeeperAccount: row.KeeperAccount.Address, KeeperSpent: spent,
		Findings: row.Findings, Rereads: row.Rereads, Jobs: jobs,
	}, nil
}

// backlog counts the keeper's open jobs by kind and state. Nonce is the account's lowest nonce in a group.
func (s *Store) backlog(ctx context.Context, account common.Address) ([]market.Backlog, error) {
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
	jobs := make([]market.Backlog, len(rows))
	for i, row := range rows {
		jobs[i] = market.Backlog{Kind: row.Kind, Sent: row.Sent, Count: row.Count, Oldest: seconds(row.Oldest), Stalled: row.Stalled, Reason: row.Reason}
		if row.Nonce != nil {
			jobs[i].Nonce = new(pg.Counter(*row.Nonce))
		}
	}
	return jobs, pg.Translate(err, "count the open jobs")
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// Holdings returns the money that the contracts must hold at the last followed block. It reads
// only records that have not ended, by index.
func (s *Store) Holdings(ctx context.Context) (held market.Holdings, err error) {
	err = s.db.Snapshot(ctx, func(tx *sqlx.Tx) error {
		cursor, err := s.cursor(ctx, tx)
		if err != nil {
			return err
		}
		held.Block = cursor.Block
		if held.Tasks, err = s.holdings(ctx, tx, `
			SELECT status::text AS status, count(*) AS count, sum(amount) AS amount
			FROM onchain_tasks
			WHERE chain_id = $1 AND escrow = $2 AND status < 5
			GROUP BY status
			ORDER BY status`); err != nil {
			return err
		}
		for i := range held.Tasks {
			status, err := strconv.ParseUint(held.Tasks[i].Status, 10, 8)
			if err != nil {
				return fmt.Errorf("sum the money in the contracts: %w", err)
			}
			held.Tasks[i].Status = market.ChainStatus(status).String()
		}
		held.Stakes, err = s.holdings(ctx, tx, `
			SELECT status, count(*) AS count, sum(amount) AS amount
			FROM onchain_applications
			WHERE chain_id = $1 AND escrow = $2 AND status IN ('live', 'activated')
			GROUP BY status
			ORDER BY status`)
		return err
	})
	return held, err
}

func (s *Store) holdings(ctx context.Context, tx *sqlx.Tx, query string) ([]market.Holding, error) {
	var rows []struct {
		Status string `db:"status"`
		Count  int    `db:"count"`
		Amount pg.Wei `db:"amount"`
	}
	err := s.db.Select(ctx, tx, &rows, query, s.deployment.ChainID, s.deployment.Escrow)
	held := make([]market.Holding, len(rows))
	for i, row := range rows {
		held[i] = market.Holding{Status: row.Status, Count: row.Count, Amount: row.Amount.Int}
	}
	return held, pg.Translate(err, "sum the money in the contracts")
}

// StandbyAge returns the maximum age of the records that the standby serves. ok is false if there is no
// standby. It waits at most a few seconds for the standby to catch up with the primary.
func (s *Store) StandbyAge(ctx context.Context) (age time.Duration, ok bool) {
	if s.standby == nil {
		return 0, false
	}
	return s.standby.Age(ctx), true
}

// PoolStats returns the statistics of the connection pool.
func (s *Store) PoolStats() sql.DBStats { return s.db.Pool.Stats() }
