package store

import (
	"context"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// KeeperNonce returns the nonce after those of the account's transactions whose
// outcome is open; 0 when there are none. A node may have lost them. It counts
// the jobs that OpenJobs returns.
func (s *Store) KeeperNonce(ctx context.Context, account common.Address) (uint64, error) {
	var next int64
	err := s.db.Get(ctx, nil, &next, `
		SELECT coalesce(max(nonce) + 1, 0)
		FROM outbox
		WHERE chain_id = $1 AND (escrow = $2 OR kind = 'claim') AND state = 'sent' AND sender = $3`,
		s.deployment.ChainID, s.deployment.Escrow, account)
	return pg.Counter(next), pg.Translate(err, "select the keeper's next nonce")
}

// spend records what a transaction may cost. A replacement under the same nonce
// counts once, at the higher cost of the two: either may be mined.
func (s *Store) spend(ctx context.Context, tx *sqlx.Tx, t market.Transaction) error {
	_, err := s.db.Exec(ctx, tx, `
		INSERT INTO keeper_spending AS k (chain_id, sender, nonce, tx_hash, most, signed_at)
		VALUES ($1, $2, $3, $4, $5, clock_timestamp())
		ON CONFLICT (chain_id, sender, nonce) DO UPDATE
		SET tx_hash = excluded.tx_hash, most = greatest(k.most, excluded.most), paid = NULL, signed_at = excluded.signed_at`,
		s.deployment.ChainID, t.Sender, pg.BigInt(t.Nonce), t.Hash, pg.Wei{Int: t.Most})
	return pg.Translate(err, fmt.Sprintf("record the cost of transaction %s", t.Hash))
}

// KeeperSpent returns what all keepers of the chain have spent on what they
// signed in the last 24 hours, in wei: the cost where the receipt is known, else
// the most that it can be. It leaves out the account's nonce, whose transaction
// is about to be signed or replaced.
func (s *Store) KeeperSpent(ctx context.Context, account common.Address, nonce uint64) (*big.Int, error) {
	var sum pg.Wei
	err := s.db.Get(ctx, nil, &sum, `
		SELECT coalesce(sum(coalesce(paid, most)), 0)
		FROM keeper_spending
		WHERE chain_id = $1 AND signed_at > clock_timestamp() - interval '24 hours' AND NOT (sender = $2 AND nonce = $3)`,
		s.deployment.ChainID, account, pg.BigInt(nonce))
	return sum.Int, pg.Translate(err, "add up the keeper's spending")
}

// UnpaidTransactions returns transactions of the last 24 hours whose cost is not
// known, the oldest first.
func (s *Store) UnpaidTransactions(ctx context.Context, limit int) ([]market.Transaction, error) {
	var rows []struct {
		Sender common.Address `db:"sender"`
		Nonce  int64          `db:"nonce"`
		Hash   common.Hash    `db:"tx_hash"`
		Most   pg.Wei         `db:"most"`
	}
	err := s.db.Select(ctx, nil, &rows, `
		SELECT sender, nonce, tx_hash, most
		FROM keeper_spending
		WHERE chain_id = $1 AND signed_at > clock_timestamp() - interval '24 hours' AND paid IS NULL
		ORDER BY signed_at
		LIMIT $2`, s.deployment.ChainID, limit)
	transactions := make([]market.Transaction, len(rows))
	for i, row := range rows {
		transactions[i] = market.Transaction{Sender: row.Sender, Nonce: pg.Counter(row.Nonce), Hash: row.Hash, Most: row.Most.Int}
	}
	return transactions, pg.Translate(err, "select the keeper's unpaid transactions")
}

// TransactionPaid records what a transaction has cost according to its receipt,
// in wei. A quarter of the most stays counted, because the receipt is the word of
// a node: one that lies can stretch the daily limit by that factor and no more.
// A transaction that was replaced meanwhile stays as it is. It returns
// market.ErrNotLeader when the epoch is over.
func (s *Store) TransactionPaid(ctx context.Context, epoch int64, t market.Transaction, cost *big.Int) error {
	what := fmt.Sprintf("record what transaction %s has cost", t.Hash)
	return s.asKeeper(ctx, epoch, what, func(tx *sqlx.Tx) error {
		_, err := s.db.Exec(ctx, tx, `
			UPDATE keeper_spending SET paid = least(most, greatest($5::numeric, ceil(most / 4)))
			WHERE chain_id = $1 AND sender = $2 AND nonce = $3 AND tx_hash = $4`,
			s.deployment.ChainID, t.Sender, pg.BigInt(t.Nonce), t.Hash, pg.Wei{Int: cost})
		return pg.Translate(err, what)
	})
}
