package market

import (
	"math/big"
	"time"
)

// Limits on texts, files and tasks. Text lengths are in characters (code points). A test compares
// the limits with openapi.yaml.
const (
	MaxTitle         = 200
	MaxDescription   = 20_000
	MaxSkills        = 10 // number of skills
	MaxSkill         = 40 // length of one skill
	MaxLocation      = 100
	MaxName          = 80
	MaxBio           = 2_000
	MaxUsername      = 30
	MaxApplication   = 2_000 // message of an application
	MaxReason        = 4_000 // reason for a dispute or for a verdict
	MaxRejection     = 2_000 // reason for rejecting an application
	MaxForfeits      = 5     // staked applications that an agent can reject per task
	MaxDailyForfeits = 20    // staked applications that an agent can reject in ForfeitInterval
	MaxUnstaked      = 3     // applications of one human for one task that were rejected or withdrawn without a stake
	MaxUnfundedTasks = 50    // listed tasks of an agent that are not funded
	MaxNote          = 10_000
	MaxURL           = 2_000
	MaxReviewComment = 2_000
	MaxMessage       = 4_000
	MaxFileSize      = 25 << 20 // bytes
	MaxFilesPerTask  = 20       // for each side separately, so that one side cannot use up the other's limit
	MaxDailyUpload   = 1 << 30  // bytes that an account can upload in 24 hours
	MaxFilename      = 200
	MaxSearch        = 200 // search text on the task board
	MaxTaskDeadline  = 365 * 24 * time.Hour
	MaxTotal         = 1_000 // items up to which a list is counted: this total means "or more", except in an activity feed

	// MaxChallengeChecks limits how many contract-wallet signatures of one challenge a node checks.
	MaxChallengeChecks = 3

	// MaxRequestMessages limits the direct messages from a stranger before the receiver accepts the
	// conversation.
	MaxRequestMessages = 3
	// MaxDailyRequests limits the conversations with strangers that an account opens in 24 hours and that the
	// receivers have not accepted.
	MaxDailyRequests = 100
)

// Time windows in the contracts and in the service.
const (
	DisputeWindow       = 24 * time.Hour      // time after a submission in which it can be disputed
	ApprovedReview      = 72 * time.Hour      // time after an approval until the payment can be settled without a quorum
	DisputedReview      = 120 * time.Hour     // time after the agent's dispute until the payment can be settled without a quorum
	EmergencyDelay      = 30 * 24 * time.Hour // time after the last activity until the human can release the payment
	SettleDelay         = 37 * 24 * time.Hour // time after the last activity until anyone can settle, if the agent neither approved nor disputed
	StakeLifetime       = 7 * 24 * time.Hour
	UnfundedLifetime    = 7 * 24 * time.Hour // time after which a task that is not funded leaves the lists
	CancelledRetention  = 7 * 24 * time.Hour // time for which the files of a task that was cancelled without an accepted human are stored
	ForfeitInterval     = 24 * time.Hour
	ResponseWindow      = 48 * time.Hour // time after a dispute in which the other side can respond
	VotingWindow        = 72 * time.Hour // time after a dispute until its status is escalated; validators can still vote
	ChallengeLifetime   = 10 * time.Minute
	NonceLifetime       = 5 * time.Minute
	SessionLifetime     = 24 * time.Hour
	CodeLifetime        = 24 * time.Hour // lifetime of a verification code
	KeyRotationInterval = 24 * time.Hour
	IdempotencyLifetime = 24 * time.Hour
	// ClockSkew is the maximum difference between the clocks of two machines of the service. A time that one
	// machine writes and another compares is accepted for this much longer.
	ClockSkew = time.Minute
)

// MaxFeeBasisPoints is the highest platform fee that the escrow accepts (20%).
const MaxFeeBasisPoints = 2_000

// MaximumEscrow returns the highest amount that a task can lock: the contract stores amounts in 96
// bits.
func MaximumEscrow() *big.Int {
	maximum := new(big.Int).Lsh(big.NewInt(1), 96)
	return maximum.Sub(maximum, big.NewInt(1))
}

// MinimumEscrow returns the lowest amount that a task can lock: 0.01 token.
func MinimumEscrow() *big.Int { return big.NewInt(10_000_000_000_000_000) }

// ContractRetention is the time after an erasure for which the other parties to the account's ended
// tasks can still read the texts and files of these tasks: the terms, the delivered work, disputes
// and reasons. It equals UsernameReserve, so the former usernames become available at the same time.
const ContractRetention = UsernameReserve

// Limits of a human's sessions.
const (
	MaxSessions     = 10              // sessions of an account; the next sign-in ends the oldest
	SessionIdle     = 8 * time.Hour   // time without a request after which a session ends
	SessionInterval = 5 * time.Minute // minimum time between two records of a session's last use
)
