package market_test

import (
	"testing"
	"time"

	"taskmarket/market"
)

func stakeLogs(kinds ...market.EventKind) []market.Log {
	logs := make([]market.Log, 0, len(kinds)+2)
	for i, kind := range append([]market.EventKind{market.EventStakeLocked, market.EventApplicationForTask}, kinds...) {
		at := genesis
		if i > 1 {
			at = genesis.Add(time.Hour)
		}
		logs = append(logs, market.Log{Index: uint(i), Block: market.Block{Number: 1, Time: at}, Event: market.Event{
			Kind: kind, ApplicationID: 3, TaskID: 7, Human: human, Agent: agent, Amount: token(50),
			ExpiresAt: genesis.Add(market.StakeLifetime),
		}})
	}
	return logs
}

func TestApplicationStatusAt(t *testing.T) {
	posted := &market.EscrowTask{Status: market.ChainPosted}
	active := &market.EscrowTask{Status: market.ChainActive}
	tests := map[string]struct {
		decision market.ApplicationStatus
		logs     []market.Log
		task     *market.EscrowTask
		now      time.Time
		want     market.ApplicationStatus
	}{
		"no stake":                         {task: posted, want: market.ApplicationNew},
		"no stake, task not funded":        {want: market.ApplicationNew},
		"no stake, another accepted":       {task: active, want: market.ApplicationReleased},
		"rejected without a stake":         {decision: market.ApplicationRejected, task: active, want: market.ApplicationRejected},
		"withdrawn without a stake":        {decision: market.ApplicationWithdrawn, task: posted, want: market.ApplicationWithdrawn},
		"staked":                           {logs: stakeLogs(), task: posted, want: market.ApplicationPending},
		"staked, a second before expiry":   {logs: stakeLogs(), task: posted, now: genesis.Add(7*day - time.Second), want: market.ApplicationPending},
		"staked, at expiry":                {logs: stakeLogs(), task: posted, now: genesis.Add(7 * day), want: market.ApplicationExpired},
		"staked, another accepted":         {logs: stakeLogs(), task: active, want: market.ApplicationReleased},
		"another accepted, stake returned": {logs: stakeLogs(market.EventStakeReturned), task: active, want: market.ApplicationReleased},
		"accepted":                         {logs: stakeLogs(market.EventStakeActivated), task: active, want: market.ApplicationAccepted},
		"accepted and paid": {
			logs: stakeLogs(market.EventStakeActivated, market.EventStakeReturned), task: &market.EscrowTask{Status: market.ChainReleased},
			want: market.ApplicationAccepted,
		},
		"accepted, work rejected": {
			logs: stakeLogs(market.EventStakeActivated, market.EventStakeForfeited), task: &market.EscrowTask{Status: market.ChainRefunded},
			want: market.ApplicationAccepted,
		},
		"rejected":               {logs: stakeLogs(market.EventApplicationRejected, market.EventStakeForfeited), task: posted, want: market.ApplicationRejected},
		"rejected, other order":  {logs: stakeLogs(market.EventStakeForfeited, market.EventApplicationRejected), task: posted, want: market.ApplicationRejected},
		"withdrawn":              {logs: stakeLogs(market.EventApplicationWithdrawn), task: posted, want: market.ApplicationWithdrawn},
		"withdrawn and returned": {logs: stakeLogs(market.EventStakeReturned, market.EventApplicationWithdrawn), task: posted, want: market.ApplicationWithdrawn},
		"decided, then staked":   {decision: market.ApplicationWithdrawn, logs: stakeLogs(), task: posted, want: market.ApplicationPending},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			stake, err := market.FoldStake(test.logs)
			if err != nil {
				t.Fatal(err)
			}
			now := test.now
			if now.IsZero() {
				now = genesis.Add(2 * time.Hour)
			}
			if got := market.ApplicationStatusAt(test.decision, stake, test.task, now); got != test.want {
				t.Errorf("ApplicationStatusAt() = %s, want %s", got, test.want)
			}
		})
	}
}

func TestFoldStakeRejects(t *testing.T) {
	tests := map[string][]market.Log{
		"never locked":        stakeLogs()[1:],
		"locked twice":        append(stakeLogs(), stakeLogs()...),
		"activated twice":     stakeLogs(market.EventStakeActivated, market.EventStakeActivated),
		"two ends":            stakeLogs(market.EventStakeReturned, market.EventStakeForfeited),
		"activated after end": stakeLogs(market.EventStakeReturned, market.EventStakeActivated),
		"a task event":        stakeLogs(market.EventTaskPosted),
	}
	for name, logs := range tests {
		t.Run(name, func(t *testing.T) {
			if s, err := market.FoldStake(logs); err == nil {
				t.Errorf("FoldStake() = %+v, want an error", s)
			}
		})
	}
	if s, err := market.FoldStake(nil); s != nil || err != nil {
		t.Errorf("FoldStake(nil) = %v, %v", s, err)
	}
}

func TestDecideWithoutStake(t *testing.T) {
	a := &market.Application{Status: market.ApplicationNew}
	if err := a.Reject(); err != nil || a.Status != market.ApplicationRejected {
		t.Fatalf("Reject() = %v, status %s", err, a.Status)
	}
	if err := a.Withdraw(); market.KindOf(err) != market.KindWrongStatus {
		t.Errorf("Withdraw() after Reject() = %v", err)
	}
	staked := &market.Application{Status: market.ApplicationPending, Stake: &market.Stake{}}
	if err := staked.Reject(); market.KindOf(err) != market.KindWrongStatus {
		t.Errorf("Reject() with a stake = %v", err)
	}
	if err := staked.CheckLive(); err != nil {
		t.Errorf("CheckLive() of a pending application = %v", err)
	}
	if err := a.CheckLive(); market.KindOf(err) != market.KindWrongStatus {
		t.Errorf("CheckLive() of a rejected application = %v", err)
	}
}
