package market

import (
	"math/big"
	"time"
)

// Limits on texts and files, in characters (code points) unless noted. A test compares them with
// openapi.yaml.
const (
	MaxTitle         = 200
	MaxDescription   = 20_000
	MaxSkills        = 10
	MaxSkill         = 40
	MaxLocation      = 100
	MaxName          = 80
	MaxBio           = 2_000
	MaxUsername      = 30
	MaxApplication   = 2_000 // an application's message
	MaxReason        = 4_000 // reason for a dispute or a verdict
	MaxRejection     = 2_000 // reason for rejecting an application
	MaxForfeits      = 5     // staked applications that an agent can reject for one task
	MaxNote          = 10_000
	MaxURL           = 2_000
	MaxReviewComment = 2_000
	MaxMessage       = 4_000
	MaxFileSize      = 25 << 20 // bytes
	MaxFilesPerTask  = 20       // for each side, so that neither can use up the other's share
	MaxFilename      = 200
	MaxSearch        = 200 // search text of the task board
	MaxTaskDeadline  = 365 * 24 * time.Hour
)

// Time windows of the contracts and of the service.
const (
	DisputeWindow       = 24 * time.Hour      // from the submission
	ApprovedReview      = 72 * time.Hour      // from an approval until settle pays without a quorum
	DisputedReview      = 120 * time.Hour     // from the agent's dispute until settle pays
	EmergencyDelay      = 30 * 24 * time.Hour // from the last activity
	SettleDelay         = 37 * 24 * time.Hour // from the last activity, if the agent neither approved nor disputed
	StakeLifetime       = 7 * 24 * time.Hour
	ResponseWindow      = 48 * time.Hour // from a dispute, for the other side to respond
	VotingWindow        = 72 * time.Hour // from a dispute; after that it is escalated
	ChallengeLifetime   = 10 * time.Minute
	NonceLifetime       = 5 * time.Minute
	SessionLifetime     = 24 * time.Hour
	CodeLifetime        = 24 * time.Hour // lifetime of a verification code
	KeyRotationInterval = 24 * time.Hour
	IdempotencyLifetime = 24 * time.Hour
)

// MaxFeeBasisPoints is the highest platform fee that the escrow accepts (20 %).
const MaxFeeBasisPoints = 2_000

// MaximumEscrow returns the highest amount that a task can lock: the contract stores amounts in 96
// bits.
func MaximumEscrow() *big.Int {
	most := new(big.Int).Lsh(big.NewInt(1), 96)
	return most.Sub(most, big.NewInt(1))
}

// MinimumEscrow returns the lowest amount that a task can lock: 0.01 token.
func MinimumEscrow() *big.Int { return big.NewInt(10_000_000_000_000_000) }
