package fold

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"github.com/lib/pq"

	"taskmarket/market"
	"taskmarket/store/internal/onchain"
	"taskmarket/store/internal/pg"
)

// foldClaims matches the payments to the touched wallets with claims.
//
//  1. A payment belongs to the newest claim whose base is below the payment's cumulative
//     amount. Cumulative amounts only increase, and a newer claim includes the unpaid
//     rest of an older one.
//  2. A claim with payments is paid.
//  3. A claim without payments is pending if it is the newest one and has not been marked
//     as failed. Otherwise it is failed, so an agent has at most one pending claim.
//
// Example: claim A has base 0 and claim B has base 100. A payment with the cumulative amount 100
// belongs to A, one with 150 belongs to B.
func (f *Fold) foldClaims(ctx context.Context) error {
	if len(f.rewarded) == 0 {
		return nil
	}
	d, wallets := f.deployment, walletArray(f.rewarded)
	_, err := f.db.Exec(ctx, f.tx, `
		WITH payments AS (
			SELECT l.tx_hash, l.block_number, l.log_index, (l.event->>'amount')::numeric AS amount, (
				SELECT c.id
				FROM claims c
				WHERE c.wallet = w AND c.chain_id = l.chain_id AND c.distributor = l.address
				  AND c.base < (l.event->>'cumulative')::numeric
				ORDER BY c.created_at DESC, c.id DESC
				LIMIT 1
			) AS claim_id
			FROM unnest($3::bytea[]) w
			JOIN chain_logs l ON l.chain_id = $1 AND l.address = $2 AND l.event->>'agent' = '0x' || encode(w, 'hex')
			                 AND l.canonical AND l.kind = 'Claimed'
		), paid AS (
			SELECT claim_id, sum(amount) AS amount, (array_agg(tx_hash ORDER BY block_number DESC, log_index DESC))[1] AS tx_hash
			FROM payments
			GROUP BY claim_id
		)
		UPDATE claims c
		SET paid = p.amount, tx_hash = p.tx_hash,
		    status = CASE
		        WHEN p.amount IS NOT NULL THEN 'paid'
		        WHEN c.given_up OR EXISTS (
		            SELECT 1 FROM claims n WHERE n.agent_id = c.agent_id AND (n.created_at, n.id) > (c.created_at, c.id)
		        ) THEN 'failed'
		        ELSE 'pending'
		    END
		FROM claims own
		LEFT JOIN paid p ON p.claim_id = own.id
		WHERE c.id = own.id AND c.chain_id = $1 AND c.distributor = $2 AND c.wallet = ANY ($3)
		  AND (c.paid IS DISTINCT FROM p.amount OR c.tx_hash IS DISTINCT FROM p.tx_hash)`,
		d.ChainID, d.Distributor, wallets)
	if err != nil {
		return pg.Translate(err, "match payments with claims")
	}
	if err := f.syncClaimJobs(ctx, wallets); err != nil {
		return err
	}
	return f.addClaimActivities(ctx, wallets)
}

// syncClaimJobs closes the jobs for claims that are no longer pending and reopens the jobs for
// claims that are pending again. A reopened job gets a new creation time. If it has a transaction, its
// state becomes sent.
func (f *Fold) syncClaimJobs(ctx context.Context, wallets pq.ByteaArray) error {
	_, err := f.db.Exec(ctx, f.tx, `
		UPDATE outbox o
		SET state = CASE WHEN c.status <> 'pending' THEN 'done' WHEN o.raw_tx IS NULL THEN 'pending' ELSE 'sent' END, error = '',
		    created_at = CASE c.status WHEN 'pending' THEN now() ELSE o.created_at END
		FROM claims c
		WHERE c.wallet = ANY ($1) AND o.dedupe_key = 'claim:' || c.id
		  AND (c.status = 'pending') <> (o.state IN ('pending', 'sent')) AND o.state <> 'failed'`, wallets)
	return pg.Translate(err, "close and reopen the jobs of claims")
}

// addClaimActivities notifies agents of new payments.
func (f *Fold) addClaimActivities(ctx context.Context, wallets pq.ByteaArray) error {
	var rows []struct {
		onchain.LogRow
		ClaimID uuid.UUID `db:"claim_id"`
		AgentID uuid.UUID `db:"agent_id"`
	}
	err := f.db.Select(ctx, f.tx, &rows, `
		SELECT c.id AS claim_id, c.agent_id, `+onchain.LogColumns+`
		FROM claims c
		JOIN chain_logs l ON l.chain_id = c.chain_id AND l.address = c.distributor AND l.canonical AND l.kind = 'Claimed'
		                 AND l.tx_hash = c.tx_hash AND l.event->>'agent' = '0x' || encode(c.wallet, 'hex')
		WHERE c.wallet = ANY ($1) AND c.chain_id = $2 AND l.block_number >= $3`,
		wallets, f.deployment.ChainID, pg.BigInt(f.activitiesFrom))
	if err != nil {
		return pg.Translate(err, "select the payments of claims")
	}
	items := make([]chainActivity, len(rows))
	for i, row := range rows {
		log, err := row.Log(f.deployment.ChainID)
		if err != nil {
			return err
		}
		items[i] = f.claimActivity(log, row.AgentID, row.ClaimID)
	}
	return f.insertActivities(ctx, items)
}

func (f *Fold) claimActivity(log market.Log, agent, claim uuid.UUID) chainActivity {
	key := fmt.Sprintf("%d:%s:%d:%s", log.ChainID, log.Block.Hash, log.Index, log.Event.Kind)
	return chainActivity{
		ID: derivedID(log.Block.Time, append(agent[:], key...)), AudienceID: agent, AudienceKind: market.PrincipalAgent,
		Type: market.ActivityClaim, ActivityContent: market.ActivityContent{Kind: market.ActivityClaimPaid},
		Amount: log.Event.Amount, TxHash: log.TxHash[:], RelatedID: claim, Status: f.statusOf(log),
		ChainID: &log.ChainID, BlockHash: log.Block.Hash[:], BlockNumber: &log.Block.Number,
		DedupeKey: key, CreatedAt: log.Block.Time,
	}
}

// walletArray returns the wallets in ascending order.
func walletArray(wallets map[common.Address]bool) pq.ByteaArray {
	return pg.AddressArray(slices.SortedFunc(maps.Keys(wallets), func(a, b common.Address) int { return bytes.Compare(a[:], b[:]) }))
}
