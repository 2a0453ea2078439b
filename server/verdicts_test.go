package server_test

import (
	"testing"
)

func TestValidatorGivesOneVerdict(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	task := r.submitted(agent, human)
	validator, second := r.human(r.net.Validators[0]), r.human(r.net.Validators[1])
	if got := r.verdict(validator, task.ID, true); got.JSON400 == nil || got.JSON400.Error != "wrong_status" {
		t.Errorf("before the round opens = %s", answer(got))
	}
	r.net.Approve(t, r.net.Agent, 1)
	r.settle()
	if got := r.postVerdict(human, task.ID, true, "0x"+nines(130)); got.StatusCode() != 403 {
		t.Errorf("the human's verdict = %s", answer(got))
	}
	if got := r.postVerdict(validator, task.ID, true, "0x"+nines(130)); got.JSON400 == nil || got.JSON400.Error != "signature_invalid" {
		t.Errorf("an invalid signature = %s", answer(got))
	}
	if got := r.verdict(validator, task.ID, false); got.JSON400 == nil || got.JSON400.Error != "wrong_status" {
		t.Errorf("rejecting work that the agent approved = %s", answer(got))
	}
	if got := r.verdict(validator, task.ID, true); got.JSON201 == nil {
		t.Fatalf("verdict = %s", answer(got))
	}
	if got := r.verdict(validator, task.ID, true); got.JSON409 == nil || got.JSON409.Error != "already_exists" {
		t.Errorf("again = %s", answer(got))
	}
	for name, want := range map[*user]int{agent: 0, human: 0, validator: 1, second: 0} {
		got, err := name.ListVerdictsWithResponse(t.Context(), task.ID, nil)
		if err != nil || got.JSON200 == nil || len(got.JSON200.Verdicts) != want || got.JSON200.Approvals != 1 || got.JSON200.Quorum != 2 {
			t.Errorf("verdicts = %s, %v, want %d of 1", answer(got), err, want)
		}
	}
	if got, err := human.ListValidationsWithResponse(t.Context(), nil); err != nil || got.StatusCode() != 403 {
		t.Errorf("validations of a human = %s, %v", answer(got), err)
	}
	r.vote2(second, task.ID)
	r.net.Decide(t, 1, r.workHash(task.ID), 0, true)
	r.settle()
	got, err := human.ListVerdictsWithResponse(t.Context(), task.ID, nil)
	if err != nil || got.JSON200 == nil || len(got.JSON200.Verdicts) != 2 {
		t.Errorf("after the decision = %s, %v", answer(got), err)
	}
}
