package outbox

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// KeeperStatus is the keeper's status according to the database.
type KeeperStatus struct {
	Absent  bool // whether no process has recently held the keeper's lease
	Limited bool // whether the keeper reached a spending limit within the last few minutes
	Overdue bool // whether a task was not settled in time
}

// Reasons returns the reasons for which the service is degraded.
func (s KeeperStatus) Reasons() []market.HealthReason {
	var reasons []market.HealthReason
	if s.Absent {
		reasons = append(reasons, market.ReasonKeeperAbsent)
	}
	if s.Limited {
		reasons = append(reasons, market.ReasonKeeperLimit)
	}
	if s.Overdue {
		reasons = append(reasons, market.ReasonSettlementOverdue)
	}
	return reasons
}

// spendingWindow is the period to which the keeper's daily spending limit applies; see countedSpending.
const spendingWindow = 24 * time.Hour

// limitReasonLifetime is how long KeeperStatus reports that a spending limit was reached.
const limitReasonLifetime = 5 * time.Minute

// LeadKeeper acquires or renews the keeper's lease on the chain for the duration life. It returns
// market.ErrNotLeader while another holder's lease is valid. The epoch increases whenever the
// holder changes. Times are compared with the database's clock.
func (s *Store) LeadKeeper(ctx context.Context, holder string, account common.Address, life time.Duration) (market.Lease, error) {
	var lease struct {
		Epoch int64       `db:"epoch"`
		Until pg.NullTime `db:"lease_until"`
	}
	err := s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		err := s.db.Get(ctx, tx, &lease, `
			INSERT INTO keeper_lease AS l (chain_id, holder, account, epoch, lease_until)
			VALUES ($1, $2, $3, 1, clock_timestamp() + make_interval(secs => $4))
			ON CONFLICT (chain_id) DO UPDATE
			SET epoch = l.epoch + (l.holder <> excluded.holder)::int,
			    holder = excluded.holder, account = excluded.account, lease_until = excluded.lease_until
			WHERE l.holder = excluded.holder OR l.lease_until <= clock_timestamp()
			RETURNING epoch, lease_until`,
			s.deployment.ChainID, holder, account, life.Seconds())
		if errors.Is(err, sql.ErrNoRows) {
			return market.ErrNotLeader
		}
		return pg.Translate(err, "acquire the keeper's lease")
	})
	return market.Lease{Holder: holder, Epoch: lease.Epoch, Until: lease.Until.Time}, err
}

// ReleaseKeeper ends the lease with the given epoch, so that another keeper can acquire it
// immediately. It does not change a lease with another epoch. The end is a second in the past, so that
// the lease does not become valid again if the database's clock steps back.
func (s *Store) ReleaseKeeper(ctx context.Context, epoch int64) error {
	return s.db.Write(ctx, "release the keeper's lease", `
		UPDATE keeper_lease SET lease_until = least(lease_until, clock_timestamp() - interval '1 second') WHERE chain_id = $1 AND epoch = $2`,
		s.deployment.ChainID, epoch)
}

// withLease runs change in a transaction if the lease with the given epoch is valid. Otherwise it
// returns market.ErrNotLeader.
func (s *Store) withLease(ctx context.Context, epoch int64, what string, change func(*sqlx.Tx) error) error {
	return s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		var current int64
		err := s.db.Get(ctx, tx, &current, `
			SELECT epoch FROM keeper_lease WHERE chain_id = $1 AND epoch = $2 AND lease_until > clock_timestamp() FOR SHARE`,
			s.deployment.ChainID, epoch)
		if errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("%s: %w", what, market.ErrNotLeader)
		}
		if err != nil {
			return pg.Translate(err, "check the keeper's lease")
		}
		return change(tx)
	})
}

// KeeperLimited records that the keeper has reached a spending limit. It returns
// market.ErrNotLeader if the epoch has ended.
func (s *Store) KeeperLimited(ctx context.Context, epoch int64) error {
	const what = "record that a spending limit was reached"
	return s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		n, err := s.db.Exec(ctx, tx, `UPDATE keeper_lease SET limited_at = clock_timestamp() WHERE chain_id = $1 AND epoch = $2`,
			s.deployment.ChainID, epoch)
		if err == nil && n == 0 {
			return fmt.Errorf("%s: %w", what, market.ErrNotLeader)
		}
		return pg.Translate(err, what)
	})
}

// keeperStatusQuery reads only two rows by primary key and the first entry in an index.
const keeperStatusQuery = `
	SELECT l.lease_until IS NULL OR l.lease_until + make_interval(secs => $3) < clock_timestamp() AS absent,
	       coalesce(l.limited_at + make_interval(secs => $4) > clock_timestamp(), false) AS limited,
	       coalesce((
	           SELECT settle_at FROM onchain_tasks
	           WHERE chain_id = $1 AND escrow = $2 AND status IN (3, 4)
	           ORDER BY settle_at
	           LIMIT 1
	       ) < (SELECT time - make_interval(secs => $5) FROM chain_head WHERE chain_id = $1), false) AS overdue
	FROM (VALUES (1)) one
	LEFT JOIN keeper_lease l ON l.chain_id = $1`

// KeeperStatus returns the keeper's status from the database, so that all replicas report the same
// status. The keeper is absent if no process has held the lease for at least the duration absent.
// It is limited if it recently reached a spending limit. A task is overdue if its settlement has
// been due for longer than overdue, in chain time.
func (s *Store) KeeperStatus(ctx context.Context, absent, overdue time.Duration) (KeeperStatus, error) {
	var row struct {
		Absent  bool `db:"absent"`
		Limited bool `db:"limited"`
		Overdue bool `db:"overdue"`
	}
	err := s.db.Get(ctx, nil, &row, keeperStatusQuery,
		s.deployment.ChainID, s.deployment.Escrow, absent.Seconds(), limitReasonLifetime.Seconds(), overdue.Seconds())
	return KeeperStatus(row), pg.Translate(err, "select the keeper's status")
}

// KeeperNonce returns the nonce after the account's open transactions, or 0 if there are none. It
// reads the sent jobs that OpenJobs can return, because a node may have lost their transactions.
func (s *Store) KeeperNonce(ctx context.Context, account common.Address) (uint64, error) {
	var next int64
	err := s.db.Get(ctx, nil, &next, `
		SELECT coalesce(max(nonce) + 1, 0)
		FROM outbox
		WHERE chain_id = $1 AND (escrow = $2 OR kind = 'claim') AND state = 'sent' AND sender = $3`,
		s.deployment.ChainID, s.deployment.Escrow, account)
	return pg.Counter(next), pg.Translate(err, "select the keeper's next nonce")
}

// recordSpending records the maximum cost of a transaction. A transaction and its replacement,
// which have the same nonce, count once, with the higher cost, because either of them can be mined.
func (s *Store) recordSpending(ctx context.Context, tx *sqlx.Tx, t market.Transaction) error {
	_, err := s.db.Exec(ctx, tx, `
		INSERT INTO keeper_spending AS k (chain_id, sender, nonce, tx_hash, most, signed_at)
		VALUES ($1, $2, $3, $4, $5, clock_timestamp())
		ON CONFLICT (chain_id, sender, nonce) DO UPDATE
		SET tx_hash = excluded.tx_hash, most = greatest(k.most, excluded.most), paid = NULL, signed_at = excluded.signed_at,
		    replacements = k.replacements + 1, replaced = k.replaced || k.tx_hash::bytea`,
		s.deployment.ChainID, t.Sender, pg.BigInt(t.Nonce), t.Hash, pg.Wei{Int: t.MaxCost})
	return pg.Translate(err, fmt.Sprintf("record the cost of transaction %s", t.Hash))
}

// KeeperVersions returns the hashes of all recorded transactions of the account with the nonce. At most one
// of them is mined. complete is false if some may be missing: older server versions did not record the
// transactions that they replaced, and records are deleted after spendingRetention.
func (s *Store) KeeperVersions(ctx context.Context, n market.AccountNonce) (hashes []common.Hash, complete bool, err error) {
	var row struct {
		Hashes   pq.ByteaArray `db:"hashes"`
		Complete bool          `db:"complete"`
	}
	err = s.db.Get(ctx, nil, &row, `
		SELECT replaced || tx_hash::bytea AS hashes, cardinality(replaced) = replacements AS complete
		FROM keeper_spending
		WHERE chain_id = $1 AND sender = $2 AND nonce = $3`, s.deployment.ChainID, n.Account, pg.BigInt(n.Nonce))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, false, nil
	}
	for _, hash := range row.Hashes {
		hashes = append(hashes, common.BytesToHash(hash))
	}
	return hashes, row.Complete, pg.Translate(err, fmt.Sprintf("select the transactions with nonce %d", n.Nonce))
}

// RecordedNonces returns how many of the account's nonces from first to end - 1 have a recorded
// transaction, and the nonce after the account's highest recorded one, or 0 if there is none.
func (s *Store) RecordedNonces(ctx context.Context, account common.Address, first, end uint64) (count, next uint64, err error) {
	var row struct {
		Count int64 `db:"count"`
		Next  int64 `db:"next"`
	}
	err = s.db.Get(ctx, nil, &row, `
		SELECT count(*) FILTER (WHERE nonce >= $3 AND nonce < $4) AS count, coalesce(max(nonce) + 1, 0) AS next
		FROM keeper_spending
		WHERE chain_id = $1 AND sender = $2`, s.deployment.ChainID, account, pg.BigInt(first), pg.BigInt(end))
	return pg.Counter(row.Count), pg.Counter(row.Next), pg.Translate(err, "count the keeper's recorded nonces")
}

// countedSpending selects the transactions to which the daily limit applies: those signed within
// spendingWindow, and older ones that are still open, because they can be mined at any time.
var countedSpending = `(
	SELECT sender, nonce, tx_hash, most, paid, signed_at
	FROM keeper_spending
	WHERE chain_id = $1 AND signed_at > clock_timestamp() - ` + pg.Interval(spendingWindow) + `
	UNION
	SELECT k.sender, k.nonce, k.tx_hash, k.most, k.paid, k.signed_at
	FROM outbox o
	JOIN keeper_spending k ON k.chain_id = o.chain_id AND k.sender = o.sender AND k.nonce = o.nonce
	WHERE o.chain_id = $1 AND o.state = 'sent')`

// KeeperSpent returns, in wei, the total cost of the transactions that all keepers on the chain
// signed within spendingWindow, or that are still open. It uses the cost from the receipt if it is known,
// otherwise the maximum cost. It excludes the given nonce of the account, because the caller is about to
// sign or replace that transaction.
func (s *Store) KeeperSpent(ctx context.Context, account common.Address, nonce uint64) (*big.Int, error) {
	var sum pg.Wei
	err := s.db.Get(ctx, nil, &sum, `
		SELECT coalesce(sum(coalesce(paid, most)), 0)
		FROM `+countedSpending+` k
		WHERE NOT (sender = $2 AND nonce = $3)`,
		s.deployment.ChainID, account, pg.BigInt(nonce))
	return sum.Int, pg.Translate(err, "sum the keeper's spending")
}

// UnpaidTransactions returns transactions signed within spendingWindow, or still open, whose actual cost
// is unknown, oldest first.
func (s *Store) UnpaidTransactions(ctx context.Context, limit int) ([]market.Transaction, error) {
	var rows []struct {
		Sender common.Address `db:"sender"`
		Nonce  int64          `db:"nonce"`
		Hash   common.Hash    `db:"tx_hash"`
		Most   pg.Wei         `db:"most"`
	}
	err := s.db.Select(ctx, nil, &rows, `
		SELECT sender, nonce, tx_hash, most
		FROM `+countedSpending+` k
		WHERE paid IS NULL
		ORDER BY signed_at
		LIMIT $2`, s.deployment.ChainID, limit)
	transactions := make([]market.Transaction, len(rows))
	for i, row := range rows {
		transactions[i] = market.Transaction{Sender: row.Sender, Nonce: pg.Counter(row.Nonce), Hash: row.Hash, MaxCost: row.Most.Int}
	}
	return transactions, pg.Translate(err, "select the keeper's unpaid transactions")
}

// TransactionPaid records a transaction's actual cost in wei from its receipt. It records at least
// a quarter of the maximum cost, so that a node that returns false receipts can make the keeper exceed
// the daily limit at most fourfold. It does not change a transaction that has been replaced. It returns
// market.ErrNotLeader if the epoch has ended.
func (s *Store) TransactionPaid(ctx context.Context, epoch int64, t market.Transaction, cost *big.Int) error {
	what := fmt.Sprintf("record the cost of transaction %s", t.Hash)
	return s.withLease(ctx, epoch, what, func(tx *sqlx.Tx) error {
		_, err := s.db.Exec(ctx, tx, `
			UPDATE keeper_spending SET paid = least(most, greatest($5::numeric, ceil(most / 4)))
			WHERE chain_id = $1 AND sender = $2 AND nonce = $3 AND tx_hash = $4`,
			s.deployment.ChainID, t.Sender, pg.BigInt(t.Nonce), t.Hash, pg.Wei{Int: cost})
		return pg.Translate(err, what)
	})
}
