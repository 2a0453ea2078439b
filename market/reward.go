package market

import (
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
)

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
