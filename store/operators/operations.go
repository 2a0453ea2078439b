package operators

import (
	"context"
	"database/sql"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/store/internal/pg"
	"taskmarket/store/outbox"
)

// Operations is the state of one deployment according to the database, for operators. Ages are
// measured with the database's clock.
type Operations struct {
	Followed  Level // the last followed block
	Safe      Level
	Finalized Level

	Watcher       LeaseState
	Keeper        LeaseState
	KeeperAccount common.Address // account of the last keeper; zero if there was none
	KeeperSpent   *big.Int       // wei that all keepers signed for in the last 24 hours, or in open transactions

	Findings int // differences between the records and the contracts
	Rereads  int // blocks that the watcher must read again

	Jobs []outbox.Backlog
}

// Level is the last block that the watcher followed, or the highest one that is safe or finalized. Time is
// zero before the first block.
type Level struct {
	Number uint64
	Time   time.Time
}

// LeaseState describes a lease. Holder is empty if no process ever held the lease.
type LeaseState struct {
	Holder string
	Epoch  int64
	// Left is the time until the lease expires. It is negative if the lease has expired.
	Left time.Duration
}

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
func (s *Store) Operations(ctx context.Context) (Operations, error) {
	var row operationsRow
	if err := s.db.Get(ctx, nil, &row, operationsQuery, s.deployment.ChainID, s.deployment.Escrow); err != nil {
		return Operations{}, pg.Translate(err, "select the state of the watcher and the keeper")
	}
	jobs, err := s.outbox.Backlog(ctx, row.KeeperAccount.Address)
	if err != nil {
		return Operations{}, err
	}
	spent, err := s.outbox.KeeperSpent(ctx, common.Address{}, 0)
	if err != nil {
		return Operations{}, err
	}
	return Operations{
		Followed:  Level{Number: pg.Counter(max(row.Number, 0)), Time: row.Time.Time},
		Safe:      Level{Number: pg.Counter(row.Safe), Time: row.SafeTime.Time},
		Finalized: Level{Number: pg.Counter(row.Finalized), Time: row.FinalizedTime.Time},
		Watcher:   LeaseState{Holder: row.Holder, Epoch: row.Epoch, Left: pg.Seconds(row.LeaseLeft.Float64)},
		Keeper:    LeaseState{Holder: row.KeeperHolder, Epoch: row.KeeperEpoch, Left: pg.Seconds(row.KeeperLeft.Float64)},

		KeeperAccount: row.KeeperAccount.Address, KeeperSpent: spent,
		Findings: row.Findings, Rereads: row.Rereads, Jobs: jobs,
	}, nil
}
