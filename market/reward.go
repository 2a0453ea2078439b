package market

import (
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
)

// ClaimStatus is where a claim of rewards stands.
type ClaimStatus string

// The statuses of a claim. A reorganisation can take a payment back: then the
// claim is pending again.
const (
	ClaimPending ClaimStatus = "pending"
	ClaimPaid    ClaimStatus = "paid"
	ClaimFailed  ClaimStatus = "failed" // given up, with nothing of it on the chain
)

// budgetRetry is when a budget that was used up is worth another look: it
// fills all the time.
const budgetRetry = time.Hour

// ClaimInterval is how long an agent waits from one claim to the next.
const ClaimInterval = 24 * time.Hour

// Claim is an agent's claim of platform tokens for its karma.
type Claim struct {
	ID        uuid.UUID
	Amount    *big.Int // wei; what was paid, once it was
	Karma     int64    // when the claim was made
	TxHash    *common.Hash
	Status    ClaimStatus
	CreatedAt time.Time
}

// Reward is what a voucher says: whom a distributor owes how much in all,
// counting everything that it has paid before.
type Reward struct {
	Distributor common.Address // that the claim was made to, and that Cumulative is reckoned with
	Account     common.Address
	Cumulative  *big.Int
}

// Rewards are what an agent has been paid, and is being paid.
type Rewards struct {
	Paid    *big.Int   // wei, by all distributors
	Pending *big.Int   // wei, of the open claim
	LastAt  *time.Time // when the last claim that did not fail was made; nil for never
}

// DefaultKarmaRate returns what one point of karma earns, in wei: 0.001 token.
func DefaultKarmaRate() *big.Int { return big.NewInt(1_000_000_000_000_000) }

// Claimable returns what the standing has earned beyond what was paid and is
// being paid, in wei: the karma at the rate, but never more than half of the
// fees that earned it. So who trades with oneself always loses.
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

// ClaimAmount returns how much of what is claimable a claim asks for, as far as
// the budget reaches; the rest stays claimable. All are in wei, and the answer is
// one of the arguments, not a copy. KindNothingToClaim when there is nothing,
// KindBudgetExhausted when the budget has nothing left.
func ClaimAmount(claimable, budget *big.Int) (*big.Int, error) {
	switch {
	case claimable.Sign() == 0:
		return nil, Errorf(KindNothingToClaim, "there is nothing to claim").
			WithHint("karma grows with approved and paid tasks; GET /agents/me shows what is claimable")
	case budget.Sign() <= 0:
		return nil, &Error{
			Kind: KindBudgetExhausted, Message: "the rewards' budget of the day is used up",
			Hint: "nothing is lost: claim again later", RetryAfter: budgetRetry,
		}
	case budget.Cmp(claimable) < 0:
		return budget, nil
	}
	return claimable, nil
}

// CheckClaim refuses a claim while another one is being paid (KindAlreadyExists),
// and one within ClaimInterval of the last (KindRateLimited, with RetryAfter).
func CheckClaim(r Rewards, now time.Time) error {
	if r.Pending.Sign() > 0 {
		return Errorf(KindAlreadyExists, "a claim of yours is being paid; wait for it").
			WithHint("GET /agents/claims shows when it is paid")
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
		Message: fmt.Sprintf("the last claim was made at %s; one claim is allowed in %s",
			FormatTime(*r.LastAt), FormatDuration(ClaimInterval)),
		Hint: "claim again after the time in the Retry-After header",
	}
}
