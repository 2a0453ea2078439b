package rescue_test

import (
	"context"
	"errors"
	"math/big"
	"testing"
	"time"

	ethereum "github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/client"
	"taskmarket/client/rescue"
	"taskmarket/market"
)

// stage is the test chain on which every exit is tested. Its clock can be advanced.
type stage struct {
	*testing.T
	net    *chaintest.Net
	rescue *rescue.Rescue
}

var amount = chaintest.Tokens(10)

func (s *stage) posted() (task uint64) {
	task, _ = s.net.Post(s.T, s.net.Agent, amount, common.Hash{1})
	return task
}

func (s *stage) applied() (task, application uint64) {
	task = s.posted()
	application, _ = s.net.Apply(s.T, s.net.Human, task, amount)
	return task, application
}

func (s *stage) active() (task uint64) {
	task, application := s.applied()
	s.net.Accept(s.T, s.net.Agent, task, application)
	return task
}

func (s *stage) submitted() (task uint64) {
	task = s.active()
	s.net.Submit(s.T, s.net.Human, task, work)
	return task
}

func (s *stage) later(d time.Duration, task uint64) uint64 {
	s.net.Warp(s.T, d)
	return task
}

// holds returns the wallet's token balance.
func (s *stage) holds(wallet common.Address) *big.Int {
	s.Helper()
	tokens, _, err := s.net.Reader.Balances(s.Context(), wallet)
	must(s.T, err)
	return tokens
}

// take prepares and sends the exit. It checks that the plan's amount is want and that the wallet
// received it.
func (s *stage) take(who *chain.KeySigner, o rescue.Request, want *big.Int) {
	s.Helper()
	o.Wallet = who.Address()
	plan, err := s.rescue.Plan(s.Context(), o)
	if err != nil {
		s.Fatalf("prepare %s: %v", o.Exit, err)
	}
	before := s.holds(o.Wallet)
	if _, err := s.rescue.Execute(s.Context(), who, plan); err != nil {
		s.Fatalf("send %s: %v", o.Exit, err)
	}
	got := new(big.Int).Sub(s.holds(o.Wallet), before)
	if got.Cmp(want) != 0 || plan.Receives.Cmp(want) != 0 {
		s.Errorf("%s brought %s and was planned to bring %s, want %s", o.Exit, got, plan.Receives, want)
	}
	if !plan.Simulated || plan.Consequence == "" || plan.Action == "" || plan.Transaction.Gas == 0 {
		s.Errorf("the plan for %s is incomplete: %+v", o.Exit, plan)
	}
}

func (s *stage) wantStatus(task uint64, want market.ChainStatus) {
	s.Helper()
	e, err := s.rescue.Task(s.Context(), task)
	must(s.T, err)
	if e.Status != want {
		s.Errorf("task %d is %s, want %s", task, e.Status, want)
	}
}

func TestExits(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	r := open(t, net, net.Dev.URL())
	nothing, stake := new(big.Int), market.RequiredStake(amount)
	wages := new(big.Int).Add(market.Payout(amount, chaintest.FeeBasisPoints), stake)
	tests := []struct {
		name  string
		exit  string
		begin func(*stage) (id uint64)
		who   *chain.KeySigner
		want  *big.Int
		end   market.ChainStatus // expected status of the task at the end; ChainNone: the exit has no task
	}{
		{"the agent cancels an open task", "cancel", (*stage).posted, net.Agent, amount, market.ChainCancelled},
		{"the agent cancels an active task", "cancel", (*stage).active, net.Agent, amount, market.ChainCancelled},
		{"the human resigns", "resign", (*stage).active, net.Human, stake, market.ChainCancelled},
		{"the human submits", "submit", (*stage).active, net.Human, nothing, market.ChainSubmitted},
		{"the agent approves", "approve", (*stage).submitted, net.Agent, nothing, market.ChainSubmitted},
		{"the agent disputes", "dispute", (*stage).submitted, net.Agent, nothing, market.ChainDisputed},
		{"the human disputes", "dispute", (*stage).submitted, net.Human, nothing, market.ChainDisputed},
		{"the agent settles approved work", "settle", func(s *stage) uint64 {
			task := s.submitted()
			s.net.Approve(s.T, s.net.Agent, task)
			return s.later(market.ApprovedReview, task)
		}, net.Human, wages, market.ChainReleased},
		{"another wallet settles", "settle", func(s *stage) uint64 {
			return s.later(market.SettleDelay, s.submitted())
		}, net.OtherAgent, nothing, market.ChainReleased},
		{"the human releases in an emergency", "emergency-release", func(s *stage) uint64 {
			return s.later(market.EmergencyDelay, s.submitted())
		}, net.Human, wages, market.ChainReleased},
		{"the validators approve", rescue.ExitApproveSubmission, func(s *stage) uint64 {
			return s.later(market.DisputeWindow, s.submitted())
		}, net.Human, wages, market.ChainReleased},
		{"the validators reject", rescue.ExitRejectSubmission, func(s *stage) uint64 {
			task := s.submitted()
			s.net.Dispute(s.T, s.net.Agent, task)
			return task
		}, net.Agent, amount, market.ChainRefunded},
		{"the agent rejects an application", "reject", func(s *stage) uint64 {
			_, application := s.applied()
			return application
		}, net.Agent, nothing, market.ChainNone},
		{"the human withdraws an application", "withdraw", func(s *stage) uint64 {
			_, application := s.applied()
			return application
		}, net.Human, stake, market.ChainNone},
		{"the agent withdraws a credit", rescue.ExitWithdrawCredit, credited, net.Agent, amount, market.ChainNone},
	}
	covered := map[string]bool{}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := &stage{T: t, net: net, rescue: r}
			o := rescue.Request{Exit: test.exit, ID: test.begin(s)}
			switch test.exit {
			case "submit":
				o.WorkHash = work
			case rescue.ExitApproveSubmission, rescue.ExitRejectSubmission:
				o.Signatures = s.verdict(o.ID, test.exit == rescue.ExitApproveSubmission)
			}
			s.take(test.who, o, test.want)
			if test.end != market.ChainNone {
				s.wantStatus(o.ID, test.end)
			}
		})
		covered[test.exit] = true
	}
	for _, exit := range rescue.ExitTypes() {
		if !covered[exit.Name] {
			t.Errorf("the exit %s was not used", exit.Name)
		}
	}
}

// verdict returns the packed signatures of a quorum of validators. It checks that the result does
// not depend on the order in which they are passed.
func (s *stage) verdict(task uint64, approved bool) [][]byte {
	s.Helper()
	verdict, err := s.rescue.Verdict(s.Context(), task, approved)
	must(s.T, err)
	var signatures []rescue.Signature
	for _, v := range s.net.Validators[:verdict.Quorum] {
		signature, err := v.SignTypedData(s.Context(), verdict.Data)
		must(s.T, err)
		signatures = append(signatures, rescue.Signature{Bytes: signature})
	}
	packed, err := s.rescue.Signatures(s.Context(), task, approved, signatures)
	must(s.T, err)
	signatures[0], signatures[1] = signatures[1], signatures[0]
	again, err := s.rescue.Signatures(s.Context(), task, approved, signatures)
	must(s.T, err)
	if string(again[0]) != string(packed[0]) {
		s.Error("the signatures are in the caller's order, not the contract's")
	}
	return packed
}

// credited makes the token reject the refund for a cancelled task, which leaves a credit.
func credited(s *stage) uint64 {
	task := s.posted()
	token := s.net.Deployment.Token
	code, err := s.net.Dev.Client().CodeAt(s.Context(), token, nil)
	must(s.T, err)
	refuse := hexutil.Bytes{0x5f, 0x5f, 0xfd} // bytecode that reverts without a reason
	setCode := func(code hexutil.Bytes) {
		must(s.T, s.net.Dev.Client().Client().CallContext(s.Context(), nil, "anvil_setCode", token, code))
	}
	setCode(refuse)
	s.net.Cancel(s.T, s.net.Agent, task)
	setCode(code)
	h := holdings(s.T, s.rescue, s.net.Agent.Address())
	if len(h.Credits) != 1 || h.Credits[0].Amount.Cmp(amount) != 0 || h.Credits[0].Contract != s.net.Deployment.Escrow {
		s.Errorf("the credits are %+v", h.Credits)
	}
	return 0
}

// An exit that is not open, or not open to this wallet, is rejected before anything is signed, with
// an error that states the reason.
func TestUnavailableExitsAreRejected(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	s := &stage{T: t, net: net, rescue: open(t, net, net.Dev.URL())}
	open, application := s.applied()
	active, submitted := s.active(), s.submitted()
	agent, human := net.Agent.Address(), net.Human.Address()
	signed := func(task uint64) rescue.Request {
		return rescue.Request{Exit: rescue.ExitApproveSubmission, ID: task, Wallet: human, Signatures: s.verdict(submitted, true)}
	}
	tests := map[string]struct {
		order rescue.Request
		want  market.Kind
	}{
		"the human cancels":                            {rescue.Request{Exit: "cancel", ID: active, Wallet: human}, market.KindForbidden},
		"the agent resigns":                            {rescue.Request{Exit: "resign", ID: active, Wallet: agent}, market.KindForbidden},
		"another wallet cancels":                       {rescue.Request{Exit: "cancel", ID: open, Wallet: net.OtherAgent.Address()}, market.KindForbidden},
		"the agent cancels after the submission":       {rescue.Request{Exit: "cancel", ID: submitted, Wallet: agent}, market.KindWrongStatus},
		"the agent settles too early":                  {rescue.Request{Exit: "settle", ID: submitted, Wallet: agent}, market.KindWrongStatus},
		"the human releases in an emergency too early": {rescue.Request{Exit: "emergency-release", ID: submitted, Wallet: human}, market.KindWrongStatus},
		"a verdict too early":                          {signed(submitted), market.KindWrongStatus},
		"another task's verdict":                       {signed(active), market.KindWrongStatus},
		"work without a hash":                          {rescue.Request{Exit: "submit", ID: active, Wallet: human}, market.KindInvalid},
		"a verdict without signatures":                 {rescue.Request{Exit: rescue.ExitRejectSubmission, ID: submitted, Wallet: agent}, market.KindInvalid},
		"a task that does not exist":                   {rescue.Request{Exit: "cancel", ID: 99, Wallet: agent}, market.KindNotFound},
		"an application that does not exist":           {rescue.Request{Exit: "withdraw", ID: 99, Wallet: human}, market.KindNotFound},
		"the agent withdraws the human's application":  {rescue.Request{Exit: "withdraw", ID: application, Wallet: agent}, market.KindForbidden},
		"the human rejects their own application":      {rescue.Request{Exit: "reject", ID: application, Wallet: human}, market.KindForbidden},
		"the human withdraws an accepted stake":        {rescue.Request{Exit: "withdraw", ID: application + 1, Wallet: human}, market.KindWrongStatus},
		"no credit":                                    {rescue.Request{Exit: rescue.ExitWithdrawCredit, Wallet: agent}, market.KindWrongStatus},
		"an unknown exit":                              {rescue.Request{Exit: "leave", ID: open, Wallet: agent}, market.KindInvalid},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if _, err := s.rescue.Plan(t.Context(), test.order); market.KindOf(err) != test.want {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
}

func TestSendFollowsPlan(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	s := &stage{T: t, net: net, rescue: open(t, net, net.Dev.URL())}
	plan, err := s.rescue.Plan(t.Context(), rescue.Request{Exit: "cancel", ID: s.posted(), Wallet: net.Agent.Address()})
	must(t, err)
	if _, err := s.rescue.Execute(t.Context(), net.OtherAgent, plan); err == nil {
		t.Error("another wallet sent the plan")
	}
	must(t, net.Dev.SetMining(t.Context(), false))
	first := make(chan error, 1)
	go func() {
		_, err := s.rescue.Execute(t.Context(), net.Agent, plan)
		first <- err
	}()
	waitPending(t, net, net.Agent.Address())
	soon, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if _, err := s.rescue.Execute(soon, net.Agent, plan); !errors.Is(err, client.ErrNotMined) || soon.Err() != nil {
		t.Errorf("a second transaction was sent while the first is pending: %v", err)
	}
	net.Mine(t, 1)
	must(t, <-first)
	tx := lastTransaction(t, net)
	if *tx.To() != plan.Transaction.To || string(tx.Data()) != string(plan.Transaction.Data) || tx.Gas() != plan.Transaction.Gas ||
		tx.GasFeeCap().Cmp(plan.Transaction.MaxFee) != 0 || tx.Value().Sign() != 0 {
		t.Errorf("%+v was sent for the plan %+v", tx, plan.Transaction)
	}
}

// With Request.Replace, an exit replaces the wallet's pending transaction, even if the tip of that one is above
// the current tip.
func TestExitReplacesPending(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	s := &stage{T: t, net: net, rescue: open(t, net, net.Dev.URL())}
	order := rescue.Request{Exit: "cancel", ID: s.posted(), Wallet: net.Agent.Address(), Replace: true}
	if _, err := s.rescue.Plan(t.Context(), order); market.KindOf(err) != market.KindWrongStatus {
		t.Errorf("without a pending transaction: error %v", err)
	}
	must(t, net.Dev.SetMining(t.Context(), false))
	sender := net.Sender(net.Agent)
	nonce, err := sender.UsedNonces(t.Context())
	must(t, err)
	stuck, err := sender.Build(t.Context(), net.Contracts.TransferToken(net.Owner.Address(), common.Big1), nonce)
	must(t, err)
	for range 4 { // raises the transaction's tip above the current tip
		stuck, err = sender.Raise(t.Context(), stuck.Raw)
		must(t, err)
	}
	must(t, sender.Broadcast(t.Context(), stuck.Raw))
	plan, err := s.rescue.Plan(t.Context(), order)
	must(t, err)
	if plan.Replaces == nil || *plan.Replaces != nonce {
		t.Fatalf("the plan is %+v", plan)
	}
	sent := make(chan error, 1)
	go func() {
		_, err := s.rescue.Execute(t.Context(), net.Agent, plan)
		sent <- err
	}()
	eventually(t, "the node has replaced the stuck transaction", func() bool {
		_, _, err := net.Dev.Client().TransactionByHash(t.Context(), stuck.Hash)
		return errors.Is(err, ethereum.NotFound)
	})
	net.Mine(t, 1)
	must(t, <-sent)
	s.wantStatus(order.ID, market.ChainCancelled)
	tx := lastTransaction(t, net)
	if tx.Nonce() != nonce || tx.GasFeeCap().Cmp(plan.Transaction.MaxFee) > 0 {
		t.Errorf("%+v was sent for the plan %+v", tx, plan.Transaction)
	}
}

func waitPending(t *testing.T, net *chaintest.Net, wallet common.Address) {
	t.Helper()
	eventually(t, "a transaction of the wallet is pending", func() bool {
		pending, err := net.Dev.Client().PendingNonceAt(t.Context(), wallet)
		must(t, err)
		used, err := net.Dev.Client().NonceAt(t.Context(), wallet, nil)
		must(t, err)
		return pending > used
	})
}

// eventually fails the test if the condition does not become true within a minute.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("timed out after a minute: %s", what)
		}
	}
}

// lastTransaction returns the transaction in the newest block.
func lastTransaction(t *testing.T, net *chaintest.Net) *types.Transaction {
	t.Helper()
	block, err := net.Dev.Client().BlockByNumber(t.Context(), nil)
	must(t, err)
	if len(block.Transactions()) != 1 {
		t.Fatalf("the newest block has %d transactions", len(block.Transactions()))
	}
	return block.Transactions()[0]
}
