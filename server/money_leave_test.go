package server_test

import (
	"errors"
	"maps"
	"math/big"
	"slices"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"

	"taskmarket/chain/chaintest"
	"taskmarket/gen/client"
	"taskmarket/market"
)

// leaves ends some tasks while only the acting users are suspended, and the others while all users are.
func (m *moneyScene) leaves(t *testing.T) {
	t.Helper()
	for _, part := range []struct {
		name      string
		suspended []string
		act       func(*moneyScene)
	}{
		{"humans act while suspended", []string{"human", "applicant"}, (*moneyScene).humansAct},
		{"an agent acts while suspended", []string{"agent"}, (*moneyScene).agentActs},
		{"validators act while suspended", []string{"validator", "second validator"}, (*moneyScene).validatorsAct},
		{"all money leaves while everyone is suspended", slices.Collect(maps.Keys(m.users)), (*moneyScene).allLeaves},
	} {
		t.Run(part.name, func(t *testing.T) {
			m := m.in(t)
			defer m.suspend(part.suspended...)()
			part.act(m)
		})
	}
}

func (m *moneyScene) wantStatus(name string, want client.TaskStatus) {
	m.t.Helper()
	if got := m.task(m.users["agent"], m.stages[name].id).Status; got != want {
		m.t.Errorf("%s: the task is %s, want %s", name, got, want)
	}
}

func (m *moneyScene) humansAct() {
	human := m.users["human"]
	m.sendNext(human, m.stages["active"].id, client.TaskActionResign)
	m.wantStatus("active", client.TaskStatusCancelled)
	m.submit(human, m.stages["expired, hired"].id)
	m.wantStatus("expired, hired", client.TaskStatusSubmitted)
	m.disputes(m.stages["submitted"], human)
	m.wantStatus("submitted", client.TaskStatusDisputed)
	m.sendNext(human, m.stages["silent, emergency release due"].id, client.TaskActionEmergencyRelease)
	m.wantStatus("silent, emergency release due", client.TaskStatusApproved)
	if got := human.answers(m.rig, m.task(human, m.stages["disputed by the agent"].id), "No."); got.JSON201 == nil {
		m.t.Errorf("the human's answer = %s", answer(got))
	}
	m.withdraws(m.users["applicant"], "resigned", m.stages["resigned"].spare)
	m.withdraws(human, "expired", m.stages["expired"].hired)
}

func (m *moneyScene) agentActs() {
	agent := m.users["agent"]
	m.cancels("expired")
	m.sendNext(agent, m.stages["silent, due"].id, client.TaskActionSettle)
	m.wantStatus("silent, due", client.TaskStatusApproved)
	for _, name := range []string{"submitted", "disputed by the human"} {
		if got := agent.answers(m.rig, m.task(agent, m.stages[name].id), "No."); got.JSON201 == nil {
			m.t.Errorf("%s: the agent's answer = %s", name, answer(got))
		}
	}
	m.approvesByAPI("submitted")

	// The agent signed the posting before its suspension.
	posted := m.stages["new"]
	_, receipt := m.net.Post(m.t, agent.signer, chaintest.Tokens(1), common.HexToHash(m.task(agent, posted.id).TermsHash))
	got, err := agent.ConfirmTaskFundingWithResponse(m.t.Context(), posted.id, client.ConfirmRequest{TxHash: receipt.TxHash.Hex()})
	if err != nil || got.JSON200 == nil || got.JSON200.Status != client.TaskStatusFunded {
		m.t.Errorf("confirm the funding = %s, %v", answer(got), err)
	}
	m.cancels("new")

	for _, action := range m.agentActions(agent).Actions {
		if action.ActionType == client.AgentActionKindCancelPosting {
			m.send(agent.signer, action.Calldata.To, action.Calldata.Data)
		}
	}
}

func (m *moneyScene) validatorsAct() {
	m.votes(m.stages["disputed by the agent"], false)
	m.votes(m.stages["in review"], true)
}

func (m *moneyScene) cancels(name string) {
	m.t.Helper()
	agent := m.users["agent"]
	got, err := agent.CancelTaskWithResponse(m.t.Context(), m.stages[name].id)
	if err != nil || got.JSON200 == nil {
		m.t.Fatalf("%s: cancel = %s, %v", name, answer(got), err)
	}
	m.send(agent.signer, got.JSON200.To, got.JSON200.CancelTaskCalldata)
	m.wantStatus(name, client.TaskStatusCancelled)
}

func (m *moneyScene) approvesByAPI(name string) {
	m.t.Helper()
	agent := m.users["agent"]
	got, err := agent.ApproveTaskWithResponse(m.t.Context(), m.stages[name].id, client.ApproveTaskRequest{})
	if err != nil || got.JSON200 == nil {
		m.t.Fatalf("%s: approve = %s, %v", name, answer(got), err)
	}
	m.send(agent.signer, got.JSON200.To, got.JSON200.ApproveTaskCalldata)
}

// withdraws makes the human withdraw the stake of an application, unless that has already been done.
func (m *moneyScene) withdraws(as *user, name string, application uuid.UUID) {
	m.t.Helper()
	got, err := as.WithdrawApplicationWithResponse(m.t.Context(), m.stages[name].id, application)
	switch {
	case err != nil || got.JSON200 == nil || got.JSON200.WithdrawStakeCalldata == nil:
		m.t.Errorf("%s: withdraw = %s, %v", name, answer(got), err)
	case got.JSON200.AlreadyDone == nil:
		m.send(as.signer, *got.JSON200.To, *got.JSON200.WithdrawStakeCalldata)
	}
}

// allLeaves hires the human for a task, lets the keeper end all tasks, withdraws the remaining stakes, requires
// that the contracts have no money left, and claims a reward. The accounts of all users are suspended.
func (m *moneyScene) allLeaves() {
	agent, s := m.users["agent"], m.stages["funded"]
	accepted, err := agent.AcceptApplicationWithResponse(m.t.Context(), s.id, s.hired)
	if err != nil || accepted.JSON200 == nil {
		m.t.Fatalf("accept = %s, %v", answer(accepted), err)
	}
	tx := m.send(agent.signer, accepted.JSON200.To, accepted.JSON200.AcceptApplicationCalldata)
	bound, err := agent.ConfirmApplicationWithResponse(m.t.Context(), s.id, client.ConfirmRequest{TxHash: tx.Hex()})
	if err != nil || bound.JSON200 == nil || bound.JSON200.Status != client.TaskStatusActive {
		m.t.Errorf("confirm the application = %s, %v", answer(bound), err)
	}
	m.submit(m.users["human"], s.id)
	m.approvesByAPI("funded")
	m.votes(s, true)
	m.fundRewards(chaintest.Tokens(1))
	m.keep()
	m.ends("funded", "disputed by the agent", "in review", "approved, due", "disputed by the agent, due", "disputed by the human, due")
	m.wantStatus("disputed by the agent", client.TaskStatusRejected)
	m.wantStatus("in review", client.TaskStatusApproved)
	m.warp(market.SettleDelay + time.Minute)
	m.ends(slices.Collect(maps.Keys(m.stages))...)
	for name, s := range m.stages {
		if s.spare != uuid.Nil {
			m.withdraws(m.users["applicant"], name, s.spare)
		}
	}
	m.withdraws(m.users["human"], "cancelled", m.stages["cancelled"].hired)
	left, _, err := m.net.Reader.Balances(m.t.Context(), m.net.Deployment.Escrow)
	staked, _, failure := m.net.Reader.Balances(m.t.Context(), m.net.Deployment.Staking)
	if sum := new(big.Int).Add(left, staked); errors.Join(err, failure) != nil || sum.Sign() != 0 {
		m.t.Errorf("the contracts still have %s wei, %v", sum, errors.Join(err, failure))
	}
	m.net.Mine(m.t, 200) // the payments become final
	m.settle()
	if got := m.claim(agent); got.JSON201 == nil {
		m.t.Fatalf("claim = %s", answer(got))
	}
	m.awaitClaim(agent, client.ClaimStatusPaid)
}

// ends waits until the stages' tasks have ended.
func (m *moneyScene) ends(names ...string) {
	m.t.Helper()
	agent, began := m.users["agent"], time.Now()
	for _, name := range names {
		for !market.Status(m.task(agent, m.stages[name].id).Status).Ended() {
			if time.Since(began) > time.Minute {
				m.t.Fatalf("%s: the task is still %s", name, m.task(agent, m.stages[name].id).Status)
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
}
