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
	panel(t, s, 1, validator.Wallet, both.Wallet, worker.Wallet, former.Wallet)
	execute(t, s, `UPDATE chain_validators SET removed_in = 2 WHERE wallet = $1`, former.Wallet)
	execute(t, s, `UPDATE chain_parameters SET panel = 2`)

	open := storetest.Task(t, s, agent)
	work := storetest.Task(t, s, agent)
	for _, task := range []market.Task{open, work} {
		storetest.Application(t, s, task, applicant)
		storetest.Application(t, s, task, both)
	}
	open = escrowed(t, s, open, genesis, nil)
	work = escrowed(t, s, work, genesis.Add(3*time.Hour), submitted(worker, newHash()))

	for name, test := range map[string]struct {
		task market.Task
		who  market.Principal
		want market.Role
	}{
		"its agent":                 {work, agentPrincipal(agent), market.RoleAgent},
		"another agent":             {work, agentPrincipal(storetest.Agent(t, s)), market.RoleOther},
		"assigned and on the panel": {work, humanPrincipal(worker), market.RoleHuman},
		"an applicant":              {work, humanPrincipal(applicant), market.RoleApplicant},
		"an applicant on the panel": {work, humanPrincipal(both), market.RoleValidator},
		"an applicant on the panel before work was submitted": {open, humanPrincipal(both), market.RoleApplicant},
		"on the panel":                          {work, humanPrincipal(validator), market.RoleValidator},
		"on the current panel":                  {open, humanPrincipal(validator), market.RoleValidator},
		"removed after the task's panel":        {work, humanPrincipal(former), market.RoleValidator},
		"removed, task without a panel":         {open, humanPrincipal(former), market.RoleOther},
		"an unrelated human":                    {work, humanPrincipal(storetest.Human(t, s)), market.RoleOther},
		"an agent whose wallet is on the panel": {work, market.Principal{Kind: market.PrincipalAgent, ID: newID(), Wallet: validator.Wallet}, market.RoleOther},
	} {
		t.Run(name, func(t *testing.T) {
			if got := ok(s.TaskRole(t.Context(), test.task, test.who)); got != test.want {
				t.Errorf("TaskRole() = %s, want %s", got, test.want)
			}
			involved := ok(s.Involvements(t.Context(), test.who, open.ID, work.ID))
			if got := involved[test.task.ID].Role(test.task, test.who); got != test.want {
				t.Errorf("Involvements().Role() = %s, want %s", got, test.want)
			}
		})
	}
}
