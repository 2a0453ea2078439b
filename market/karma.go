package market

import (
	"fmt"
	"math"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
)

// The karma points, and the interval in which they count only once per counterparty.
const (
	karmaOfTask    = 10 // points for a task that the agent approved and that was paid
	karmaOfDispute = -10
	karmaOfStar    = 2 // points for each star above 3 in a review; subtracted for each star below 3
	middleRating   = 3

	// KarmaInterval is the period in which only one gain and one loss with the same counterparty
	// count.
	KarmaInterval = 30 * 24 * time.Hour
)

// DefaultKarmaFeeFloor returns the smallest platform fee, in wei, at which a task changes karma. It
// is 0.001 token.
func DefaultKarmaFeeFloor() *big.Int { return big.NewInt(1_000_000_000_000_000) }

// Standing is a user's karma, and the fees paid for the tasks that increased it.
type Standing struct {
	Karma          int64    // never negative
	Fees           *big.Int // platform fees in wei for the tasks that increased karma; never nil
	Completed      int      // paid tasks, counted once per counterparty within KarmaInterval
	Rejected       int      // tasks refunded by a verdict, counted in the same way
	Counterparties int      // number of different counterparties of the completed tasks
}

// RejectionShare returns the rejected tasks as a share of the completed and rejected tasks, to two decimals; 0
// if there are none.
func (s Standing) RejectionShare() float64 {
	if s.Rejected == 0 {
		return 0
	}
	return math.Round(100*float64(s.Rejected)/float64(s.Completed+s.Rejected)) / 100
}

// Deal is a finished task from one party's point of view. Karma is computed from a party's deals.
type Deal struct {
	Counterparty common.Address
	EndedAt      time.Time
	Fee          *big.Int // wei; the fee that the platform charged, or would have charged if the task had been paid
	Paid         bool     // whether the human was paid
	Approved     bool     // whether the agent approved the work and the human was paid
	Lost         bool     // whether a verdict decided a dispute against the party
	Rating       int      // rating in the counterparty's review; 0 if there is no review
}

// StandingOf computes a party's karma, and its completed and rejected tasks, from its deals, which must be ordered by the time at which
// they ended. Deals whose fee is below the floor are ignored. Gains with one counterparty count
// once within KarmaInterval, and so do losses. The two intervals are separate, so that a gain does
// not hide a later loss.
func StandingOf(deals []Deal, floor *big.Int) Standing {
	standing := Standing{Fees: new(big.Int)}
	gains, losses, completed, rejected := lastCounted{}, lastCounted{}, lastCounted{}, lastCounted{}
	for _, d := range deals {
		if d.Fee.Cmp(floor) < 0 {
			continue
		}
		if d.Paid && completed.counts(d) {
			standing.Completed++
		}
		if !d.Paid && rejected.counts(d) {
			standing.Rejected++
		}
		switch {
		case d.Lost:
			if losses.counts(d) {
				standing.Karma += karmaOfDispute
			}
		case d.Approved:
			if gains.counts(d) {
				standing.Karma += karmaOfTask + d.reviewKarma()
				standing.Fees.Add(standing.Fees, d.Fee)
			}
		}
	}
	standing.Karma, standing.Counterparties = max(0, standing.Karma), len(completed)
	return standing
}

func (d Deal) reviewKarma() int64 {
	if d.Rating == 0 {
		return 0
	}
	return karmaOfStar * int64(d.Rating-middleRating)
}

// lastCounted maps each counterparty to the end time of the last deal that counted.
type lastCounted map[common.Address]time.Time

func (t lastCounted) counts(d Deal) bool {
	last, met := t[d.Counterparty]
	if met && d.EndedAt.Before(last.Add(KarmaInterval)) {
		return false
	}
	t[d.Counterparty] = d.EndedAt
	return true
}

// ClaimStatus is the status of a reward claim.
type ClaimStatus string

// The statuses of a claim. A paid claim becomes pending again if a reorganisation removes the
// payment.
const (
	ClaimPending ClaimStatus = "pending"
	ClaimPaid    ClaimStatus = "paid"
	ClaimFailed  ClaimStatus = "failed" // abandoned; no payment is on the chain
)

// budgetRetry is the RetryAfter for an exhausted budget. The budget refills continuously.
const budgetRetry = time.Hour

// ClaimInterval is the minimum time between two claims by an agent.
const ClaimInterval = 24 * time.Hour

// Claim is an agent's claim for platform tokens based on its karma.
type Claim struct {
	ID        uuid.UUID
	Amount    *big.Int // wei; after the payment, the amount that was paid
	Karma     int64    // the agent's karma at the time of the claim
	TxHash    *common.Hash
	Status    ClaimStatus
	CreatedAt time.Time
}

// Reward is the content of a voucher, which states the total that a distributor owes an account,
// including all earlier payments.
type Reward struct {
	Distributor common.Address // the contract that pays the claim; Cumulative includes only payments by this contract
	Account     common.Address
	Cumulative  *big.Int
}

// Rewards are an agent's paid and pending rewards.
type Rewards struct {
	Paid    *big.Int   // wei, paid by all distributors
	Pending *big.Int   // wei, in the pending claim; zero if there is none
	LastAt  *time.Time // time of the last claim, excluding failed ones; nil if there is none
}

// DefaultKarmaRate returns the reward for one point of karma, which is 0.001 token, in wei.
func DefaultKarmaRate() *big.Int { return big.NewInt(1_000_000_000_000_000) }

// Claimable returns the reward in wei that is neither paid nor pending. The total reward is the
// karma times the rate, capped at half of the fees on which the karma is based. The cap makes
// self-dealing unprofitable.
func Claimable(s Standing, rate *big.Int, r Rewards) *big.Int {
	earned := new(big.Int).Mul(big.NewInt(max(0, s.Karma)), rate)
	if half := new(big.Int).Rsh(s.Fees, 1); half.Cmp(earned) < 0 {
		earned = half
	}
	earned.Sub(earned, r.Paid)
	earned.Sub(earned, r.Pending)
	if earned.Sign() < 0 {
		return new(big.Int)
	}
	return earned
}

// ClaimAmount returns the amount of a claim in wei, which is the claimable amount capped by the
// budget. The rest stays claimable. The result is one of the arguments, not a copy. It returns
// KindNothingToClaim if nothing is claimable, and KindBudgetExhausted if the budget is used up.
func ClaimAmount(claimable, budget *big.Int) (*big.Int, error) {
	switch {
	case claimable.Sign() == 0:
		return nil, Errorf(KindNothingToClaim, "there is nothing to claim").
			WithHint("karma grows with approved and paid tasks; `claimable` in your account record shows how much you can claim")
	case budget.Sign() <= 0:
		return nil, &Error{
			Kind: KindBudgetExhausted, Message: "no reward can be paid now: the daily budget or the reward contract's balance is used up",
			Hint: "the reward stays claimable; claim again later", RetryAfter: budgetRetry,
		}
	case budget.Cmp(claimable) < 0:
		return budget, nil
	}
	return claimable, nil
}

// CheckClaim returns KindAlreadyExists while another claim is pending, and KindRateLimited, with
// RetryAfter, if less than ClaimInterval has passed since the last claim.
func CheckClaim(r Rewards, now time.Time) error {
	if r.Pending.Sign() > 0 {
		return Errorf(KindAlreadyExists, "your previous claim is still pending").
			WithHint("wait until it is paid, then claim again")
	}
	if r.LastAt == nil {
		return nil
	}
	wait := r.LastAt.Add(ClaimInterval).Sub(now)
	if wait <= 0 {
		return nil
	}
	return &Error{
		Kind: KindRateLimited, RetryAfter: wait,
		Message: fmt.Sprintf("the last claim was made at %s; one claim is allowed every %s",
			FormatTime(*r.LastAt), FormatDuration(ClaimInterval)),
		Hint: "claim again in " + FormatDuration(roundUp(wait)),
	}
}
