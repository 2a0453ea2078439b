package server_test

import (
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/google/uuid"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/gen/client"
	"taskmarket/market"
)

// stage is a task in one state. Unless the task is new, the human and the applicant have applied for it.
type stage struct {
	id      uuid.UUID
	number  uint64      // in the escrow contract
	hired   uuid.UUID   // application of the human, which was accepted unless binding is zero
	spare   uuid.UUID   // application of the applicant, whose stake is locked
	funding common.Hash // transaction that posted the task
	binding common.Hash // transaction that accepted the human
}

// moneyScene has a task in each state in which money is locked, can be locked, or was paid.
type moneyScene struct {
	*rig
	users  map[string]*user // by role
	stages map[string]*stage
}

func newMoneyScene(t *testing.T) *moneyScene {
	t.Helper()
	r := newRig(t)
	m := &moneyScene{rig: r, stages: make(map[string]*stage), users: map[string]*user{
		"agent": r.verifiedAgent(r.net.Agent), "human": r.human(r.net.Human), "applicant": r.human(r.net.OtherHuman),
		"validator": r.human(r.net.Validators[0]), "second validator": r.human(r.net.Validators[1]),
	}}
	agent, human := m.users["agent"], m.users["human"]
	m.submits("silent, due")
	m.disputes(m.submits("disputed by the human, due"), human)
	m.warp(market.SettleDelay - market.EmergencyDelay - time.Hour)
	m.submits("silent, emergency release due")
	m.warp(market.EmergencyDelay + 2*time.Hour - market.DisputedReview)
	m.disputes(m.submits("disputed by the agent, due"), agent)
	m.approves(m.submits("approved, due"))
	m.warp(market.DisputedReview - market.DisputeWindow - time.Hour)
	m.submits("in review")
	soon := market.TimeOf(m.net.Head(t).Time.Add(time.Hour))
	m.appliedFor(m.fund("expired", &soon))
	m.hires(m.fund("expired, hired", &soon))
	m.warp(market.DisputeWindow + time.Hour + time.Minute)
	m.unpaid()
	return m
}

// unpaid adds the stages that do not depend on time.
func (m *moneyScene) unpaid() {
	agent, human := m.users["agent"], m.users["human"]
	m.stages["new"] = &stage{id: m.create(nil).ID}
	m.net.Post(m.t, agent.signer, chaintest.Tokens(1), common.Hash{}) // funds no task
	m.appliedFor(m.fund("funded", nil))
	m.hires(m.fund("active", nil))
	m.net.Cancel(m.t, human.signer, m.hires(m.fund("resigned", nil)).number)
	m.net.Cancel(m.t, agent.signer, m.appliedFor(m.fund("cancelled", nil)).number)
	m.submits("submitted")
	m.disputes(m.submits("disputed by the agent"), agent)
	m.disputes(m.submits("disputed by the human"), human)
	m.approves(m.submits("approved"))
	paid, refunded := m.approves(m.submits("paid")), m.disputes(m.submits("refunded"), agent)
	m.net.Decide(m.t, paid.number, m.workHash(paid.id), 0, true)
	m.net.Decide(m.t, refunded.number, m.workHash(refunded.id), 1, false)
	m.settle()
}

// in returns the scene for a subtest.
func (m *moneyScene) in(t *testing.T) *moneyScene {
	t.Helper()
	here, r := *m, *m.rig
	r.t, here.rig = t, &r
	return &here
}

func (m *moneyScene) warp(d time.Duration) {
	m.net.Warp(m.t, d)
	m.settle()
}

func (m *moneyScene) create(deadline *market.Time) client.Task {
	m.t.Helper()
	created, err := m.users["agent"].CreateTaskWithResponse(m.t.Context(), nil, client.CreateTaskRequest{
		Title: "Photograph the harbour", Description: "Ten photos.", EscrowAmount: chaintest.Tokens(1).String(), Deadline: deadline,
	})
	if err != nil || created.JSON201 == nil {
		m.t.Fatalf("create task = %s, %v", answer(created), err)
	}
	return *created.JSON201
}

func (m *moneyScene) fund(name string, deadline *market.Time) *stage {
	m.t.Helper()
	task := m.create(deadline)
	number, receipt := m.net.Post(m.t, m.users["agent"].signer, chaintest.Tokens(1), common.HexToHash(task.TermsHash))
	m.stages[name] = &stage{id: task.ID, number: number, funding: receipt.TxHash}
	m.settle()
	return m.stages[name]
}

// appliedFor makes both humans apply and lock a stake.
func (m *moneyScene) appliedFor(s *stage) *stage {
	m.t.Helper()
	s.hired, _ = m.apply("human", s)
	s.spare, _ = m.apply("applicant", s)
	m.settle()
	return s
}

func (m *moneyScene) apply(role string, s *stage) (id uuid.UUID, number uint64) {
	m.t.Helper()
	as := m.users[role]
	got, err := as.ApplyForTaskWithResponse(m.t.Context(), s.id, nil, client.ApplyForTaskRequest{ApplicationMessage: "Me."})
	if err != nil || got.JSON201 == nil {
		m.t.Fatalf("%s applies = %s, %v", role, answer(got), err)
	}
	number, _ = m.net.Apply(m.t, as.signer, s.number, chaintest.Tokens(1))
	return got.JSON201.Application.ID, number
}

func (m *moneyScene) hires(s *stage) *stage {
	m.t.Helper()
	s.spare, _ = m.apply("applicant", s)
	var number uint64
	s.hired, number = m.apply("human", s)
	s.binding = m.net.Accept(m.t, m.users["agent"].signer, s.number, number).TxHash
	m.settle()
	return s
}

func (m *moneyScene) submits(name string) *stage {
	m.t.Helper()
	s := m.hires(m.fund(name, nil))
	m.submit(m.users["human"], s.id)
	return s
}

func (m *moneyScene) approves(s *stage) *stage {
	m.net.Approve(m.t, m.users["agent"].signer, s.number)
	m.settle()
	return s
}

func (m *moneyScene) disputes(s *stage, by *user) *stage {
	m.t.Helper()
	got, err := by.DisputeTaskWithResponse(m.t.Context(), s.id, nil, client.DisputeTaskRequest{Reason: "Blurred."})
	if err != nil || got.JSON200 == nil {
		m.t.Fatalf("dispute = %s, %v", answer(got), err)
	}
	m.send(by.signer, got.JSON200.To, got.JSON200.DisputeTaskCalldata)
	return s
}

// votes makes both validators give a verdict.
func (m *moneyScene) votes(s *stage, approve bool) {
	m.t.Helper()
	record, err := m.store.Task(m.t.Context(), s.id)
	if err != nil {
		m.t.Fatal(err)
	}
	data := chain.VerdictTypedData(m.net.Deployment.Escrow, m.net.Deployment.ChainID, s.number, record.Escrow.WorkHash, record.Escrow.Round().Number, approve)
	for _, role := range []string{"validator", "second validator"} {
		signature, err := m.users[role].signer.SignTypedData(m.t.Context(), data)
		if err != nil {
			m.t.Fatal(err)
		}
		if got := m.postVerdict(m.users[role], s.id, approve, hexutil.Encode(signature)); got.JSON201 == nil {
			m.t.Errorf("verdict of the %s = %s", role, answer(got))
		}
	}
}
