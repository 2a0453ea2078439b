package store_test

import (
	"testing"
	"time"

	"taskmarket/market"
	"taskmarket/store/storetest"
)

func TestTaskRole(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent, worker := storetest.Agent(t, s), storetest.Human(t, s)
	applicant, validator, both := storetest.Human(t, s), storetest.Human(t, s), storetest.Human(t, s)
	former := storetest.Human(t, s)
	storetest.Panel(t, s, 1, validator.Wallet, both.Wallet, worker.Wallet, former.Wallet)
	storetest.Execute(t, s, `UPDATE chain_validators SET removed_in = 2 WHERE wallet = $1`, former.Wallet)
	storetest.Execute(t, s, `UPDATE chain_parameters SET panel = 2`)

	open := storetest.Task(t, s, agent)
	work := storetest.Task(t, s, agent)
	for _, task := range []market.Task{open, work} {
		storetest.Application(t, s, task, applicant)
		storetest.Application(t, s, task, both)
	}
	open = storetest.Escrowed(t, s, open, storetest.Genesis, nil)
	work = storetest.Escrowed(t, s, work, storetest.Genesis.Add(3*time.Hour), storetest.Submitted(worker, storetest.NewHash()))

	for name, test := range map[string]struct {
		task market.Task
		who  market.Principal
		want market.Role
	}{
		"its agent":                 {work, storetest.AgentPrincipal(agent), market.RoleAgent},
		"another agent":             {work, storetest.AgentPrincipal(storetest.Agent(t, s)), market.RoleOther},
		"assigned and on the panel": {work, storetest.HumanPrincipal(worker), market.RoleHuman},
		"an applicant":              {work, storetest.HumanPrincipal(applicant), market.RoleApplicant},
		"an applicant on the panel": {work, storetest.HumanPrincipal(both), market.RoleValidator},
		"an applicant on the panel before work was submitted": {open, storetest.HumanPrincipal(both), market.RoleApplicant},
		"on the panel":                          {work, storetest.HumanPrincipal(validator), market.RoleValidator},
		"on the current panel":                  {open, storetest.HumanPrincipal(validator), market.RoleValidator},
		"removed after the task's panel":        {work, storetest.HumanPrincipal(former), market.RoleValidator},
		"removed, task without a panel":         {open, storetest.HumanPrincipal(former), market.RoleOther},
		"an unrelated human":                    {work, storetest.HumanPrincipal(storetest.Human(t, s)), market.RoleOther},
		"an agent whose wallet is on the panel": {work, market.Principal{Kind: market.PrincipalAgent, ID: storetest.NewID(), Wallet: validator.Wallet}, market.RoleOther},
	} {
		t.Run(name, func(t *testing.T) {
			if got := storetest.Must(s.TaskRole(t.Context(), test.task, test.who)); got != test.want {
				t.Errorf("TaskRole() = %s, want %s", got, test.want)
			}
			involved := storetest.Must(s.Involvements(t.Context(), test.who, open.ID, work.ID))
			if got := involved[test.task.ID].Role(test.task, test.who); got != test.want {
				t.Errorf("Involvements().Role() = %s, want %s", got, test.want)
			}
		})
	}
}
