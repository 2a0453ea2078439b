package fold

import (
	"context"
	"fmt"
	"math/big"
	"time"

	"github.com/lib/pq"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// foldTasks rebuilds the rows in onchain_tasks for the touched ids.
func (f *Fold) foldTasks(ctx context.Context) error {
	if len(f.tasks) == 0 {
		return nil
	}
	ids := idArray(f.tasks)
	logs, err := f.logsByID(ctx, f.taskLogs, ids)
	if err != nil {
		return err
	}
	panelAt, err := f.panels(ctx, logs)
	if err != nil {
		return err
	}
	f.postings, err = foldEach(logs, f.taskLogs.id,
		func(logs []market.Log) (*market.EscrowTask, error) { return market.FoldEscrowTask(logs, panelAt) })
	if err != nil {
		return fmt.Errorf("fold tasks: %w", err)
	}
	ordinals, err := f.ordinalsOf(ctx, f.taskLogs, logs)
	if err != nil {
		return err
	}
	for _, e := range f.postings {
		e.Posted.Ordinal = ordinals[e.ID]
	}
	_, former := f.taskLogs.split(ids)
	return f.saveTasks(ctx, former, f.postings)
}

// foldEach calls fold once for each id, with the logs for that id. The logs must be grouped by id.
func foldEach[T any](logs []market.Log, id func(market.Log) uint64, fold func([]market.Log) (*T, error)) ([]*T, error) {
	var folded []*T
	for start, end := 0, 0; start < len(logs); start = end {
		for end = start; end < len(logs) && id(logs[end]) == id(logs[start]); end++ {
		}
		one, err := fold(logs[start:end])
		if err != nil {
			return nil, err
		}
		folded = append(folded, one)
	}
	return folded, nil
}

const onchainTaskColumns = `chain_id, escrow, id, status, agent, human, amount, fee_basis_points, terms_hash,
	work_hash, application_id, panel, agent_approved, disputed_by, cancelled_by, posted_at, accepted_at, submitted_at,
	disputed_at, approved_at, last_activity_at, ended_at, settle_at, verdict, paid, fee, refund,
	posted_tx, posted_ordinal, posted_block, posted_index, accept_tx, submit_tx, end_tx`

// onchainTask is a row to insert into onchain_tasks. Omitted JSON members become NULL.
type onchainTask struct {
	ChainID        uint64             `json:"chain_id"`
	Escrow         jsonBytes          `json:"escrow"`
	ID             uint64             `json:"id"`
	Status         market.ChainStatus `json:"status"`
	Agent          jsonBytes          `json:"agent"`
	Human          jsonBytes          `json:"human,omitempty"`
	Amount         *big.Int           `json:"amount"`
	FeeBasisPoints uint16             `json:"fee_basis_points"`
	TermsHash      jsonBytes          `json:"terms_hash,omitempty"`
	WorkHash       jsonBytes          `json:"work_hash,omitempty"`
	ApplicationID  uint64             `json:"application_id,omitempty"`
	Panel          uint64             `json:"panel,omitempty"`
	AgentApproved  bool               `json:"agent_approved"`
	DisputedBy     jsonBytes          `json:"disputed_by,omitempty"`
	CancelledBy    jsonBytes          `json:"cancelled_by,omitempty"`
	PostedAt       time.Time          `json:"posted_at"`
	AcceptedAt     *time.Time         `json:"accepted_at,omitempty"`
	SubmittedAt    *time.Time         `json:"submitted_at,omitempty"`
	DisputedAt     *time.Time         `json:"disputed_at,omitempty"`
	ApprovedAt     *time.Time         `json:"approved_at,omitempty"`
	LastActivityAt *time.Time         `json:"last_activity_at,omitempty"`
	EndedAt        *time.Time         `json:"ended_at,omitempty"`
	SettleAt       *time.Time         `json:"settle_at,omitempty"`
	Verdict        *bool              `json:"verdict,omitempty"`
	Paid           *big.Int           `json:"paid,omitempty"`
	Fee            *big.Int           `json:"fee,omitempty"`
	Refund         *big.Int           `json:"refund,omitempty"`
	PostedTx       jsonBytes          `json:"posted_tx"`
	PostedOrdinal  int                `json:"posted_ordinal"`
	PostedBlock    uint64             `json:"posted_block"`
	PostedIndex    uint               `json:"posted_index"`
	AcceptTx       jsonBytes          `json:"accept_tx,omitempty"`
	SubmitTx       jsonBytes          `json:"submit_tx,omitempty"`
	EndTx          jsonBytes          `json:"end_tx,omitempty"`
}

func onchainTaskOf(e *market.EscrowTask) onchainTask {
	return onchainTask{
		ChainID: e.ChainID, Escrow: e.Escrow[:], ID: e.ID, Status: e.Status, Agent: e.Agent[:],
		Human: jsonOf(e.Human), Amount: e.Amount, FeeBasisPoints: e.FeeBasisPoints,
		TermsHash: jsonOf(e.TermsHash), WorkHash: jsonOf(e.WorkHash),
		ApplicationID: e.ApplicationID, Panel: e.Panel, AgentApproved: e.AgentApproved,
		DisputedBy: jsonOf(e.DisputedBy), CancelledBy: jsonOf(e.CancelledBy), PostedAt: e.PostedAt.UTC(), AcceptedAt: jsonTime(e.AcceptedAt),
		SubmittedAt: jsonTime(e.SubmittedAt), DisputedAt: jsonTime(e.DisputedAt), ApprovedAt: jsonTime(e.ApprovedAt),
		LastActivityAt: jsonTime(e.LastActivityAt), EndedAt: jsonTime(e.EndedAt), SettleAt: jsonTime(e.SettleAt()),
		Verdict: e.Verdict, Paid: e.Paid, Fee: e.Fee, Refund: e.Refund,
		PostedTx: e.Posted.TxHash[:], PostedOrdinal: e.Posted.Ordinal, PostedBlock: e.Posted.Block,
		PostedIndex: e.Posted.Index, AcceptTx: jsonOf(e.AcceptTx), SubmitTx: jsonOf(e.SubmitTx), EndTx: jsonOf(e.EndTx),
	}
}

// saveTasks replaces the rows that have the former ids with rows for the tasks. Tasks with other ids have
// no rows yet.
func (f *Fold) saveTasks(ctx context.Context, former pq.Int64Array, tasks []*market.EscrowTask) error {
	if len(former) > 0 {
		_, err := f.db.Exec(ctx, f.tx, `
			DELETE FROM onchain_tasks
			WHERE chain_id = $1 AND escrow = $2 AND id = ANY ($3)`,
			f.deployment.ChainID, f.deployment.Escrow, former)
		if err != nil {
			return pg.Translate(err, "delete the tasks to fold")
		}
	}
	rows := make([]onchainTask, len(tasks))
	for i, e := range tasks {
		rows[i] = onchainTaskOf(e)
	}
	err := f.insertJSON(ctx, "insert folded tasks", `
		INSERT INTO onchain_tasks (`+onchainTaskColumns+`)
		SELECT `+onchainTaskColumns+`
		FROM json_populate_recordset(NULL::onchain_tasks, $1)`, rows)
	if err != nil {
		return err
	}
	return f.analyze(ctx, "onchain_tasks", "chain_id, escrow, id, terms_hash, posted_tx", len(rows))
}
