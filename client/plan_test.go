package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"
	"github.com/google/uuid"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/chain/rpc"
	"taskmarket/client"
	"taskmarket/gen/contracts"
	"taskmarket/market"
)

// mute is a wallet whose test fails if it signs.
type mute struct {
	chain.Signer
	t *testing.T
}

func (m mute) SignTypedData(context.Context, apitypes.TypedData) ([]byte, error) {
	m.t.Error("typed data was signed")
	return nil, errKilled
}

func (m mute) SignTx(context.Context, *types.Transaction, uint64) (*types.Transaction, error) {
	m.t.Error("a transaction was signed")
	return nil, errKilled
}

func TestPlanOfTask(t *testing.T) {
	w := newWorld(t)
	silent := w.client(t, func(o *client.Options) { o.Signer = mute{w.Agent, t} })
	plan, err := silent.Plan(t.Context(), client.Fund(request("planned")))
	if err != nil {
		t.Fatal(err)
	}
	if plan.Action != market.ActionFund || plan.Wallet != w.Agent.Address() || plan.ChainID != w.Deployment.ChainID ||
		plan.TaskID != nil || plan.TermsHash != nil || !plan.Simulated || plan.Done || plan.Resumes {
		t.Errorf("got plan %+v", plan)
	}
	if plan.Spends.Cmp(chaintest.Tokens(1)) != 0 || *plan.Spender != w.Deployment.Escrow ||
		new(big.Int).Add(plan.Fee, plan.Payout).Cmp(plan.Spends) != 0 || plan.FeeBasisPoints != chaintest.FeeBasisPoints {
		t.Errorf("the plan spends %s with spender %s, payout %s and fee %s", plan.Spends, plan.Spender, plan.Payout, plan.Fee)
	}
	if plan.Transaction.To != w.Deployment.Escrow || plan.Transaction.Data != nil || plan.GasCost.Sign() <= 0 || plan.Deadline == nil {
		t.Errorf("the plan sends %+v with gas cost %s and deadline %v", plan.Transaction, plan.GasCost, plan.Deadline)
	}
	if got := plan.Signature.Message["value"]; got != chaintest.Tokens(1).String() {
		t.Errorf("the permit is for %v", got)
	}
	w.api.mu.Lock()
	records := len(w.api.tasks)
	w.api.mu.Unlock()
	if records != 0 || len(w.posted(t)) != 0 {
		t.Errorf("planning created %d records and %d payments", records, len(w.posted(t)))
	}
}

// Allow receives the plan that Plan returned, with the record's ID and terms hash added.
func TestAllowReceivesPlan(t *testing.T) {
	w := newWorld(t)
	var seen []client.Plan
	c := w.client(t, func(o *client.Options) {
		o.Allow = func(_ context.Context, p client.Plan) error {
			seen = append(seen, p)
			return nil
		}
	})
	planned, err := c.Plan(t.Context(), client.Fund(request("reviewed")))
	if err != nil {
		t.Fatal(err)
	}
	task, err := c.CreateTask(t.Context(), request("reviewed"))
	if err != nil {
		t.Fatal(err)
	}
	if len(seen) != 1 || seen[0].ID != planned.ID || *seen[0].TaskID != task.ID || *seen[0].TermsHash != common.HexToHash(task.TermsHash) {
		t.Fatalf("planned %s, reviewed %+v", planned.ID, seen)
	}
	if _, err := c.CreateTask(t.Context(), request("reviewed")); err != nil || len(seen) != 1 {
		t.Errorf("repeated request: %d reviews, error %v", len(seen), err)
	}
	other := request("reviewed")
	other.Key, other.Title = "other", "Another title"
	if plan, err := c.Plan(t.Context(), client.Fund(other)); err != nil || plan.ID == planned.ID {
		t.Errorf("other contents have plan %s, error %v", plan.ID, err)
	}
	again, err := c.Plan(t.Context(), client.Fund(request("reviewed")))
	if err != nil || !again.Done || again.Transaction != nil {
		t.Errorf("plan of a paid task: %+v, error %v", again, err)
	}
}

// If Allow returns an error, nothing is signed or paid, and the next attempt asks again.
func TestAllowDeclines(t *testing.T) {
	w := newWorld(t)
	no := errors.New("no")
	before := w.nonce(t)
	c := w.client(t, func(o *client.Options) {
		o.Signer = mute{w.Agent, t}
		o.Allow = func(context.Context, client.Plan) error { return no }
	})
	if _, err := c.CreateTask(t.Context(), request("declined")); !errors.Is(err, no) || w.nonce(t) != before {
		t.Errorf("got error %v and %d transactions", err, w.nonce(t)-before)
	}
	asked := 0
	c = w.client(t, func(o *client.Options) {
		o.Allow = func(context.Context, client.Plan) error { asked++; return nil }
	})
	if _, err := c.CreateTask(t.Context(), request("declined")); err != nil || asked != 1 || len(w.posted(t)) != 1 {
		t.Errorf("reviewed %d times, paid %d times, error %v", asked, len(w.posted(t)), err)
	}
}

// Only the plan is signed, and only if its gas cost is close to the planned one. A plan that changed leaves nothing in
// the journal.
func TestExecuteSignsOnlyThePlan(t *testing.T) {
	w := newWorld(t)
	silent := w.client(t, func(o *client.Options) { o.Signer = mute{w.Agent, t} })
	changes := map[string]func(*client.Plan){
		"another plan":                         func(p *client.Plan) { p.ID = "other" },
		"a plan that is empty":                 func(p *client.Plan) { p.ID = "" },
		"a plan that resumes":                  func(p *client.Plan) { p.Resumes = true },
		"a plan that is done":                  func(p *client.Plan) { p.Done = true },
		"a plan of less than half of the cost": func(p *client.Plan) { p.GasCost = half(p.GasCost, -1) },
	}
	refused := func(name string, plan client.Plan) {
		t.Helper()
		if _, err := silent.Execute(t.Context(), plan); !errors.Is(err, client.ErrOtherPlan) || w.unfinished(t) != 0 {
			t.Errorf("%s: error %v, left %d flows", name, err, w.unfinished(t))
		}
	}
	for _, a := range actionCases() {
		s := w.scene(t, string(a.name), a.steps)
		for name, change := range changes {
			plan, err := silent.Plan(t.Context(), a.request(s))
			if err != nil {
				t.Fatal(err)
			}
			change(&plan)
			refused(string(a.name)+", "+name, plan)
		}
	}
	changes["another deadline"] = func(p *client.Plan) { p.Deadline = new(p.Deadline.Add(time.Hour)) }
	changes["another record"] = func(p *client.Plan) { p.TaskID = new(uuid.New()) }
	for name, change := range changes {
		plan, err := silent.Plan(t.Context(), client.Fund(request(name)))
		if err != nil {
			t.Fatal(err)
		}
		change(&plan)
		refused(name, plan)
	}
	plan, err := w.client(t).Plan(t.Context(), client.Fund(request("half of the cost")))
	if err != nil {
		t.Fatal(err)
	}
	plan.GasCost = half(plan.GasCost, 1)
	if _, err := w.client(t).Execute(t.Context(), plan); err != nil {
		t.Errorf("half of the cost: %v", err)
	}
}

// half returns half of the amount after adding more, rounded down.
func half(wei *big.Int, more int64) *big.Int {
	return new(big.Int).Rsh(new(big.Int).Add(wei, big.NewInt(more)), 1)
}

// Every check that rejects a payment also rejects its plan.
func TestPlanIsRejected(t *testing.T) {
	w := newWorld(t)
	limit := uint16(chaintest.FeeBasisPoints - 1)
	tests := map[string]struct {
		change  func(*client.TaskRequest)
		options func(*client.Options)
		revert  string
		want    error
	}{
		"an amount above the balance": {change: func(r *client.TaskRequest) { r.Amount = chaintest.Tokens(5_000_000) }, revert: "ERC20InsufficientBalance"},
		"an amount below the minimum": {change: func(r *client.TaskRequest) { r.Amount = big.NewInt(1) }, revert: "AmountBelowMinimum"},
		"a fee above the limit":       {change: func(r *client.TaskRequest) { r.MaxFeeBasisPoints = &limit }, want: client.ErrFeeLimit},
		"other contracts": {options: func(o *client.Options) {
			other := w.Deployment
			other.Escrow = common.Address{1}
			o.Contracts = &other
		}, want: client.ErrOtherContracts},
		"a validator's wallet": {options: func(o *client.Options) { o.Signer = mute{w.Validators[0], t} }, revert: "ValidatorIsParty"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			task := request(name)
			if test.change != nil {
				test.change(&task)
			}
			c := w.client(t, func(o *client.Options) {
				o.Signer = mute{w.Agent, t}
				if test.options != nil {
					test.options(o)
				}
			})
			_, err := c.Plan(t.Context(), client.Fund(task))
			refused, _ := errors.AsType[*rpc.RevertError](err)
			if err == nil || (test.want != nil && !errors.Is(err, test.want)) || (test.revert != "" && (refused == nil || refused.Name != test.revert)) {
				t.Errorf("got error %v", err)
			}
		})
	}
	w.Send(t, w.Owner, chain.Call{To: w.Deployment.Escrow, Data: contracts.NewEscrow().PackPause()})
	_, err := w.client(t).Plan(t.Context(), client.Fund(request("paused")))
	if refused, ok := errors.AsType[*rpc.RevertError](err); !ok || refused.Name != "EnforcedPause" {
		t.Errorf("while paused: error %v", err)
	}
}

func TestPlanWithoutGas(t *testing.T) {
	w := newWorld(t)
	if err := w.Dev.Client().Client().CallContext(t.Context(), nil, "anvil_setBalance", w.Agent.Address(), "0x1"); err != nil {
		t.Fatal(err)
	}
	if _, err := w.client(t).Plan(t.Context(), client.Fund(request("broke"))); !errors.Is(err, client.ErrNoGas) {
		t.Errorf("got error %v", err)
	}
}

func TestPlanAsJSON(t *testing.T) {
	w := newWorld(t)
	plan, err := w.client(t).Plan(t.Context(), client.Fund(request("json")))
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(plan)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"action":"fund"`, `"spends":"1000000000000000000"`, `"fee_amount":"50000000000000000"`, `"payout_amount":"950000000000000000"`,
		`"title":"json"`, `"deadline":"2031-01-02T02:04:05.000Z"`, `"data":null,"value":"0"`, `"primaryType":"Permit"`, `"simulated":true`,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s is missing in %s", want, text)
		}
	}
}
