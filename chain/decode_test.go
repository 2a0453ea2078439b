package chain_test

import (
	"errors"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/accounts/abi/bind/v2"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/google/go-cmp/cmp"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/chain/follow"
	"taskmarket/chain/rpc"
	"taskmarket/gen/contracts"
	"taskmarket/market"
)

// followed are the contracts whose logs are decoded.
var followed = map[common.Address]*bind.MetaData{
	deployment.Escrow:      &contracts.EscrowMetaData,
	deployment.Staking:     &contracts.ApplicationStakingMetaData,
	deployment.Treasury:    &contracts.TreasuryMetaData,
	deployment.Distributor: &contracts.RewardDistributorMetaData,
}

// TestEveryEventDecodes decodes a log of each event with 1 in every word. It detects new events and
// arguments that the decoder does not support.
func TestEveryEventDecodes(t *testing.T) {
	t.Parallel()
	c := chain.NewContracts(deployment)
	seen := make(map[market.EventKind]bool)
	for address, meta := range followed {
		contract, err := meta.ParseABI()
		chaintest.Must(t, err)
		for name, definition := range contract.Events {
			log := types.Log{Address: address, Topics: []common.Hash{definition.ID}}
			for _, input := range definition.Inputs {
				if word := common.BigToHash(common.Big1); input.Indexed {
					log.Topics = append(log.Topics, word)
				} else {
					log.Data = append(log.Data, word[:]...)
				}
			}
			event, err := c.Decode(log)
			if err != nil {
				t.Errorf("Decode(%s of %s) = %v", name, meta.ID, err)
			}
			seen[event.Kind] = true
		}
	}
	for _, kind := range []market.EventKind{
		market.EventTaskPosted, market.EventTaskTerms, market.EventTaskCreated, market.EventTaskCreatedWithApplication,
		market.EventTaskSubmitted, market.EventWorkCommitted, market.EventTaskDisputed, market.EventAgentApproved,
		market.EventSubmissionApproved, market.EventSubmissionRejected, market.EventTaskReleased,
		market.EventTaskRefunded, market.EventTaskCancelled, market.EventStakeLocked, market.EventApplicationForTask,
		market.EventStakeActivated, market.EventStakeReturned, market.EventStakeForfeited,
		market.EventApplicationWithdrawn, market.EventApplicationRejected, market.EventFeeChanged,
		market.EventValidatorAdded, market.EventValidatorRemoved, market.EventQuorumChanged,
		market.EventPaused, market.EventUnpaused, market.EventOther,
	} {
		if !seen[kind] {
			t.Errorf("no contract emits %s", kind)
		}
	}
}

func TestDecodeRejectsLogsThatTheContractsCannotEmit(t *testing.T) {
	t.Parallel()
	c := chain.NewContracts(deployment)
	posted := crypto.Keccak256Hash([]byte("TaskPosted(uint256,address,uint256,uint16)"))
	one := common.BigToHash(common.Big1)
	good := types.Log{Address: deployment.Escrow, Topics: []common.Hash{posted, one, one}, Data: append(one.Bytes(), one.Bytes()...)}
	if _, err := c.Decode(good); err != nil {
		t.Fatal(err)
	}
	cases := map[string]func(*types.Log){
		"of another contract": func(l *types.Log) { l.Address = common.Address{0xee} },
		"of the token":        func(l *types.Log) { l.Address = deployment.Token },
		"another event":       func(l *types.Log) { l.Topics[0] = one },
		"without topics":      func(l *types.Log) { l.Topics = nil },
		"a topic too few":     func(l *types.Log) { l.Topics = l.Topics[:2] },
		"a topic too many":    func(l *types.Log) { l.Topics = append(l.Topics, one) },
		"without data":        func(l *types.Log) { l.Data = nil },
		"too little data":     func(l *types.Log) { l.Data = l.Data[:63] },
		"a fee beyond uint16": func(l *types.Log) { l.Data[32] = 1 },
		"a task id of 0":      func(l *types.Log) { l.Topics[1] = common.Hash{} },
		"a task id of 2^63":   func(l *types.Log) { l.Topics[1] = common.HexToHash("0x8000000000000000") },
		"a staking event of the escrow": func(l *types.Log) {
			l.Topics[0] = crypto.Keccak256Hash([]byte("ApplicationForTask(uint256,uint256)"))
		},
	}
	for name, change := range cases {
		log := good
		log.Topics, log.Data = append([]common.Hash(nil), good.Topics...), append([]byte(nil), good.Data...)
		change(&log)
		if event, err := c.Decode(log); !errors.Is(err, chain.ErrUnknownEvent) {
			t.Errorf("%s: Decode() = %+v, %v; want %v", name, event, err, chain.ErrUnknownEvent)
		}
	}
}

func FuzzDecode(f *testing.F) {
	c := chain.NewContracts(deployment)
	for _, meta := range followed {
		contract, err := meta.ParseABI()
		if err != nil {
			f.Fatal(err)
		}
		for _, definition := range contract.Events {
			f.Add(definition.ID[:], make([]byte, 64), make([]byte, 96))
		}
	}
	f.Fuzz(func(t *testing.T, topic, topics, data []byte) {
		for address := range followed {
			log := types.Log{Address: address, Topics: []common.Hash{common.BytesToHash(topic)}, Data: data}
			for rest := topics; len(rest) >= 32; rest = rest[32:] {
				log.Topics = append(log.Topics, common.BytesToHash(rest[:32]))
			}
			event, err := c.Decode(log)
			if err != nil && !errors.Is(err, chain.ErrUnknownEvent) {
				t.Errorf("Decode() = %v", err)
			}
			if err == nil && (event.OfTask() && event.TaskID == 0 || event.OfStake() && event.ApplicationID == 0) {
				t.Errorf("Decode() = %+v, which belongs to no record", event)
			}
		}
	})
}

func TestWatcherStopsAtAnUnknownEvent(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	// The same logs, decoded with the escrow's address configured as the treasury's.
	wrong := net.Deployment
	wrong.Escrow, wrong.Treasury = wrong.Treasury, wrong.Escrow
	// With several providers, all have the block of the event.
	for _, node := range []*rpc.Node{net.Node, chaintest.Dial(t, net.Dev.URL(), chaintest.NewProxy(t, net.Dev.URL()).URL)} {
		j := chaintest.NewJournal(net.Deployment)
		w := follow.NewWatcher(node, j, chain.NewContracts(wrong), follow.WatcherOptions{}, chaintest.Quiet())
		if err := w.Run(t.Context()); !errors.Is(err, chain.ErrUnknownEvent) {
			t.Fatalf("Run() = %v, want %v", err, chain.ErrUnknownEvent)
		}
		if !w.Status().Stopped {
			t.Errorf("status is %+v, want it stopped", w.Status())
		}
		// A watcher that can decode the event continues at this log.
		known := chaintest.NewWatcher(net, node, j, follow.WatcherOptions{})
		chaintest.CatchUp(t, known)
		chaintest.CheckSame(t, net, j)
	}
}

// bigs compares amounts by value.
var bigs = cmp.Comparer(func(a, b *big.Int) bool { return a == b || a != nil && b != nil && a.Cmp(b) == 0 })

func TestTaskActionsDecodeToEvents(t *testing.T) {
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
				ExpiresAt: chaintest.TimeOf(t, net, applied.BlockHash).Add(market.StakeLifetime),
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
		"post": chaintest.Events(t, net, posted), "apply": chaintest.Events(t, net, applied), "accept": chaintest.Events(t, net, accepted),
		"submit": chaintest.Events(t, net, submitted), "dispute": chaintest.Events(t, net, disputed), "decide": chaintest.Events(t, net, decided),
	}
	for act, events := range want {
		if diff := cmp.Diff(events, got[act], bigs); diff != "" {
			t.Errorf("%s (-want +got):\n%s", act, diff)
		}
	}
}
