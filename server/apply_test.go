package server_test

import (
	"net/http"
	"strings"
	"testing"

	"taskmarket/chain"
	"taskmarket/gen/client"
	"taskmarket/market"
	"taskmarket/server"
)

func TestWalletCannotBeBothPartiesOfATask(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	task := r.funded(agent)
	for name, signer := range map[string]*chain.KeySigner{"own wallet": r.net.Agent, "validator": r.net.Validators[0]} {
		got, err := r.human(signer).ApplyForTaskWithResponse(t.Context(), task.ID, nil, client.ApplyForTaskRequest{})
		if err != nil || got.JSON400 == nil {
			t.Errorf("%s applies = %s, %v", name, answer(got), err)
		}
	}
}

// A human who lives in a country that the operator forbids cannot apply, even if the profile named the
// country before the rule existed. A change of the location is checked too.
func TestHumanInAForbiddenCountryCannotApply(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	task := r.funded(agent)
	moved, err := human.ChangeHumanMeWithResponse(t.Context(), client.ChangeHumanRequest{Location: new("Lisbon")})
	if err != nil || moved.JSON200 == nil {
		t.Fatalf("location = %s, %v", answer(moved), err)
	}
	strict := r.replica(func(o *server.Options) { o.Screen = screenOf(t, `{"forbidden_countries": ["PT"]}`) })
	json := append([]string{"Content-Type", "application/json"}, r.credentials(human)...)
	apply := func() reply {
		return strict.do("POST", "/api/v1/tasks/"+task.ID.String()+"/applications", bodies["applyForTask"], json...)
	}
	move := func(to string) reply {
		return strict.do("PATCH", "/api/v1/humans/me", `{"location":"`+to+`"}`, json...)
	}
	for what, got := range map[string]reply{"application": apply(), "change of the location": move("Porto")} {
		if got.status != http.StatusBadRequest || !strings.Contains(got.body, `"forbidden"`) || !strings.Contains(got.body, "location") {
			t.Errorf("%s = %d %s", what, got.status, got.body)
		}
	}
	if got := move("Madrid"); got.status != http.StatusOK {
		t.Fatalf("move to another country = %d %s", got.status, got.body)
	}
	if got := apply(); got.status != http.StatusCreated {
		t.Errorf("application from another country = %d %s", got.status, got.body)
	}
}

// Applying and withdrawing without a stake is limited for each task, and the agent can filter its
// applications by status.
func TestApplyingWithoutAStakeIsLimited(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human, other := r.verifiedAgent(r.net.Agent), r.human(r.net.Human), r.human(r.net.OtherHuman)
	task := r.funded(agent)
	apply := func() *client.ApplyForTaskResponse {
		t.Helper()
		got, err := human.ApplyForTaskWithResponse(t.Context(), task.ID, nil, client.ApplyForTaskRequest{ApplicationMessage: "Me."})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	for range market.MaxUnstaked {
		if next := r.next(human, task.ID); !strings.Contains(names(next), "apply") {
			t.Errorf("next = %s, want apply among them", names(next))
		}
		applied := apply()
		if applied.JSON201 == nil {
			t.Fatalf("apply = %s", answer(applied))
		}
		withdrawn, err := human.WithdrawApplicationWithResponse(t.Context(), task.ID, applied.JSON201.Application.ID)
		if err != nil || withdrawn.JSON200 == nil {
			t.Fatalf("withdraw = %s, %v", answer(withdrawn), err)
		}
	}
	if got := apply(); got.JSON400 == nil || got.JSON400.Error != "wrong_status" || got.JSON400.Hint == nil {
		t.Errorf("apply once more = %s", answer(got))
	}
	if next := r.next(human, task.ID); strings.Contains(names(next), "apply") {
		t.Errorf("next = %s, want no apply", names(next))
	}
	staked := r.applied(other, task.ID)
	for statuses, want := range map[string]int{"": market.MaxUnstaked + 1, "pending": 1, "withdrawn": market.MaxUnstaked, "pending,withdrawn": market.MaxUnstaked + 1, "expired": 0} {
		params := &client.ListTaskApplicationsParams{}
		if statuses != "" {
			params.Status = new([]client.ApplicationStatus{})
			for word := range strings.SplitSeq(statuses, ",") {
				*params.Status = append(*params.Status, client.ApplicationStatus(word))
			}
		}
		list, err := agent.ListTaskApplicationsWithResponse(t.Context(), task.ID, params)
		if err != nil || list.JSON200 == nil || len(list.JSON200.Applications) != want || list.JSON200.Total != int64(want) {
			t.Errorf("applications with the status %q = %s, %v; want %d", statuses, answer(list), err, want)
		} else if statuses == "pending" && list.JSON200.Applications[0].ID != staked.ID {
			t.Errorf("the pending application is %s, want %s", list.JSON200.Applications[0].ID, staked.ID)
		}
	}
	if got := r.do(http.MethodGet, "/api/v1/tasks/"+task.ID.String()+"/applications?status=staked", "", "X-API-Key", agent.key); got.status != http.StatusBadRequest {
		t.Errorf("an unknown status = %d", got.status)
	}
}
