package store

import (
	"context"
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/lib/pq"

	"taskmarket/market"
)

// foldTasks writes the touched rows of onchain_tasks anew.
func (f *fold) foldTasks(ctx context.Context) error {
	if len(f.tasks) == 0 {
		return nil
	}
	d, ids := f.s.deployment, idArray(f.tasks)
	logs, err := f.logs(ctx, "select the logs of tasks", `
		SELECT `+logMembers+`
		FROM chain_logs l
		WHERE l.chain_id = $1 AND l.address = $2 AND l.task_id = ANY ($3) AND l.canonical
		ORDER BY l.task_id, l.block_number, l.log_index`,
		d.ChainID, d.Escrow, ids)
	if err != nil {
		return err
	}
	panelAt, err := f.panels(ctx)
	if err != nil {
		return err
	}
	f.postings, err = foldEach(logs, func(l market.Log) uint64 { return l.Event.TaskID },
		func(logs []market.Log) (*market.EscrowTask, error) { return market.FoldEscrowTask(logs, panelAt) })
	if err != nil {
		return fmt.Errorf("fold tasks: %w", err)
	}
	if err := f.numberPostings(ctx, f.postings); err != nil {
		return err
	}
	return f.saveTasks(ctx, ids, f.postings)
}

// foldEach folds logs that are sorted by id, the logs of one id at a time.
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

// numberPostings sets each task's ordinal among the postings of its transaction.
func (f *fold) numberPostings(ctx context.Context, tasks []*market.EscrowTask) error {
	var txs pq.ByteaArray
	for _, e := range tasks {
		txs = append(txs, e.Posted.TxHash[:])
	}
	ordinals, err := f.ordinals(ctx, f.s.deployment.Escrow, market.EventTaskPosted, "task_id", txs)
	for _, e := range tasks {
		e.Posted.Ordinal = ordinals[e.ID]
	}
	return err
}

// ordinals numbers the logs of a kind within each of the transactions, from 0,
// by the id in the given column.
func (f *fold) ordinals(ctx context.Context, contract common.Address, kind market.EventKind, column string, txs pq.ByteaArray) (map[uint64]int, error) {
	var rows []struct {
		ID      uint64 `db:"id"`
		Ordinal int    `db:"ordinal"`
	}
	err := f.s.rows(ctx, f.tx, &rows, `
		SELECT `+column+` AS id, row_number() OVER (PARTITION BY tx_hash ORDER BY log_index) - 1 AS ordinal
		FROM chain_logs
		WHERE chain_id = $1 AND tx_hash = ANY ($2) AND canonical AND address = $3 AND kind = $4`,
		f.s.deployment.ChainID, txs, contract, string(kind))
	if err != nil {
		return nil, translate(err, "number the logs of transactions")
	}
	ordinals := make(map[uint64]int, len(rows))
	for _, row := range rows {
		ordinals[row.ID] = row.Ordinal
	}
	return ordinals, nil
}

const onchainTaskColumns = `chain_id, escrow, id, status, agent, human, amount, fee_basis_points, terms_hash,
	work_hash, application_id, panel, agent_approved, disputed_by, posted_at, accepted_at, submitted_at,
	disputed_at, approved_at, last_activity_at, ended_at, settle_at, verdict, paid, fee, refund,
	posted_tx, posted_ordinal, posted_block, posted_index, accept_tx, submit_tx, end_tx`

// onchainTask is a row of onchain_tasks on its way into the database.
type onchainTask struct {
	ChainID        uint64             `json:"chain_id"`
	Escrow         jsonBytes          `json:"escrow"`
	ID             uint64             `json:"id"`
	Status         market.ChainStatus `json:"status"`
	Agent          jsonBytes          `json:"agent"`
	Human          jsonBytes          `json:"human"`
	Amount         *big.Int           `json:"amount"`
	FeeBasisPoints uint16             `json:"fee_basis_points"`
	TermsHash      jsonBytes          `json:"terms_hash"`
	WorkHash       jsonBytes          `json:"work_hash"`
	ApplicationID  uint64             `json:"application_id,omitempty"`
	Panel          uint64             `json:"panel,omitempty"`
	AgentApproved  bool               `json:"agent_approved"`
	DisputedBy     jsonBytes          `json:"disputed_by"`
	PostedAt       time.Time          `json:"posted_at"`
	AcceptedAt     *time.Time         `json:"accepted_at"`
	SubmittedAt    *time.Time         `json:"submitted_at"`
	DisputedAt     *time.Time         `json:"disputed_at"`
	ApprovedAt     *time.Time         `json:"approved_at"`
	LastActivityAt *time.Time         `json:"last_activity_at"`
	EndedAt        *time.Time         `json:"ended_at"`
	SettleAt       *time.Time         `json:"settle_at"`
	Verdict        *bool              `json:"verdict"`
	Paid           *big.Int           `json:"paid"`
	Fee            *big.Int           `json:"fee"`
	Refund         *big.Int           `json:"refund"`
	PostedTx       jsonBytes          `json:"posted_tx"`
	PostedOrdinal  int                `json:"posted_ordinal"`
	PostedBlock    uint64             `json:"posted_block"`
	PostedIndex    uint               `json:"posted_index"`
	AcceptTx       jsonBytes          `json:"accept_tx"`
	SubmitTx       jsonBytes          `json:"submit_tx"`
	EndTx          jsonBytes          `json:"end_tx"`
}

func onchainTaskOf(e *market.EscrowTask) onchainTask {
	return onchainTask{
		ChainID: e.ChainID, Escrow: e.Escrow[:], ID: e.ID, Status: e.Status, Agent: e.Agent[:],
		Human: jsonOf(e.Human), Amount: e.Amount, FeeBasisPoints: e.FeeBasisPoints,
		TermsHash: jsonOf(e.TermsHash), WorkHash: jsonOf(e.WorkHash),
		ApplicationID: e.ApplicationID, Panel: e.Panel, AgentApproved: e.AgentApproved,
		DisputedBy: jsonOf(e.DisputedBy), PostedAt: e.PostedAt.UTC(), AcceptedAt: jsonTime(e.AcceptedAt),
		SubmittedAt: jsonTime(e.SubmittedAt), DisputedAt: jsonTime(e.DisputedAt), ApprovedAt: jsonTime(e.ApprovedAt),
		LastActivityAt: jsonTime(e.LastActivityAt), EndedAt: jsonTime(e.EndedAt), SettleAt: jsonTime(e.SettleAt()),
		Verdict: e.Verdict, Paid: e.Paid, Fee: e.Fee, Refund: e.Refund,
		PostedTx: e.Posted.TxHash[:], PostedOrdinal: e.Posted.Ordinal, PostedBlock: e.Posted.Block,
		PostedIndex: e.Posted.Index, AcceptTx: jsonOf(e.AcceptTx), SubmitTx: jsonOf(e.SubmitTx), EndTx: jsonOf(e.EndTx),
	}
}

func (f *fold) saveTasks(ctx context.Context, ids pq.Int64Array, tasks []*market.EscrowTask) error {
	_, err := f.s.exec(ctx, f.tx, `
		DELETE FROM onchain_tasks
		WHERE chain_id = $1 AND escrow = $2 AND id = ANY ($3)`,
		f.s.deployment.ChainID, f.s.deployment.Escrow, ids)
	if err != nil {
		return translate(err, "delete the tasks to fold")
	}
	rows := make([]onchainTask, len(tasks))
	for i, e := range tasks {
		rows[i] = onchainTaskOf(e)
	}
	return f.insertJSON(ctx, "insert folded tasks", `
		INSERT INTO onchain_tasks (`+onchainTaskColumns+`)
		SELECT `+onchainTaskColumns+`
		FROM json_populate_recordset(NULL::onchain_tasks, $1)`, rows)
}
