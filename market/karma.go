package market

import (
	"math"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
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
