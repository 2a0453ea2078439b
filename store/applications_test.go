package store_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

func TestCreateApplication(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	task, human := storetest.Funded(t, s), storetest.Human(t, s)
	want := storetest.NewApplication(task, human)
	created := storetest.Must(s.CreateApplication(t.Context(), want))
	if diff := cmp.Diff(want, created, equalAmounts, cmpopts.IgnoreFields(market.Application{}, "CreatedAt")); diff != "" {
		t.Errorf("CreateApplication() (-want +got):\n%s", diff)
	}
	for what, got := range map[string]market.Application{
		"Application()":   storetest.Must(s.Application(t.Context(), task.ID, want.ID)),
		"ApplicationOf()": storetest.Must(s.ApplicationOf(t.Context(), task.ID, human.ID)),
	} {
		if diff := cmp.Diff(created, got, equalAmounts); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	if got := storetest.Must(s.Task(t.Context(), task.ID)).Applications; got != 1 {
		t.Errorf("Task().Applications = %d, want 1", got)
	}
	agent := market.Principal{Kind: market.PrincipalAgent, ID: task.AgentID}
	if diff := cmp.Diff([]string{"New application"}, storetest.Titles(t, s, agent)); diff != "" {
		t.Errorf("the agent's feed (-want +got):\n%s", diff)
	}
	_, err := s.CreateApplication(t.Context(), storetest.NewApplication(task, human))
	storetest.WantKind(t, "CreateApplication() again", err, market.KindWrongStatus)
}

func TestCreateApplicationRejects(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	task, human := storetest.Funded(t, s), storetest.Human(t, s)
	own := storetest.Human(t, s, func(h *market.Human) { h.Wallet = task.AgentWallet })
	unfunded := storetest.Task(t, s, storetest.Agent(t, s))
	for name, test := range map[string]struct {
		change func(*market.Application)
		want   market.Kind
	}{
		"unknown task":              {func(a *market.Application) { a.TaskID = storetest.NewID() }, market.KindNotFound},
		"a new task":                {func(a *market.Application) { a.TaskID = unfunded.ID }, market.KindWrongStatus},
		"a task of the same wallet": {func(a *market.Application) { a.HumanID = own.ID }, market.KindInvalid},
		"unknown human":             {func(a *market.Application) { a.HumanID = storetest.NewID() }, market.KindNotFound},
		"an agent":                  {func(a *market.Application) { a.HumanID = task.AgentID }, market.KindNotFound},
		"a long message":            {func(a *market.Application) { a.Message = strings.Repeat("ä", market.MaxApplication+1) }, market.KindInvalid},
		"a message with NUL":        {func(a *market.Application) { a.Message = "\x00" }, market.KindInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			a := storetest.NewApplication(task, human)
			test.change(&a)
			_, err := s.CreateApplication(t.Context(), a)
			storetest.WantKind(t, "CreateApplication()", err, test.want)
		})
	}
	_, err := s.Application(t.Context(), unfunded.ID, storetest.Must(s.CreateApplication(t.Context(), storetest.NewApplication(task, human))).ID)
	storetest.WantKind(t, "Application() of another task", err, market.KindNotFound)
	_, err = s.ApplicationOf(t.Context(), unfunded.ID, human.ID)
	storetest.WantKind(t, "ApplicationOf() of an unknown id", err, market.KindNotFound)
}

func TestCreateApplicationRace(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	human := storetest.Human(t, s)
	for range 5 {
		task := storetest.Funded(t, s)
		errs := storetest.Race(3, func(int) error {
			_, err := s.CreateApplication(t.Context(), storetest.NewApplication(task, human))
			return err
		})
		storetest.WantOneWinner(t, "CreateApplication()", errs, market.KindWrongStatus)
	}
}

func TestUpdateApplication(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		decide func(*market.Application) error
		want   market.ApplicationStatus
		told   func(market.Task, market.Human) market.Principal
		title  string
	}{
		"rejected by the agent": {
			decide: (*market.Application).Reject, want: market.ApplicationRejected,
			told:  func(_ market.Task, h market.Human) market.Principal { return storetest.HumanPrincipal(h) },
			title: "Application rejected",
		},
		"withdrawn by the human": {
			decide: (*market.Application).Withdraw, want: market.ApplicationWithdrawn,
			told: func(t market.Task, _ market.Human) market.Principal {
				return market.Principal{Kind: market.PrincipalAgent, ID: t.AgentID}
			},
			title: "Application withdrawn",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := storetest.New(t)
			task, human := storetest.Funded(t, s), storetest.Human(t, s)
			a := storetest.Must(s.CreateApplication(t.Context(), storetest.NewApplication(task, human)))
			decided := storetest.Must(s.UpdateApplication(t.Context(), task.ID, a.ID, test.decide))
			if decided.Status != test.want || storetest.Must(s.Application(t.Context(), task.ID, a.ID)).Status != test.want {
				t.Errorf("UpdateApplication() = %s, want %s, also when read again", decided.Status, test.want)
			}
			if got := storetest.Titles(t, s, test.told(task, human)); len(got) == 0 || got[0] != test.title {
				t.Errorf("the other side's feed = %q, want %q on top", got, test.title)
			}
			_, err := s.UpdateApplication(t.Context(), task.ID, a.ID, test.decide)
			storetest.WantKind(t, "UpdateApplication() again", err, market.KindWrongStatus)
			_, err = s.CreateApplication(t.Context(), storetest.NewApplication(task, human))
			storetest.WantKind(t, "CreateApplication() after the decision", err, "")
		})
	}
}

// If a rejection and a withdrawal run concurrently, exactly one of them succeeds.
func TestUpdateApplicationRace(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	human := storetest.Human(t, s)
	for range 5 {
		task := storetest.Funded(t, s)
		a := storetest.Must(s.CreateApplication(t.Context(), storetest.NewApplication(task, human)))
		decisions := []func(*market.Application) error{(*market.Application).Reject, (*market.Application).Withdraw}
		errs := storetest.Race(2, func(i int) error {
			_, err := s.UpdateApplication(t.Context(), task.ID, a.ID, decisions[i])
			return err
		})
		storetest.WantOneWinner(t, "UpdateApplication()", errs, market.KindWrongStatus)
	}
}

func TestApplicationWithStake(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	task, human := storetest.Funded(t, s), storetest.Human(t, s)
	a := storetest.Must(s.CreateApplication(t.Context(), storetest.NewApplication(task, human)))
	d, tx := s.Deployment(), storetest.NewHash()
	storetest.Execute(t, s, `
		INSERT INTO onchain_applications (chain_id, escrow, id, task_id, human, agent, amount, expires_at, status,
			locked_at, locked_tx, locked_ordinal, locked_block, locked_index)
		VALUES ($1, $2, 7, $3, $4, $5, 50, $6, 'live', $7, $8, 0, 9, 3)`,
		d.ChainID, d.Escrow, task.Escrow.ID, human.Wallet, task.AgentWallet, storetest.Genesis.Add(market.StakeLifetime), storetest.Genesis, tx)
	storetest.Execute(t, s, `UPDATE applications SET status = 'pending', onchain_application_id = 7 WHERE id = $1`, a.ID)
	got := storetest.Must(s.Application(t.Context(), task.ID, a.ID))
	want := &market.Stake{
		ChainID: d.ChainID, Contract: d.Staking, ID: 7, TaskID: task.Escrow.ID, Human: human.Wallet, Agent: task.AgentWallet,
		Amount: got.Stake.Amount, ExpiresAt: storetest.Genesis.Add(market.StakeLifetime), Status: market.StakeLive, LockedAt: storetest.Genesis,
		Locked: market.Posting{TxHash: tx, Block: 9, Index: 3},
	}
	if diff := cmp.Diff(want, got.Stake, equalAmounts); diff != "" || got.Stake.Amount.Int64() != 50 {
		t.Errorf("Application().Stake (-want +got):\n%s", diff)
	}
	_, err := s.UpdateApplication(t.Context(), task.ID, a.ID, (*market.Application).Reject)
	storetest.WantKind(t, "UpdateApplication() with a stake", err, market.KindWrongStatus)
}

func TestExplainRejection(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent, human := storetest.Agent(t, s), storetest.Human(t, s)
	task, other := storetest.Escrowed(t, s, storetest.Task(t, s, agent), storetest.Genesis, nil), storetest.Task(t, s, agent)
	a := storetest.Must(s.CreateApplication(t.Context(), storetest.NewApplication(task, human)))
	explain := func(by market.Agent, taskID uuid.UUID, reason string) (string, error) {
		got, err := s.ExplainRejection(t.Context(), storetest.AgentPrincipal(by), taskID, a.ID, reason)
		return got.RejectionReason, err
	}
	_, err := explain(storetest.Agent(t, s), task.ID, "Mine.")
	storetest.WantKind(t, "ExplainRejection() by another agent", err, market.KindNotFound)
	_, err = explain(agent, other.ID, "Elsewhere.")
	storetest.WantKind(t, "ExplainRejection() for another task", err, market.KindNotFound)
	_, err = explain(agent, task.ID, strings.Repeat("ä", market.MaxRejection+1))
	storetest.WantKind(t, "ExplainRejection() with a long reason", err, market.KindInvalid)
	long := strings.Repeat("ä", market.MaxRejection)
	for _, said := range []struct{ reason, kept string }{{"", ""}, {"No.", "No."}, {"", "No."}, {long, long}} {
		if got := storetest.Must(explain(agent, task.ID, said.reason)); got != said.kept {
			t.Errorf("ExplainRejection(%.9q) keeps %.9q, want %.9q", said.reason, got, said.kept)
		}
	}
	for _, status := range []market.ApplicationStatus{"new", "released", "withdrawn", "rejected"} {
		storetest.Execute(t, s, `UPDATE applications SET status = $2 WHERE id = $1`, a.ID, status)
		if status != market.ApplicationNew {
			if got := storetest.Must(explain(agent, task.ID, "Too late.")); got != long {
				t.Errorf("ExplainRejection() of a %s application stores %.9q", status, got)
			}
		}
		humans := ""
		if status == market.ApplicationRejected {
			humans = long
		}
		for who, got := range map[string]struct{ read, want string }{
			"Application":    {storetest.Must(s.Application(t.Context(), task.ID, a.ID)).RejectionReason, humans},
			"ApplicationOf":  {storetest.Must(s.ApplicationOf(t.Context(), task.ID, human.ID)).RejectionReason, humans},
			"ApplicationsOf": {storetest.Must(s.ApplicationsOf(t.Context(), human.ID, store.PageQuery{PageSize: 1})).Items[0].RejectionReason, humans},
			"Applications":   {storetest.Must(s.Applications(t.Context(), task.ID, store.PageQuery{PageSize: 1})).Items[0].RejectionReason, long},
		} {
			if got.read != got.want {
				t.Errorf("%s application: %s reads %.9q, want %.9q", status, who, got.read, got.want)
			}
		}
	}
}

func TestApplications(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	task := storetest.Funded(t, s)
	for range 5 {
		storetest.Must(s.CreateApplication(t.Context(), storetest.NewApplication(task, storetest.Human(t, s))))
	}
	storetest.Must(s.CreateApplication(t.Context(), storetest.NewApplication(storetest.Funded(t, s), storetest.Human(t, s))))
	first := storetest.Must(s.Applications(t.Context(), task.ID, store.PageQuery{PageSize: 3}))
	rest := storetest.Must(s.Applications(t.Context(), task.ID, store.PageQuery{PageSize: 3, Cursor: first.NextCursor}))
	if len(first.Items) != 3 || len(rest.Items) != 2 || first.Total != 5 || rest.Total != 5 || rest.NextCursor != "" {
		t.Errorf("Applications() = %d then %d of %d and %d, want 3 then 2 of 5", len(first.Items), len(rest.Items), first.Total, rest.Total)
	}
	for i, a := range append(first.Items, rest.Items...) {
		if a.TaskID != task.ID {
			t.Errorf("Applications()[%d] belongs to task %s, want %s", i, a.TaskID, task.ID)
		}
	}
}

// The response to a COMMIT can be lost. A repeated request returns the stored application and does
// not notify the agent again.
func TestCreateApplicationIsRepeated(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	task, human := storetest.Funded(t, s), storetest.Human(t, s)
	want := storetest.NewApplication(task, human)
	created, again := storetest.Must(s.CreateApplication(t.Context(), want)), storetest.Must(s.CreateApplication(t.Context(), want))
	if again.ID != created.ID || !again.CreatedAt.Equal(created.CreatedAt) {
		t.Errorf("CreateApplication() again = %+v, want %+v", again, created)
	}
	agent := market.Principal{Kind: market.PrincipalAgent, ID: task.AgentID}
	if titles := storetest.Titles(t, s, agent); len(titles) != 1 {
		t.Errorf("the agent's feed = %q, want one item", titles)
	}
}

// A human who withdraws without a stake can apply only a few times for a task, and the agent can
// restrict the list to open applications.
func TestCreateApplicationLimitsRoundsWithoutAStake(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	storetest.SetChainTime(t, s, storetest.Genesis)
	task, human, other := storetest.Funded(t, s), storetest.Human(t, s), storetest.Human(t, s)
	for range market.MaxUnstaked {
		a := storetest.Must(s.CreateApplication(t.Context(), storetest.NewApplication(task, human)))
		storetest.Must(s.UpdateApplication(t.Context(), task.ID, a.ID, (*market.Application).Withdraw))
	}
	_, err := s.CreateApplication(t.Context(), storetest.NewApplication(task, human))
	storetest.WantKind(t, "CreateApplication() once more", err, market.KindWrongStatus)
	for who, want := range map[market.Principal]bool{storetest.HumanPrincipal(human): true, storetest.HumanPrincipal(other): false} {
		if got := storetest.Must(s.Involvements(t.Context(), who, task.ID))[task.ID].AppliedTooOften; got != want {
			t.Errorf("Involvements().AppliedTooOften = %t, want %t", got, want)
		}
	}
	elsewhere := storetest.Funded(t, s)
	storetest.Must(s.CreateApplication(t.Context(), storetest.NewApplication(elsewhere, human)))
	pending := staked(t, s, task, other)
	page := storetest.Must(s.Applications(t.Context(), task.ID, store.PageQuery{}, market.ApplicationPending, market.ApplicationNew))
	if len(page.Items) != 1 || page.Total != 1 || page.Items[0].ID != pending.ID {
		t.Errorf("Applications() of the open statuses = %d of %d, want the pending one", len(page.Items), page.Total)
	}
	if all := storetest.Must(s.Applications(t.Context(), task.ID, store.PageQuery{})); all.Total != market.MaxUnstaked+1 {
		t.Errorf("Applications() = %d, want %d", all.Total, market.MaxUnstaked+1)
	}
}

// staked inserts a human's pending application with a live stake.
func staked(t *testing.T, s *store.Store, task market.Task, human market.Human) market.Application {
	t.Helper()
	a, d, id := storetest.Must(s.CreateApplication(t.Context(), storetest.NewApplication(task, human))), s.Deployment(), time.Now().UnixNano()
	storetest.Execute(t, s, `
		INSERT INTO onchain_applications (chain_id, escrow, id, task_id, human, agent, amount, expires_at, status,
			locked_at, locked_tx, locked_ordinal, locked_block, locked_index)
		VALUES ($1, $2, $3, $4, $5, $6, 50, $7, 'live', $8, $9, 0, 9, 3)`,
		d.ChainID, d.Escrow, id, task.Escrow.ID, human.Wallet, task.AgentWallet, storetest.Genesis.Add(market.StakeLifetime), storetest.Genesis, storetest.NewHash())
	storetest.Execute(t, s, `UPDATE applications SET status = 'pending', onchain_application_id = $2 WHERE id = $1`, a.ID, id)
	return a
}

// forfeited marks the application's stake as forfeited by a rejection at the given time.
func forfeited(t *testing.T, s *store.Store, a market.Application, at time.Time) {
	t.Helper()
	storetest.Execute(t, s, `
		UPDATE onchain_applications o SET status = 'forfeited', rejected = true, ended_at = $2
		FROM applications a WHERE a.id = $1 AND o.id = a.onchain_application_id`, a.ID, at)
	storetest.Execute(t, s, `UPDATE applications SET status = 'rejected' WHERE id = $1`, a.ID)
}

// Concurrent requests can prepare only as many rejections as the limit for a task allows, although none of
// them is on the chain yet.
func TestExplainRejectionLimitsATask(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	storetest.SetChainTime(t, s, storetest.Genesis)
	agent := storetest.Agent(t, s)
	task := storetest.Escrowed(t, s, storetest.Task(t, s, agent), storetest.Genesis, nil)
	applications := make([]market.Application, market.MaxForfeits+3)
	for i := range applications {
		applications[i] = staked(t, s, task, storetest.Human(t, s))
	}
	explain := func(i int) error {
		_, err := s.ExplainRejection(t.Context(), storetest.AgentPrincipal(agent), task.ID, applications[i].ID, "Spam.")
		return err
	}
	var allowed, refused []int
	for i, err := range storetest.Race(len(applications), explain) {
		if err == nil {
			allowed = append(allowed, i)
			continue
		}
		refused = append(refused, i)
		storetest.WantKind(t, "ExplainRejection() above the limit", err, market.KindWrongStatus)
	}
	if len(allowed) != market.MaxForfeits {
		t.Fatalf("%d rejections were prepared, want %d", len(allowed), market.MaxForfeits)
	}
	storetest.WantKind(t, "ExplainRejection() repeated", explain(allowed[0]), "")
	forfeited(t, s, applications[allowed[0]], storetest.Genesis)
	storetest.WantKind(t, "ExplainRejection() with one on the chain", explain(refused[0]), market.KindWrongStatus)
	if reason := storetest.Must(s.Applications(t.Context(), task.ID, store.PageQuery{})); len(reason.Items) != len(applications) {
		t.Fatalf("%d applications, want %d", len(reason.Items), len(applications))
	} else {
		for _, a := range reason.Items {
			if a.ID == applications[refused[0]].ID && a.RejectionReason != "" {
				t.Error("a refused rejection has stored its reason")
			}
		}
	}
	storetest.Execute(t, s, `UPDATE applications SET status = 'withdrawn' WHERE id = $1`, applications[allowed[1]].ID)
	storetest.WantKind(t, "ExplainRejection() after a withdrawal", explain(refused[0]), "")
}

// The daily limit counts the rejections of all tasks of the agent: those on the chain within the last
// day, and those that are only prepared.
func TestExplainRejectionLimitsADay(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	now := storetest.Genesis.Add(48 * time.Hour)
	storetest.SetChainTime(t, s, now)
	agent := storetest.Agent(t, s)
	explain := func(a market.Application) error {
		_, err := s.ExplainRejection(t.Context(), storetest.AgentPrincipal(agent), a.TaskID, a.ID, "Spam.")
		return err
	}
	var task market.Task
	var on []market.Application
	for i := range market.MaxDailyForfeits {
		if i%(market.MaxForfeits-1) == 0 {
			task = storetest.Escrowed(t, s, storetest.Task(t, s, agent), storetest.Genesis, nil)
		}
		a := staked(t, s, task, storetest.Human(t, s))
		if err := explain(a); err != nil {
			t.Fatalf("ExplainRejection() number %d = %v", i+1, err)
		}
		if i%2 == 0 {
			forfeited(t, s, a, now.Add(-time.Hour))
			on = append(on, a)
		}
	}
	next := staked(t, s, task, storetest.Human(t, s))
	storetest.WantKind(t, "ExplainRejection() above the daily limit", explain(next), market.KindRateLimited)
	other := storetest.Escrowed(t, s, storetest.Task(t, s, storetest.Agent(t, s)), storetest.Genesis, nil)
	a := staked(t, s, other, storetest.Human(t, s))
	_, err := s.ExplainRejection(t.Context(), market.Principal{Kind: market.PrincipalAgent, ID: other.AgentID, Wallet: other.AgentWallet}, other.ID, a.ID, "Spam.")
	storetest.WantKind(t, "ExplainRejection() by another agent", err, "")
	forfeited(t, s, on[0], now.Add(-market.ForfeitInterval))
	storetest.WantKind(t, "ExplainRejection() a day later", explain(next), "")
}
