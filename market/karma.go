package market

import (
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
)

// What karma is made of.
const (
	karmaOfTask    = 10 // for a task that the agent approved and that was paid
	karmaOfDispute = -10
	karmaOfStar    = 2 // for each star of a review above the third, or below it
	middleRating   = 3

	// KarmaInterval is how long another gain, or another loss, with the same
	// counterparty counts for nothing.
	KarmaInterval = 30 * 24 * time.Hour
)

// DefaultKarmaFeeFloor returns the smallest platform fee in wei of a task that
// moves karma: 0.001 token.
func DefaultKarmaFeeFloor() *big.Int { return big.NewInt(1_000_000_000_000_000) }

// Standing is what somebody's finished tasks say of them.
type Standing struct {
	Karma int64    // never negative
	Fees  *big.Int // wei; the platform fees paid on the tasks that gained karma; never nil
}

// Deal is a finished task as karma sees it, from one party's side.
type Deal struct {
	Counterparty common.Address
	EndedAt      time.Time
	Fee          *big.Int // wei that the platform took of it, or would have taken
	Approved     bool     // by the agent, and paid
	Lost         bool     // a dispute that a verdict decided for the counterparty
	Rating       int      // of the counterparty's review; 0 for none
}

// Stand sums up a party's deals, given in the order in which they ended. A
// deal whose fee is below the floor counts for nothing. With one counterparty,
// gains count once in KarmaInterval and losses too: each has its own interval,
// so that no gain hides the loss after it.
func Stand(deals []Deal, floor *big.Int) Standing {
	standing := Standing{Fees: new(big.Int)}
	gains, losses := tally{}, tally{}
	for _, d := range deals {
		if d.Fee.Cmp(floor) < 0 {
			continue
		}
		switch {
		case d.Lost:
			if losses.counts(d) {
				standing.Karma += karmaOfDispute
			}
		case d.Approved:
			if gains.counts(d) {
				standing.Karma += karmaOfTask + d.reviewed()
				standing.Fees.Add(standing.Fees, d.Fee)
			}
		}
	}
	standing.Karma = max(0, standing.Karma)
	return standing
}

func (d Deal) reviewed() int64 {
	if d.Rating == 0 {
		return 0
	}
	return karmaOfStar * int64(d.Rating-middleRating)
}

// tally knows when each counterparty counted last.
type tally map[common.Address]time.Time

func (t tally) counts(d Deal) bool {
	last, met := t[d.Counterparty]
	if met && d.EndedAt.Before(last.Add(KarmaInterval)) {
		return false
	}
	t[d.Counterparty] = d.EndedAt
	return true
}
