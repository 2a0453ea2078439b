package rescue

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	ethrpc "github.com/ethereum/go-ethereum/rpc"

	"taskmarket/chain/rpc"
	"taskmarket/gen/contracts"
	"taskmarket/market"
)

// callsPerBatch is the maximum number of calls in a batch. Public nodes limit the size of batches.
const callsPerBatch = 50

// question is a call to a view function; read receives the result.
type question struct {
	contract common.Address
	data     []byte
	read     func(result []byte) error
}

// answers calls the view functions with the state of the latest block. It batches the calls, and
// reduces the batches if the node rejects large ones.
func (r *Rescue) answers(ctx context.Context, questions []question) error {
	for size := callsPerBatch; len(questions) > 0; {
		part := questions[:min(size, len(questions))]
		raw, err := r.callBatch(ctx, part)
		switch {
		case err == nil:
		case rangeTooLarge(ctx, err) && len(part) > 1:
			size = len(part) / 2
			continue
		default:
			return unavailable("read the contracts through the node", err)
		}
		for i, q := range part {
			if err := q.read(raw[i]); err != nil {
				return unavailable(fmt.Sprintf("read the contract at %s through the node", q.contract), err)
			}
		}
		questions = questions[len(part):]
	}
	return nil
}

// callBatch calls the view functions in one request. A single call is sent without a batch,
// because some nodes do not support batches.
func (r *Rescue) callBatch(ctx context.Context, questions []question) ([]hexutil.Bytes, error) {
	return askOnce(ctx, r, func(ctx context.Context) ([]hexutil.Bytes, error) {
		answers := make([]hexutil.Bytes, len(questions))
		batch := make([]ethrpc.BatchElem, len(questions))
		for i, q := range questions {
			call := map[string]any{"to": q.contract, "data": hexutil.Bytes(q.data)}
			batch[i] = ethrpc.BatchElem{Method: "eth_call", Args: []any{call, "latest"}, Result: &answers[i]}
		}
		if len(batch) == 1 {
			return answers, r.eth.Client().CallContext(ctx, &answers[0], batch[0].Method, batch[0].Args...)
		}
		if err := r.eth.Client().BatchCallContext(ctx, batch); err != nil {
			return nil, err
		}
		for _, element := range batch {
			if element.Error != nil {
				return nil, element.Error
			}
		}
		return answers, nil
	})
}

// about returns a question that calls a view function through the generated bindings.
func about[T any](contract common.Address, data []byte, unpack func([]byte) (T, error), take func(T) error) question {
	return question{contract: contract, data: data, read: func(result []byte) error {
		value, err := rpc.Unpack(result, unpack)
		if err != nil {
			return err
		}
		return take(value)
	}}
}

// keep returns a function that stores a result in into.
func keep[T any](into *T) func(T) error {
	return func(value T) error {
		*into = value
		return nil
	}
}

// disputedByAgent and disputedByHuman are the contract's Party.Agent and Party.Human.
const (
	disputedByAgent = 1
	disputedByHuman = 2
)

// taskState contains the results of the view calls about a task.
type taskState struct {
	view  contracts.IEscrowTaskView
	party uint8 // the side that opened the dispute
	panel *big.Int
	work  [32]byte
}

func (r *Rescue) askTask(id uint64, into *taskState) []question {
	escrow, c, n := r.deployment.Escrow, contracts.NewEscrow(), number(id)
	return []question{
		about(escrow, c.PackGetTask(n), c.UnpackGetTask, keep(&into.view)),
		about(escrow, c.PackDisputedBy(n), c.UnpackDisputedBy, keep(&into.party)),
		about(escrow, c.PackPanelOf(n), c.UnpackPanelOf, keep(&into.panel)),
		about(escrow, c.PackWorkHash(n), c.UnpackWorkHash, keep(&into.work)),
	}
}

// tasks reads the tasks' state from the escrow. If a task does not exist, its status is
// market.ChainNone.
func (r *Rescue) tasks(ctx context.Context, ids []uint64) (map[uint64]*market.EscrowTask, error) {
	states := make([]taskState, len(ids))
	var questions []question
	for i, id := range ids {
		questions = append(questions, r.askTask(id, &states[i])...)
	}
	if err := r.answers(ctx, questions); err != nil {
		return nil, err
	}
	tasks := make(map[uint64]*market.EscrowTask, len(ids))
	for i, id := range ids {
		e, err := r.escrowTask(id, &states[i])
		if err != nil {
			return nil, fmt.Errorf("read task %d: %w", id, err)
		}
		tasks[id] = e
	}
	return tasks, nil
}

// escrowTask converts the results of the escrow's views to the record that the rules need. Amount
// is the amount that is still locked, which is 0 after the task has ended.
func (r *Rescue) escrowTask(id uint64, s *taskState) (*market.EscrowTask, error) {
	status := market.ChainStatus(s.view.Status)
	if status > market.ChainCancelled || !s.view.ApplicationId.IsUint64() || !s.panel.IsUint64() {
		return nil, errSenseless
	}
	e := &market.EscrowTask{
		ChainID: r.deployment.ChainID, Escrow: r.deployment.Escrow, ID: id, Status: status,
		Agent: s.view.Agent, Human: s.view.Human, Amount: s.view.Amount, FeeBasisPoints: s.view.FeeBasisPoints,
		WorkHash: s.work, ApplicationID: s.view.ApplicationId.Uint64(), Panel: s.panel.Uint64(),
		AgentApproved: s.view.AgentApproved,
		SubmittedAt:   instant(s.view.SubmittedAt), LastActivityAt: instant(s.view.LastActivityAt),
	}
	switch s.party {
	case disputedByAgent:
		e.DisputedBy = e.Agent
	case disputedByHuman:
		e.DisputedBy = e.Human
	}
	// The last activity is the approval if there is one, otherwise the dispute, and otherwise the
	// submission. The order is certain because work can no longer be disputed after its approval.
	switch {
	case e.AgentApproved:
		e.ApprovedAt = e.LastActivityAt
	case status == market.ChainDisputed:
		e.DisputedAt = e.LastActivityAt
	}
	return e, nil
}

// Values of the contract's StakeStatus.
const (
	stakeLocked = iota + 1
	stakeActivated
	stakeEnded
)

// stakes reads the stakes' state from the staking contract. Amount is the amount that is still
// locked. The Status of an ended stake is "", because only the logs show whether it was returned or
// forfeited.
func (r *Rescue) stakes(ctx context.Context, ids []uint64) (map[uint64]*market.Stake, error) {
	staking, c := r.deployment.Staking, contracts.NewApplicationStaking()
	stakes := make(map[uint64]*market.Stake, len(ids))
	questions := make([]question, len(ids))
	for i, id := range ids {
		questions[i] = about(staking, c.PackGetStake(number(id)), c.UnpackGetStake, func(v contracts.IApplicationStakingStakeView) (err error) {
			stakes[id], err = r.stake(id, v)
			return err
		})
	}
	return stakes, r.answers(ctx, questions)
}

func (r *Rescue) stake(id uint64, v contracts.IApplicationStakingStakeView) (*market.Stake, error) {
	if !v.TaskId.IsUint64() || v.Status > stakeEnded {
		return nil, errSenseless
	}
	s := &market.Stake{
		ChainID: r.deployment.ChainID, Contract: r.deployment.Staking, ID: id, TaskID: v.TaskId.Uint64(),
		Human: v.Human, Agent: v.IntendedAgent, Amount: v.Amount, ExpiresAt: instant(v.ExpiresAt),
	}
	switch v.Status {
	case stakeLocked:
		s.Status = market.StakeLive
	case stakeActivated:
		s.Status, s.Accepted = market.StakeActivated, true
	}
	return s, nil
}

// errSenseless is returned for a result that the contracts never return.
var errSenseless = errors.New("the result is invalid")

func number(n uint64) *big.Int { return new(big.Int).SetUint64(n) }

// instant converts a contract's time in Unix seconds. It returns the zero time for 0 and for values
// that are out of range.
func instant(seconds *big.Int) time.Time {
	if seconds.Sign() == 0 || !seconds.IsInt64() {
		return time.Time{}
	}
	return time.Unix(seconds.Int64(), 0).UTC()
}
