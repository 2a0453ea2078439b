package fold

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"github.com/lib/pq"

	"taskmarket/market"
	"taskmarket/store/internal/onchain"
	"taskmarket/store/internal/pg"
)

// chainActivity is a row to insert into activities, derived from the chain. Its id, key and time
// are functions of its cause, so that a replay produces the same row. Only a notice about a
// reverted item has a random id and the current time.
type chainActivity struct {
	market.ActivityContent

	ID           uuid.UUID             `json:"id"`
	AudienceID   uuid.UUID             `json:"audience_id"`
	AudienceKind market.PrincipalKind  `json:"audience_kind"`
	Type         market.ActivityType   `json:"type"`
	Amount       *big.Int              `json:"amount"`
	TxHash       jsonBytes             `json:"tx_hash"`
	RelatedID    uuid.UUID             `json:"related_id"`
	Status       market.ActivityStatus `json:"status"`
	ChainID      *uint64               `json:"chain_id"`
	BlockHash    jsonBytes             `json:"block_hash"`
	BlockNumber  *uint64               `json:"block_number"`
	DedupeKey    string                `json:"dedupe_key"`
	CreatedAt    time.Time             `json:"created_at"`
}

// partiesLog is a log with the task, the application and the human that it concerns.
type partiesLog struct {
	onchain.LogRow
	RecordID      uuid.UUID  `db:"record_id"`
	ApplicationID *uuid.UUID `db:"record_application_id"` // nil for logs from the escrow
	HumanID       *uuid.UUID `db:"human_id"`              // the assigned human or the applicant; nil if there is none or the wallet has no account
}

// addActivities adds feed items for the parties of the tasks, derived from logs and from chain
// time. A task that was just linked gets all items since its posting. Other tasks get only new
// items.
func (f *Fold) addActivities(ctx context.Context, ids []uuid.UUID, records map[uuid.UUID]*linkedTask) error {
	var items []chainActivity
	var read []uuid.UUID // tasks whose logs must be read
	for _, id := range ids {
		r := records[id]
		if !f.hasLogs(r) {
			read = append(read, id)
			continue
		}
		for _, log := range f.taskLogs.logs[r.task.Escrow.ID] {
			items = append(items, logActivities(log, partiesLog{RecordID: id}, r.task, f.statusOf(log))...)
		}
	}
	if len(read) > 0 {
		logs, err := f.partiesLogs(ctx, read, records)
		if err != nil {
			return err
		}
		for _, row := range logs {
			log, err := row.Log(f.deployment.ChainID)
			if err != nil {
				return err
			}
			items = append(items, logActivities(log, row, records[row.RecordID].task, f.statusOf(log))...)
		}
	}
	for _, id := range ids {
		items = append(items, f.timeActivities(records[id])...)
	}
	return f.insertActivities(ctx, append(items, f.unlinkedActivities(records)...))
}

// unlinkedActivities returns the items for the touched postings that contain a task's terms hash and lock
// its agent's amount, but do not fund the task: the second posting of a task, for example.
func (f *Fold) unlinkedActivities(records map[uuid.UUID]*linkedTask) []chainActivity {
	byTerms := make(map[common.Hash]market.Task, len(records))
	for _, r := range records {
		byTerms[r.task.TermsHash] = r.task
	}
	var items []chainActivity
	for _, e := range f.postings {
		task, ok := byTerms[e.TermsHash]
		funds := task.Escrow != nil && task.Escrow.Escrow == e.Escrow && task.Escrow.ID == e.ID
		if e.TermsHash == (common.Hash{}) || !ok || funds || task.AgentWallet != e.Agent {
			continue
		}
		for _, log := range f.taskLogs.logs[e.ID] {
			if log.Event.Kind == market.EventTaskPosted {
				items = append(items, unlinkedActivity(log, task, f.statusOf(log))...)
			}
		}
	}
	return items
}

// hasLogs reports whether this step contains all logs of the record's parties: the task was posted in the
// step, and there is neither an application nor a human.
func (f *Fold) hasLogs(r *linkedTask) bool {
	e := r.task.Escrow
	return e != nil && e.Escrow == f.taskLogs.contract && f.taskLogs.complete(e.ID) &&
		e.Human == (common.Address{}) && len(r.applications) == 0
}

func (f *Fold) timeActivities(r *linkedTask) []chainActivity {
	chainID, now := f.deployment.ChainID, f.now()
	var items []chainActivity
	for _, m := range taskTransitions(r.task, now) {
		items = append(items, transitionActivities(chainID, m, r.task.AgentID, r.assigned())...)
	}
	for _, a := range r.applications {
		for _, m := range applicationTransitions(a.ID, a.stake, r.task.Escrow, now) {
			items = append(items, transitionActivities(chainID, m, r.task.AgentID, &a.HumanID)...)
		}
	}
	return items
}

func (f *Fold) partiesLogs(ctx context.Context, ids []uuid.UUID, records map[uuid.UUID]*linkedTask) ([]partiesLog, error) {
	linked := slices.DeleteFunc(slices.Clone(ids), func(id uuid.UUID) bool { return !records[id].linked })
	var rows []partiesLog
	err := f.db.Select(ctx, f.tx, &rows, `
		SELECT t.id AS record_id, NULL::uuid AS record_application_id, t.human_id, `+onchain.LogColumns+`
		FROM tasks t
		JOIN chain_logs l ON l.chain_id = t.chain_id AND l.address = t.escrow AND l.task_id = t.escrow_task_id AND l.canonical
		WHERE t.id = ANY ($1) AND (l.block_number >= $2 OR t.id = ANY ($3))
		UNION ALL
		SELECT a.task_id, a.id, a.human_id, `+onchain.LogColumns+`
		FROM applications a
		JOIN chain_logs l ON l.chain_id = a.chain_id AND l.address = $4 AND l.application_id = a.onchain_application_id
		                 AND l.canonical
		WHERE a.task_id = ANY ($1) AND (l.block_number >= $2 OR a.task_id = ANY ($3))`,
		pq.Array(ids), pg.BigInt(f.activitiesFrom), pq.Array(linked), f.deployment.Staking)
	return rows, pg.Translate(err, "select the logs of tasks")
}

// insertActivities inserts the missing items. An item that a reorganisation reverted becomes
// pending or confirmed again if its block becomes canonical again.
func (f *Fold) insertActivities(ctx context.Context, items []chainActivity) error {
	if len(items) == 0 {
		return nil
	}
	return f.insertJSON(ctx, "insert activities", `
		INSERT INTO activities (id, audience_id, audience_kind, type, kind, actor, reverted_kind, amount, tx_hash,
		                        related_id, status, chain_id, block_hash, block_number, dedupe_key, created_at)
		SELECT id, audience_id, audience_kind, type, kind, actor, reverted_kind, amount, tx_hash,
		       related_id, status, chain_id, block_hash, block_number, dedupe_key, created_at
		FROM json_populate_recordset(NULL::activities, $1)
		ON CONFLICT (audience_id, dedupe_key) DO UPDATE
		SET status = EXCLUDED.status
		WHERE activities.status = 'reverted'`, items)
}

// statusOf returns the initial status of an item. Items from finalized blocks, such as those in a
// backfill, are confirmed immediately.
func (f *Fold) statusOf(log market.Log) market.ActivityStatus {
	if log.Block.Number <= f.lastFinal() {
		return market.ActivityConfirmed
	}
	return market.ActivityPending
}

// lastFinal returns the number of the last followed block that is finalized.
func (f *Fold) lastFinal() uint64 { return min(f.head.Finalized, f.head.Block.Number) }

// confirmActivities updates pending items from finalized blocks. They become confirmed, or reverted
// if a reset dropped their block and it is no longer canonical.
func (f *Fold) confirmActivities(ctx context.Context) error {
	_, err := f.db.Exec(ctx, f.tx, `
		UPDATE activities a
		SET status = CASE WHEN b.canonical THEN 'confirmed' ELSE 'reverted' END
		FROM chain_blocks b
		WHERE a.chain_id = $1 AND a.block_number <= $2 AND a.status = 'pending'
		  AND b.chain_id = a.chain_id AND b.hash = a.block_hash`,
		f.deployment.ChainID, pg.BigInt(f.lastFinal()))
	return pg.Translate(err, "confirm activities")
}

// RevertActivities marks the pending items from dropped blocks as reverted and notifies each party
// once for each record.
func (f *Fold) RevertActivities(ctx context.Context) error {
	var reverted []struct {
		AudienceID   uuid.UUID            `db:"audience_id"`
		AudienceKind market.PrincipalKind `db:"audience_kind"`
		Type         market.ActivityType  `db:"type"`
		Kind         market.ActivityKind  `db:"kind"`
		Actor        market.PrincipalKind `db:"actor"`
		TxHash       common.Hash          `db:"tx_hash"`
		RelatedID    uuid.UUID            `db:"related_id"`
		DedupeKey    string               `db:"dedupe_key"`
	}
	err := f.db.Select(ctx, f.tx, &reverted, `
		UPDATE activities SET status = 'reverted'
		WHERE chain_id = $1 AND block_number > $2 AND status = 'pending'
		RETURNING audience_id, audience_kind, type, kind, coalesce(actor, '') AS actor, tx_hash, related_id,
		          dedupe_key`,
		f.deployment.ChainID, pg.BigInt(f.head.Block.Number))
	if err != nil {
		return pg.Translate(err, fmt.Sprintf("revert the activities above block %d", f.head.Block.Number))
	}
	notified := make(map[[2]uuid.UUID]bool)
	var notices []chainActivity
	for _, item := range reverted {
		parties := [2]uuid.UUID{item.AudienceID, item.RelatedID}
		if notified[parties] {
			continue
		}
		notified[parties] = true
		notices = append(notices, chainActivity{
			AudienceID: item.AudienceID, AudienceKind: item.AudienceKind, Type: item.Type, RelatedID: item.RelatedID,
			ActivityContent: market.ActivityContent{
				Kind: market.ActivityEventReverted, Actor: item.Actor, RevertedKind: item.Kind,
			},
			TxHash: item.TxHash[:], Status: market.ActivityConfirmed, DedupeKey: item.DedupeKey + ":undone",
			CreatedAt: time.Now().UTC(), ID: uuid.Must(uuid.NewV7()),
		})
	}
	return f.insertActivities(ctx, notices)
}

// ReopenActivities marks the confirmed items from dropped blocks as pending again.
func (f *Fold) ReopenActivities(ctx context.Context) error {
	_, err := f.db.Exec(ctx, f.tx, `
		UPDATE activities SET status = 'pending'
		WHERE chain_id = $1 AND block_number > $2 AND status = 'confirmed'`,
		f.deployment.ChainID, pg.BigInt(f.head.Block.Number))
	return pg.Translate(err, fmt.Sprintf("reopen the activities above block %d", f.head.Block.Number))
}
