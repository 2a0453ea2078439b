package metrics

import (
	"context"
	"math/big"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain/audit"
	"taskmarket/chain/follow"
	"taskmarket/chain/keeper"
	"taskmarket/chain/rpc"
	"taskmarket/market"
	"taskmarket/store/journal"
	"taskmarket/store/moderation"
	"taskmarket/store/operators"
	"taskmarket/store/outbox"
)

const (
	// readTime limits how long a scrape waits for the database.
	readTime = 2 * time.Second
	// moneyTime limits the time to sum the money in the records and to read the contracts.
	moneyTime = 30 * time.Second
	// moneyInterval is the pause between two comparisons of the records with the contracts.
	moneyInterval = time.Minute
)

// State reads the state of the service. Every function is required unless stated otherwise.
type State struct {
	Head       func() (market.Block, error) // the latest block that was read from the chain
	Providers  func() []rpc.ProviderStatus
	Watcher    func() follow.Status
	Auditor    func() audit.Status
	Keeper     func() keeper.Status // nil if this process runs no keeper
	Operations func(context.Context) (operators.Operations, error)
	Holdings   func(context.Context) (journal.Holdings, error)
	Held       func(ctx context.Context, block common.Hash) (escrow, staking *big.Int, err error)
	StandbyAge func(context.Context) (age time.Duration, ok bool)
	Reasons    func(context.Context) []market.HealthReason
	Moderation func(context.Context) (moderation.Backlog, error)
	Stale      func() bool // whether an older version of the screening file is in force

	mu    sync.Mutex
	money Money
}

// Money compares the money in the records with the contracts' balances at the same block.
type Money struct {
	Holdings journal.Holdings
	// EscrowSurplus and StakingSurplus are the contracts' balances minus the amounts of the records,
	// in wei. They are positive after a donation or while a credit waits for its owner, and negative
	// only if money is missing. They are nil if no node has the block's state.
	EscrowSurplus  *big.Int
	StakingSurplus *big.Int
	At             time.Time // when the money was compared; zero if it was not
}

// Compare sums the money in the records and reads the contracts' balances.
func (s *State) Compare(ctx context.Context) (Money, error) {
	ctx, cancel := context.WithTimeout(ctx, moneyTime)
	defer cancel()
	holdings, err := s.Holdings(ctx)
	if err != nil || holdings.Block.Hash == (common.Hash{}) {
		return Money{}, err
	}
	money := Money{Holdings: holdings}
	escrow, staking, err := s.Held(ctx, holdings.Block.Hash)
	if err != nil {
		return money, err
	}
	money.EscrowSurplus = new(big.Int).Sub(escrow, journal.Total(holdings.Tasks))
	money.StakingSurplus = new(big.Int).Sub(staking, journal.Total(holdings.Stakes))
	money.At = time.Now()
	return money, nil
}

// CompareMoney compares the money for the next scrapes. In a process whose watcher does not lead, it
// only clears the previous result, because the comparison is expensive: it reads every open record.
func (s *State) CompareMoney(ctx context.Context) error {
	var money Money
	var err error
	if s.Watcher().Leading {
		money, err = s.Compare(ctx)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.money = money
	return err
}

// MoneyInterval is the pause between two calls of CompareMoney.
const MoneyInterval = moneyInterval

func (s *State) compared() Money {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.money
}

// Runway returns how many days the balance lasts if the account spends as much each day as in the
// last 24 hours. It returns false if nothing was spent or the balance is unknown.
func Runway(balance, spent *big.Int) (days float64, ok bool) {
	if balance == nil || spent == nil || spent.Sign() == 0 {
		return 0, false
	}
	days, _ = new(big.Rat).SetFrac(balance, spent).Float64()
	return days, true
}

// NonceGap returns the number of nonces that are missing below the lowest recorded transaction. A
// transaction above a gap cannot be mined.
func NonceGap(jobs []outbox.Backlog, used uint64) uint64 {
	gap := uint64(0)
	lowest, found := uint64(0), false
	for _, b := range jobs {
		if b.Nonce != nil && (!found || *b.Nonce < lowest) {
			lowest, found = *b.Nonce, true
		}
	}
	if found && lowest > used {
		gap = lowest - used
	}
	return gap
}
