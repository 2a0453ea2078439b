package rescue

import (
	"context"
	"maps"
	"math/big"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/gen/contracts"
	"taskmarket/market"
)

// Holdings are a wallet's records in the contracts. Tasks and Stakes are sorted by ID, newest
// first.
type Holdings struct {
	Deployment market.Deployment
	Token      market.Token
	Wallet     common.Address
	Block      market.Block // the last block whose logs were read; its time is the current chain time
	Balance    *big.Int     // the wallet's token balance, in wei
	Gas        *big.Int     // the wallet's balance of the chain's coin, which pays for gas, in wei
	Tasks      []Task       // tasks that the wallet posted or was accepted for
	Stakes     []Stake      // stakes that the wallet locked, and stakes for its tasks that it can act on
	Credits    []Credit
	Reward     *Reward // nil if the distributor is unknown
}

// Task is one of the wallet's tasks in the escrow.
type Task struct {
	*market.EscrowTask             // Amount is the amount when the task was posted
	Role               market.Role // the wallet's role: RoleAgent or RoleHuman
	Status             market.Status
	Exits              []Exit
	Transitions        []market.Transition // future status changes if neither side acts; empty if the status stays
}

// Stake is the stake of an application that concerns the wallet.
type Stake struct {
	*market.Stake             // Amount is the amount when the stake was locked
	Role          market.Role // the wallet's role: RoleApplicant, or RoleAgent for the task's agent
	Application   market.ApplicationStatus
	Exits         []Exit
}

// Credit is a payment that the token rejected when it was due. The wallet can withdraw it.
type Credit struct {
	Contract common.Address
	Amount   *big.Int
	Exits    []Exit
}

// Reward contains the wallet's rewards on the chain. Further rewards need the server's vouchers.
type Reward struct {
	Claimed *big.Int // total amount claimed so far, in wei
	Budget  *big.Int // amount that the distributor can currently pay to all wallets together, in wei
}

// Holdings finds the wallet's records. It reads only the chain. The number of requests depends on
// how many blocks the node allows in one request.
func (r *Rescue) Holdings(ctx context.Context, wallet common.Address) (*Holdings, error) {
	head, err := ask(ctx, r.reader.Head)
	if err != nil {
		return nil, err
	}
	logs, err := r.mentions(ctx, wallet, head.Number)
	if err != nil {
		return nil, err
	}
	past, err := r.readHistory(ctx, wallet, logs)
	if err != nil {
		return nil, err
	}
	h := &Holdings{Deployment: r.deployment, Token: r.token, Wallet: wallet, Block: head}
	if err := r.fill(ctx, h, past); err != nil {
		return nil, err
	}
	return h, r.readWallet(ctx, h)
}

// fill reads the current state of all records that appear in the logs.
func (r *Rescue) fill(ctx context.Context, h *Holdings, past *history) error {
	stakes, err := r.stakes(ctx, newest(past.stakes))
	if err != nil {
		return err
	}
	wanted := maps.Clone(past.tasks)
	for _, s := range stakes {
		if _, ok := wanted[s.TaskID]; !ok && s.Status == market.StakeLive {
			wanted[s.TaskID] = nil
		}
	}
	tasks, err := r.tasks(ctx, newest(wanted))
	if err != nil {
		return err
	}
	for _, id := range newest(past.tasks) {
		past.tasks[id].complete(tasks[id])
		h.Tasks = append(h.Tasks, r.taskOf(tasks[id], h.Wallet, h.Block.Time))
	}
	for _, id := range newest(past.stakes) {
		past.stakes[id].completeStake(stakes[id], tasks)
		if s := stakeOf(stakes[id], tasks[stakes[id].TaskID], h.Wallet, h.Block.Time); s.Role == market.RoleApplicant || len(s.Exits) > 0 {
			h.Stakes = append(h.Stakes, s)
		}
	}
	return nil
}

func newest[V any](byID map[uint64]V) []uint64 {
	ids := slices.Sorted(maps.Keys(byID))
	slices.Reverse(ids)
	return ids
}

// Balances returns the wallet's balances of the token and of the chain's coin, both in wei.
func (r *Rescue) Balances(ctx context.Context, wallet common.Address) (token, gas *big.Int, err error) {
	err = try(ctx, func(ctx context.Context) (err error) {
		token, gas, err = r.reader.Balances(ctx, wallet)
		return err
	})
	return token, gas, err
}

// readWallet reads the wallet's balances, credits and rewards.
func (r *Rescue) readWallet(ctx context.Context, h *Holdings) (err error) {
	if h.Balance, h.Gas, err = r.Balances(ctx, h.Wallet); err != nil {
		return err
	}
	c := contracts.NewEscrow() // also used for the staking contract, which has the same view
	for _, contract := range []common.Address{r.deployment.Escrow, r.deployment.Staking} {
		amount, err := view(ctx, r, contract, c.PackWithdrawable(h.Wallet), c.UnpackWithdrawable)
		if err != nil {
			return err
		}
		if amount.Sign() > 0 {
			h.Credits = append(h.Credits, Credit{Contract: contract, Amount: amount, Exits: []Exit{{Name: ExitWithdrawCredit}}})
		}
	}
	if r.deployment.Distributor == (common.Address{}) {
		return nil
	}
	h.Reward = &Reward{}
	d := contracts.NewRewardDistributor()
	if h.Reward.Claimed, err = view(ctx, r, r.deployment.Distributor, d.PackClaimed(h.Wallet), d.UnpackClaimed); err != nil {
		return err
	}
	h.Reward.Budget, err = ask(ctx, r.reader.RewardBudget)
	return err
}

// taskOf returns the task with the wallet's role and exits at chain time now.
func (r *Rescue) taskOf(e *market.EscrowTask, wallet common.Address, now time.Time) Task {
	record := recordOf(e, now)
	role := roleOf(e, wallet)
	t := Task{EscrowTask: e, Role: role, Status: record.Status, Transitions: record.Transitions()}
	if !e.Status.Ended() {
		t.Exits = taskExits(record, role, now)
	}
	return t
}

// stakeOf returns the stake with the wallet's role and exits at chain time now. The task may be nil
// for a stake that has ended.
func stakeOf(s *market.Stake, task *market.EscrowTask, wallet common.Address, now time.Time) Stake {
	role := market.RoleAgent
	if s.Human == wallet {
		role = market.RoleApplicant
	}
	status := market.ApplicationStatusAt("", s, task, now)
	stake := Stake{Stake: s, Role: role, Application: status}
	if s.Status == market.StakeLive && task != nil {
		stake.Exits = stakeExits(s, status, recordOf(task, now), role, now)
	}
	return stake
}

// recordOf converts the escrow's task to the record that the rules need. The chain has no task
// deadlines, so no task counts as expired.
func recordOf(e *market.EscrowTask, now time.Time) *market.Task {
	return &market.Task{
		AgentWallet: e.Agent, Amount: e.Amount, FeeBasisPoints: e.FeeBasisPoints,
		ChainID: e.ChainID, EscrowAddress: e.Escrow, Escrow: e, Status: market.StatusAt(e, nil, now),
	}
}

func roleOf(e *market.EscrowTask, wallet common.Address) market.Role {
	switch wallet {
	case e.Agent:
		return market.RoleAgent
	case e.Human:
		return market.RoleHuman
	}
	return market.RoleOther
}
