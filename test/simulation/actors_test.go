package simulation_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"net/http"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/google/uuid"

	"taskmarket/chain"
	"taskmarket/gen/client"
	"taskmarket/market"
	"taskmarket/test/actor"
	"taskmarket/test/invariant"
	"taskmarket/test/simulation/evm"
)

// account is a person's client of the API.
type account struct{ *client.ClientWithResponses }

var errUnanswered = errors.New("the API returned no call")

// client returns the person's client. Humans sign in first, and again after their session has expired.
func (w *world) client(p *person) (*account, error) {
	if known := w.clients[p]; known != nil {
		if p.kind == market.PrincipalAgent {
			return known, nil
		}
		if me, err := known.GetHumanMeWithResponse(w.ctx); err == nil && me.JSON401 == nil {
			return known, nil
		}
	}
	if p.kind == market.PrincipalAgent {
		keyed := func(_ context.Context, r *http.Request) error {
			r.Header.Set("X-API-Key", p.key)
			return nil
		}
		made, err := client.NewClientWithResponses(baseURL+"/api/v1",
			client.WithHTTPClient(&http.Client{Transport: w}), client.WithRequestEditorFn(keyed))
		w.clients[p] = &account{made}
		return w.clients[p], err
	}
	signedIn, err := actor.SignIn(w.ctx, baseURL+"/api/v1", w, nil, p.wallet)
	if err != nil {
		return nil, err
	}
	w.clients[p] = &account{signedIn.API}
	return w.clients[p], nil
}

// deed is an action of a person on a task.
type deed struct {
	action   market.Action
	by       *person
	task     *task
	escrow   *market.EscrowTask // nil before the funding
	stake    *market.Stake      // for actions on an application
	approved bool               // for verdicts
}

func (d deed) String() string {
	text := fmt.Sprintf("%s by %s", d.action, d.by.wallet.Address().Hex()[:8])
	if d.escrow != nil {
		text += fmt.Sprintf(" on task %d", d.escrow.ID)
	}
	if d.stake != nil {
		text += fmt.Sprintf(", application %d", d.stake.ID)
	}
	return text
}

// deeds returns every combination of person, task, application and action that the rules of package
// market allow at the time of the chain's next block or, if allowed is false, that they forbid.
func (w *world) deeds(allowed bool) ([]deed, error) {
	t, err := w.read()
	if err != nil {
		return nil, err
	}
	at := time.Unix(int64(max(w.now(), uint64(t.Head.Time.Unix())+1)), 0).UTC()
	var found []deed
	for _, made := range w.tasks {
		e := t.EscrowOf(made.terms)
		m := &market.Task{AgentWallet: made.agent.wallet.Address(), Amount: made.amount, Escrow: e, Status: market.StatusAt(e, nil, at)}
		for _, p := range w.people() {
			for _, d := range w.candidates(t, made, e, p) {
				if (m.Allow(d.action, roleOf(d), at) == nil && stakeAllows(d, at)) == allowed {
					found = append(found, d)
				}
			}
		}
	}
	return found, nil
}

// candidates returns what a person could attempt on a task.
func (w *world) candidates(t *invariant.Truth, made *task, e *market.EscrowTask, p *person) []deed {
	validator := slices.Contains(w.validators, p)
	if e == nil {
		return []deed{{action: market.ActionFund, by: p, task: made}}
	}
	var found []deed
	end := market.ActionCancel // the contract has one function for both
	if e.Human == p.wallet.Address() {
		end = market.ActionResign
	}
	for _, action := range []market.Action{
		market.ActionSubmit, market.ActionApprove, market.ActionDispute, end, market.ActionSettle, market.ActionEmergency,
	} {
		found = append(found, deed{action: action, by: p, task: made, escrow: e})
	}
	if validator {
		return append(found, deed{action: market.ActionVerdict, by: p, task: made, escrow: e, approved: true},
			deed{action: market.ActionVerdict, by: p, task: made, escrow: e})
	}
	applied := false
	for _, id := range slices.Sorted(maps.Keys(t.Stakes)) {
		s := t.Stakes[id]
		if s.TaskID != e.ID {
			continue
		}
		applied = applied || s.Human == p.wallet.Address()
		for _, action := range []market.Action{market.ActionAccept, market.ActionReject, market.ActionWithdraw} {
			found = append(found, deed{action: action, by: p, task: made, escrow: e, stake: s})
		}
	}
	if p.kind == market.PrincipalHuman && !applied {
		found = append(found, deed{action: market.ActionApply, by: p, task: made, escrow: e})
	}
	return found
}

// roleOf returns the role in which a person acts.
func roleOf(d deed) market.Role {
	address := d.by.wallet.Address()
	switch {
	case d.by == d.task.agent:
		return market.RoleAgent
	case d.action == market.ActionVerdict:
		return market.RoleValidator
	case d.action == market.ActionWithdraw && d.stake.Human == address:
		return market.RoleApplicant
	case d.escrow != nil && d.escrow.Human == address:
		return market.RoleHuman
	}
	return market.RoleOther
}

// stakeAllows reports whether the state of the application permits the action.
func stakeAllows(d deed, at time.Time) bool {
	if d.stake == nil {
		return true
	}
	if d.action == market.ActionAccept && !at.Before(d.stake.ExpiresAt) {
		return false
	}
	return d.stake.Status == market.StakeLive
}

// anyone reports whether the contracts permit the action for every account, although the service
// offers it only to some.
func (d deed) anyone() bool {
	return d.action == market.ActionSettle || d.action == market.ActionWithdraw || d.action == market.ActionVerdict ||
		d.action == market.ActionApply || d.action == market.ActionFund
}

// call returns the action's call to the contracts, without the service.
func (w *world) call(d deed) market.Call {
	c, escrow := w.contracts, w.deployment.Escrow
	switch d.action { //nolint:exhaustive // the default covers the others
	case market.ActionFund:
		return c.PostTask(d.task.amount, feeBasisPoints, d.task.terms)
	case market.ActionApply:
		return c.LockStake(d.escrow.ID, market.RequiredStake(d.task.amount))
	case market.ActionAccept:
		return c.AcceptApplication(escrow, d.escrow.ID, d.stake.ID)
	case market.ActionReject:
		return c.RejectApplication(d.stake.ID)
	case market.ActionWithdraw:
		return c.WithdrawStake(d.stake.ID)
	case market.ActionSubmit:
		return c.SubmitTask(escrow, d.escrow.ID, common.BytesToHash(d.task.id[:]))
	case market.ActionApprove:
		return c.ApproveTask(escrow, d.escrow.ID)
	case market.ActionDispute:
		return c.DisputeTask(escrow, d.escrow.ID)
	case market.ActionCancel, market.ActionResign:
		return c.CancelTask(escrow, d.escrow.ID)
	case market.ActionEmergency:
		return c.EmergencyRelease(escrow, d.escrow.ID)
	default:
		return c.Settle(escrow, d.escrow.ID)
	}
}

// act performs an action as a user does: through the API, with the calldata that it returns, or
// without the service if direct is set or the API does not answer.
func (w *world) act(d deed, direct bool) error {
	w.count(string(d.action))
	call := w.call(d)
	if !direct && d.action != market.ActionFund {
		prepared, err := w.prepare(d)
		if err == nil {
			call = prepared
			w.count("call by the API")
		}
		if d.action == market.ActionApply && err != nil {
			return nil //nolint:nilerr // a stake without a record would have no effect in the service
		}
	}
	if d.action == market.ActionVerdict {
		return nil // the keeper relays it
	}
	_, err := w.send(d.by, call)
	return err
}

// post records a task through the API.
func (w *world) post(agent *person, amount *big.Int) error {
	api, err := w.client(agent)
	if err != nil {
		return nil //nolint:nilerr // the API does not answer
	}
	answer, err := api.CreateTaskWithResponse(w.ctx, nil, client.CreateTaskRequest{
		Title: fmt.Sprint("Task ", len(w.tasks)), Description: "Photograph a shop window.", EscrowAmount: amount.String(),
	})
	if err != nil || answer.JSON201 == nil {
		w.count("unacknowledged task")
		return nil //nolint:nilerr // the API does not answer
	}
	w.count("acknowledged task")
	w.wrote("tasks", answer.JSON201.ID)
	w.tasks = append(w.tasks, &task{id: answer.JSON201.ID, agent: agent, amount: amount, terms: common.HexToHash(answer.JSON201.TermsHash)})
	return nil
}

// wrote records an acknowledged write.
func (w *world) wrote(table string, id uuid.UUID) {
	w.acknowledged = append(w.acknowledged, written{table: table, id: id})
}

// application returns the id of the person's application in the service.
func (w *world) application(d deed) (uuid.UUID, error) {
	var id uuid.UUID
	err := w.db.GetContext(w.ctx, &id, `
		SELECT a.id FROM applications a JOIN users u ON u.id = a.human_id
		WHERE a.task_id = $1 AND u.wallet = $2 ORDER BY a.created_at DESC LIMIT 1`, d.task.id, d.stake.Human)
	return id, err
}

// prepare requests the action from the API and returns the call.
func (w *world) prepare(d deed) (market.Call, error) {
	api, err := w.client(d.by)
	if err != nil {
		return market.Call{}, err
	}
	id := d.task.id
	switch d.action { //nolint:exhaustive // the default covers the others
	case market.ActionApply:
		answer, err := api.ApplyForTaskWithResponse(w.ctx, id, nil, client.ApplyForTaskRequest{ApplicationMessage: "I live next door."})
		if err != nil || answer.JSON201 == nil {
			return market.Call{}, errors.Join(err, errUnanswered)
		}
		w.wrote("applications", answer.JSON201.Application.ID)
		return callOf(answer.JSON201.StakingAddress, answer.JSON201.LockCalldata)
	case market.ActionAccept, market.ActionReject, market.ActionWithdraw:
		return w.prepareApplication(api, d)
	case market.ActionSubmit:
		answer, err := api.SubmitWorkWithResponse(w.ctx, id, nil, client.SubmitWorkRequest{Note: "Done.", FileIds: []uuid.UUID{}})
		if err != nil || answer.JSON201 == nil {
			return market.Call{}, errors.Join(err, errUnanswered)
		}
		w.wrote("submissions", answer.JSON201.SubmissionID)
		return callOf(answer.JSON201.To, answer.JSON201.SubmitTaskCalldata)
	case market.ActionDispute:
		answer, err := api.DisputeTaskWithResponse(w.ctx, id, nil, client.DisputeTaskRequest{Reason: "Not what was agreed."})
		if err != nil || answer.JSON200 == nil {
			return market.Call{}, errors.Join(err, errUnanswered)
		}
		w.wrote("disputes", answer.JSON200.DisputeID)
		return callOf(answer.JSON200.To, answer.JSON200.DisputeTaskCalldata)
	case market.ActionVerdict:
		return market.Call{}, w.vote(api, d)
	case market.ActionApprove:
		answer, err := api.ApproveTaskWithResponse(w.ctx, id, client.ApproveTaskRequest{})
		if err != nil || answer.JSON200 == nil || answer.JSON200.ApproveTaskCalldata == "" {
			return market.Call{}, errors.Join(err, errUnanswered)
		}
		return callOf(answer.JSON200.To, answer.JSON200.ApproveTaskCalldata)
	case market.ActionCancel:
		answer, err := api.CancelTaskWithResponse(w.ctx, id)
		if err != nil || answer.JSON200 == nil {
			return market.Call{}, errors.Join(err, errUnanswered)
		}
		return callOf(answer.JSON200.To, answer.JSON200.CancelTaskCalldata)
	default:
		return market.Call{}, errUnanswered // the web app builds the calls for these actions itself
	}
}

func (w *world) prepareApplication(api *account, d deed) (market.Call, error) {
	application, err := w.application(d)
	if err != nil {
		return market.Call{}, err
	}
	switch d.action { //nolint:exhaustive // the default covers the others
	case market.ActionAccept:
		answer, err := api.AcceptApplicationWithResponse(w.ctx, d.task.id, application)
		if err != nil || answer.JSON200 == nil {
			return market.Call{}, errors.Join(err, errUnanswered)
		}
		return callOf(answer.JSON200.To, answer.JSON200.AcceptApplicationCalldata)
	case market.ActionReject:
		answer, err := api.RejectApplicationWithResponse(w.ctx, d.task.id, application, client.RejectApplicationRequest{Reason: new("Another applicant fits better.")})
		if err != nil || answer.JSON200 == nil || answer.JSON200.To == nil {
			return market.Call{}, errors.Join(err, errUnanswered)
		}
		return callOf(*answer.JSON200.To, *answer.JSON200.RejectApplicationCalldata)
	default:
		answer, err := api.WithdrawApplicationWithResponse(w.ctx, d.task.id, application)
		if err != nil || answer.JSON200 == nil || answer.JSON200.To == nil {
			return market.Call{}, errors.Join(err, errUnanswered)
		}
		return callOf(*answer.JSON200.To, *answer.JSON200.WithdrawStakeCalldata)
	}
}

// vote posts a validator's signed verdict.
func (w *world) vote(api *account, d deed) error {
	e := d.escrow
	signature, err := d.by.wallet.SignTypedData(w.ctx,
		chain.VerdictTypedData(w.deployment.Escrow, evm.ChainID, e.ID, e.WorkHash, e.Round().Number, d.approved))
	if err != nil {
		return err
	}
	answer, err := api.PostVerdictWithResponse(w.ctx, d.task.id, nil, client.PostVerdictRequest{
		Approved: d.approved, Reason: "By the brief.", Signature: hexutil.Encode(signature),
	})
	if err != nil || answer.JSON201 == nil {
		return errors.Join(err, errUnanswered)
	}
	cast := verdict{task: d.task.id, round: uint64(e.Round().Number), validator: d.by, work: e.WorkHash}
	w.acknowledged = slices.DeleteFunc(w.acknowledged, func(record written) bool { return cast.replaces(record.verdict) })
	w.acknowledged = append(w.acknowledged, written{table: "verdicts", id: answer.JSON201.ID, verdict: cast})
	return nil
}

// callOf decodes a call that the API returned.
func callOf(to, data string) (market.Call, error) {
	raw, err := hexutil.Decode(data)
	return market.Call{To: common.HexToAddress(to), Data: raw}, err
}
