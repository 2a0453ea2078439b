package chain_test

import (
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"

	"taskmarket/chain/chaintest"
	"taskmarket/market"
)

// bigs compares amounts by value.
var bigs = cmp.Comparer(func(a, b *big.Int) bool { return a == b || a != nil && b != nil && a.Cmp(b) == 0 })

func TestEveryActOfATaskDecodesToItsEvents(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	terms, work := common.Hash{1}, common.Hash{2}
	amount := chaintest.Tokens(10)
	id, posted := net.Post(t, net.Agent, amount, terms)
	application, applied := net.Apply(t, net.Human, id, amount)
	accepted := net.Accept(t, net.Agent, id, application)
	submitted := net.Submit(t, net.Human, id, work)
	disputed := net.Dispute(t, net.Agent, id)
	net.Warp(t, time.Hour)
	decided := net.Decide(t, id, work, 1, true)

	agent, human, stake := net.Agent.Address(), net.Human.Address(), market.RequiredStake(amount)
	want := map[string][]market.Event{
		"post": {
			{Kind: market.EventTaskPosted, TaskID: id, Agent: agent, Amount: amount, FeeBasisPoints: 500},
			{Kind: market.EventTaskTerms, TaskID: id, Hash: terms},
		},
		"apply": {
			{
				Kind: market.EventStakeLocked, ApplicationID: application, Human: human, Agent: agent, Amount: stake,
				ExpiresAt: timeOf(t, net, applied.BlockHash).Add(market.StakeLifetime),
			},
			{Kind: market.EventApplicationForTask, ApplicationID: application, TaskID: id},
		},
		"accept": {
			{Kind: market.EventTaskCreated, TaskID: id, Agent: agent, Human: human, Amount: amount, FeeBasisPoints: 500},
			{Kind: market.EventTaskCreatedWithApplication, TaskID: id, ApplicationID: application, Agent: agent},
			{Kind: market.EventStakeActivated, ApplicationID: application, TaskID: id},
		},
		"submit": {
			{Kind: market.EventTaskSubmitted, TaskID: id, Caller: human, Agent: agent},
			{Kind: market.EventWorkCommitted, TaskID: id, Hash: work},
		},
		"dispute": {{Kind: market.EventTaskDisputed, TaskID: id, Caller: agent, Agent: agent}},
		"decide": {
			{Kind: market.EventSubmissionApproved, TaskID: id, Agent: agent, Human: human},
			{
				Kind: market.EventTaskReleased, TaskID: id, Agent: agent, Human: human,
				Amount: market.Payout(amount, 500), Fee: market.Fee(amount, 500),
			},
			{Kind: market.EventStakeReturned, ApplicationID: application, Human: human, Amount: stake},
		},
	}
	got := map[string][]market.Event{
		"post": events(t, net, posted), "apply": events(t, net, applied), "accept": events(t, net, accepted),
		"submit": events(t, net, submitted), "dispute": events(t, net, disputed), "decide": events(t, net, decided),
	}
	for act, events := range want {
		if diff := cmp.Diff(events, got[act], bigs); diff != "" {
			t.Errorf("%s (-want +got):\n%s", act, diff)
		}
	}
}
