package audit

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"taskmarket/chain"
	"taskmarket/chain/rpc"
	"taskmarket/gen/contracts"
	"taskmarket/market"
)

// Values of the escrow's Party and the staking contract's StakeStatus.
const (
	partyAgent, partyHuman                  = 1, 2
	stakeLocked, stakeActivated, stakeEnded = 1, 2, 3
)

// contractIDs contains the ids that the contracts had assigned at a block. The providers may disagree.
type contractIDs struct {
	minTasks, maxTasks uint64 // the lowest and the highest number of tasks that a provider returned
	more               bool   // set if an application exists after the last followed one, according to any provider
}

// idsAt reads the ids that the contracts had assigned at a block.
func (a *Auditor) idsAt(ctx context.Context, block common.Hash, last market.LastIDs) (contractIDs, error) {
	d := a.deployment
	ids := contractIDs{minTasks: math.MaxUint64}
	err := a.node.CallsAt(ctx, block, []chain.Call{
		{To: d.Escrow, Data: a.escrow.PackTaskCount()},
		{To: d.Staking, Data: a.staking.PackGetStakeHuman(number(last.Application + 1))},
	}, func(_ string, results []hexutil.Bytes) error {
		tasks, err := a.escrow.UnpackTaskCount(results[0])
		if err == nil && !tasks.IsUint64() {
			err = rpc.ErrInvalidAnswer
		}
		if err != nil {
			return fmt.Errorf("read the number of tasks: %w", err)
		}
		next, err := a.staking.UnpackGetStakeHuman(results[1])
		if err != nil {
			return fmt.Errorf("decode the staking contract's next stake: %w", err)
		}
		ids.minTasks, ids.maxTasks = min(ids.minTasks, tasks.Uint64()), max(ids.maxTasks, tasks.Uint64())
		ids.more = ids.more || next != common.Address{}
		return nil
	})
	return ids, err
}

// uncounted returns the tasks that the escrow created after the last followed one, at most Batch,
// or the last followed one if the escrow did not create it. It also returns the application after
// the last followed one, if it exists.
func (a *Auditor) uncounted(ctx context.Context, at market.Block, ids contractIDs) ([]market.OnchainRef, error) {
	last, err := a.records.LastIDs(ctx, at.Number)
	if err != nil {
		return nil, err
	}
	var suspects []market.OnchainRef
	for id := last.Task + 1; id <= min(ids.maxTasks, last.Task+uint64(a.options.Batch)); id++ { //nolint:gosec // the batch size is positive
		suspects = append(suspects, market.OnchainRef{Kind: market.OnchainTask, ID: id})
	}
	if ids.minTasks < last.Task {
		suspects = append(suspects, market.OnchainRef{Kind: market.OnchainTask, ID: last.Task})
	}
	if ids.more {
		suspects = append(suspects, market.OnchainRef{Kind: market.OnchainApplication, ID: last.Application + 1})
	}
	return suspects, nil
}

// folded contains a followed task or application. Both are nil if the record was not followed.
type folded struct {
	id    uint64
	task  *market.EscrowTask
	stake *market.Stake
}

func (a *Auditor) read(ctx context.Context, kind market.OnchainKind, q market.AuditQuery) ([]folded, error) {
	var records []folded
	if kind == market.OnchainTask {
		tasks, err := a.records.AuditTasks(ctx, q)
		for _, task := range tasks {
			records = append(records, folded{id: task.ID, task: task})
		}
		return records, err
	}
	stakes, err := a.records.AuditStakes(ctx, q)
	for _, stake := range stakes {
		records = append(records, folded{id: stake.ID, stake: stake})
	}
	return records, err
}

// compare returns the records of a query that differ from any provider's state, and the id after which to
// continue, which is 0 at the end of the records. Unless the query is Live, found also contains the
// missing ids between the records.
func (a *Auditor) compare(ctx context.Context, kind market.OnchainKind, q market.AuditQuery, block common.Hash) (found []market.OnchainRef, last uint64, err error) {
	records, err := a.read(ctx, kind, q)
	if err != nil || len(records) == 0 {
		return nil, 0, err
	}
	differs := make([]bool, len(records))
	err = a.differences(ctx, block, kind, records, func(_ string, differences []string) {
		for i, difference := range differences {
			differs[i] = differs[i] || difference != ""
		}
	})
	if err != nil {
		return nil, 0, err
	}
	next := q.After + 1
	for i, r := range records {
		// Ids have no gaps. A missing record was not followed, or it has logs after the block and
		// examine skips it.
		for ; !q.Live && next < r.id; next++ {
			found = append(found, market.OnchainRef{Kind: kind, ID: next})
		}
		next = r.id + 1
		if differs[i] {
			found = append(found, market.OnchainRef{Kind: kind, ID: r.id})
		}
	}
	if len(records) < q.Limit {
		return found, 0, nil
	}
	return found, records[len(records)-1].id, nil
}

// examine compares one record and returns the difference and the providers that returned it, empty if there is
// none. It updates the record's reporters. stable is false if the record has logs after the block.
func (a *Auditor) examine(ctx context.Context, at market.Block, r market.OnchainRef) (difference string, stable bool, err error) {
	records, err := a.read(ctx, r.Kind, market.AuditQuery{Block: at.Number, After: r.ID - 1, Limit: 1})
	if err != nil {
		return "", false, err
	}
	record := folded{id: r.ID}
	if len(records) > 0 && records[0].id == r.ID {
		record = records[0]
	} else if places, err := a.records.LogPositions(ctx, r); err != nil || len(places) > 0 {
		return "", false, err
	}
	var differing []string
	err = a.differences(ctx, at.Hash, r.Kind, []folded{record}, func(provider string, differences []string) {
		delete(a.reporters[r], provider)
		if differences[0] == "" {
			return
		}
		if a.reporters[r] == nil {
			a.reporters[r] = make(map[string]bool)
		}
		a.reporters[r][provider] = true
		difference, differing = firstOf(difference, differences[0]), append(differing, provider)
	})
	if err != nil || difference == "" {
		return "", err == nil, err
	}
	return fmt.Sprintf("%s (according to %s)", difference, strings.Join(differing, ", ")), true, nil
}

// differences compares records of one kind with the contracts at the block, in the state of every provider. A record
// that was not followed must not exist there. Each provider's differences are passed to found: one for each
// record, empty if there is none.
func (a *Auditor) differences(
	ctx context.Context, block common.Hash, kind market.OnchainKind, records []folded, found func(provider string, differences []string),
) error {
	d := a.deployment
	var calls []chain.Call
	for _, r := range records {
		id := number(r.id)
		if kind == market.OnchainTask {
			calls = append(calls, chain.Call{To: d.Escrow, Data: a.escrow.PackGetTask(id)},
				chain.Call{To: d.Escrow, Data: a.escrow.PackWorkHash(id)}, chain.Call{To: d.Escrow, Data: a.escrow.PackDisputedBy(id)})
		} else {
			calls = append(calls, chain.Call{To: d.Staking, Data: a.staking.PackGetStake(id)})
		}
	}
	return a.node.CallsAt(ctx, block, calls, func(provider string, results []hexutil.Bytes) (err error) {
		differences := make([]string, len(records))
		for i, r := range records {
			if kind == market.OnchainTask {
				differences[i], err = a.taskDifference(r.task, results[3*i:3*i+3])
			} else {
				differences[i], err = a.stakeDifference(r.stake, results[i])
			}
			if err != nil {
				return fmt.Errorf("read %s %d: %w", kind, r.id, err)
			}
		}
		found(provider, differences)
		return nil
	})
}

// taskDifference compares a followed task, nil if there is none, with the escrow's responses.
func (a *Auditor) taskDifference(e *market.EscrowTask, answers []hexutil.Bytes) (string, error) {
	view, err := a.escrow.UnpackGetTask(answers[0])
	if err != nil {
		return "", err
	}
	work, err := a.escrow.UnpackWorkHash(answers[1])
	if err != nil {
		return "", err
	}
	party, err := a.escrow.UnpackDisputedBy(answers[2])
	if err != nil {
		return "", err
	}
	if e == nil {
		return differ("status", market.ChainStatus(view.Status), market.ChainNone), nil
	}
	return firstOf(
		differ("status", market.ChainStatus(view.Status), e.Status),
		differ("agent", view.Agent, e.Agent),
		differ("human", view.Human, e.Human),
		differ("amount", view.Amount.String(), e.Locked().String()),
		differ("fee", view.FeeBasisPoints, e.FeeBasisPoints),
		differ("application", view.ApplicationId.String(), number(e.ApplicationID).String()),
		differ("approval", view.AgentApproved, e.AgentApproved),
		differ("submission time", view.SubmittedAt.String(), seconds(e.SubmittedAt)),
		differ("last activity", view.LastActivityAt.String(), seconds(e.LastActivityAt)),
		differ("work hash", common.Hash(work), e.WorkHash),
		differ("disputing party", party, partyOf(e)),
	), nil
}

func partyOf(e *market.EscrowTask) uint8 {
	switch e.DisputedBy {
	case common.Address{}:
		return 0
	case e.Agent:
		return partyAgent
	}
	return partyHuman
}

// stakeDifference compares a followed application, nil if there is none, with the staking
// contract's response. It does not compare the amount and the expiry of an application that has
// ended, because the contract no longer stores them.
func (a *Auditor) stakeDifference(s *market.Stake, result hexutil.Bytes) (string, error) {
	view, err := a.staking.UnpackGetStake(result)
	if err != nil {
		return "", err
	}
	if s == nil {
		return differ("status", view.Status, 0), nil
	}
	same := firstOf(
		differ("status", view.Status, stakeStatusOf(s)),
		differ("human", view.Human, s.Human),
		differ("task", view.TaskId.String(), number(s.TaskID).String()),
	)
	if same != "" || view.Status == stakeEnded {
		return same, nil
	}
	return firstOf(stakeAmounts(view, s)...), nil
}

func stakeAmounts(view contracts.IApplicationStakingStakeView, s *market.Stake) []string {
	return []string{
		differ("amount", view.Amount.String(), s.Amount.String()),
		differ("expiry", view.ExpiresAt.String(), seconds(s.ExpiresAt)),
	}
}

func stakeStatusOf(s *market.Stake) uint8 {
	switch s.Status {
	case market.StakeLive:
		return stakeLocked
	case market.StakeActivated:
		return stakeActivated
	case market.StakeReturned, market.StakeForfeited:
		return stakeEnded
	}
	return 0
}

// seconds formats a time as Unix seconds, like the contracts; 0 if it is not set.
func seconds(t time.Time) string {
	if t.IsZero() {
		return "0"
	}
	return big.NewInt(t.Unix()).String()
}

// differ describes a difference between two values. It returns "" if they are equal.
func differ[T comparable](what string, contract, database T) string {
	if contract == database {
		return ""
	}
	return fmt.Sprintf("%s: %v in the contract, %v in the database", what, contract, database)
}

func firstOf(differences ...string) string {
	for _, d := range differences {
		if d != "" {
			return d
		}
	}
	return ""
}

func number(n uint64) *big.Int { return new(big.Int).SetUint64(n) }
