package market_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"

	"taskmarket/market"
)

// play performs the steps in order, and returns the resulting task and the chain time. A step is
// the name of an action, or a duration by which it advances chain time.
func play(t *testing.T, steps ...any) (*market.Task, time.Time) {
	t.Helper()
	contract, task := newEscrow(), taskFor(nil)
	for _, step := range steps {
		switch step := step.(type) {
		case time.Duration:
			contract.now = contract.now.Add(step)
			contract.block++
		case string:
			if !contract.actions()[step]() {
				t.Fatalf("the contract rejected %s", step)
			}
		}
	}
	e, err := market.FoldEscrowTask(contract.logs, panelThree)
	if err != nil {
		t.Fatal(err)
	}
	if err := task.LinkEscrow(e, contract.now); err != nil {
		t.Fatal(err)
	}
	return task, contract.now
}

func TestDisputeWindow(t *testing.T) {
	tests := map[string]struct {
		after   time.Duration
		dispute bool
		verdict bool
	}{
		"immediately":           {0, true, false},
		"one second before":     {day - time.Second, true, false},
		"at the end":            {day, false, true},
		"a second after":        {day + time.Second, false, true},
		"before verdicts close": {30*day - time.Second, false, true},
		"when verdicts close":   {30 * day, false, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			task, now := play(t, "post", "accept", "submit", test.after)
			if err := task.Allow(market.ActionDispute, market.RoleAgent, now); (err == nil) != test.dispute {
				t.Errorf("dispute: %v, want allowed %t", err, test.dispute)
			}
			if err := task.Allow(market.ActionVerdict, market.RoleValidator, now); (err == nil) != test.verdict {
				t.Errorf("verdict: %v, want allowed %t", err, test.verdict)
			}
		})
	}
}

func TestAllowErrorContainsTheStatus(t *testing.T) {
	task, now := play(t, "post")
	const want = "wrong_status: the task is funded; only submitted work can be approved"
	if err := task.Allow(market.ActionApprove, market.RoleAgent, now); err == nil || err.Error() != want {
		t.Errorf("Allow() = %v, want %s", err, want)
	}
	if err := task.Allow(market.ActionApprove, market.RoleHuman, now); market.KindOf(err) != market.KindForbidden {
		t.Errorf("Allow() for the human = %v", err)
	}
	if err := task.Allow("dance", market.RoleAgent, now); market.KindOf(err) != market.KindInvalid {
		t.Errorf("Allow() of an unknown action = %v", err)
	}
}

func TestAllowAfterTheAgentApproved(t *testing.T) {
	task, now := play(t, "post", "accept", "submit", time.Hour, "approve")
	if task.Status != market.StatusValidating {
		t.Fatalf("status %s", task.Status)
	}
	for _, action := range []market.Action{market.ActionApprove, market.ActionDispute} {
		if err := task.Allow(action, market.RoleAgent, now); market.KindOf(err) != market.KindWrongStatus {
			t.Errorf("%s after the approval: %v", action, err)
		}
	}
}

func TestAllowedActions(t *testing.T) {
	task, now := play(t, "post", "accept", "submit", time.Hour)
	options := task.AllowedActions(market.RoleAgent, now)
	var names []market.Action
	for _, o := range options {
		names = append(names, o.Action)
	}
	want := []market.Action{
		market.ActionUploadFile, market.ActionMessage, market.ActionApprove, market.ActionDispute, market.ActionSettle,
	}
	if !slices.Equal(names, want) {
		t.Fatalf("AllowedActions() = %v, want %v", names, want)
	}
	if o := options[3]; !o.Opens.IsZero() || !o.Closes.Equal(now.Add(23*time.Hour)) {
		t.Errorf("the dispute is open from %s to %s", o.Opens, o.Closes)
	}
	if o := options[4]; !o.Opens.Equal(now.Add(-time.Hour + 37*day)) {
		t.Errorf("settling opens at %s", o.Opens)
	}
	ended, now := play(t, "post", "cancel")
	if options := ended.AllowedActions(market.RoleAgent, now); len(options) != 0 {
		t.Errorf("AllowedActions() of a task cancelled before any work = %v", options)
	}
}

// Only a task that is shown can be funded. All other actions are independent of the visibility.
func TestOnlyAShownTaskIsFunded(t *testing.T) {
	for _, visibility := range append(market.Visibilities(), "") {
		task := market.Task{Status: market.StatusNew, FeeBasisPoints: 500, Visibility: visibility}
		shown := visibility == "" || visibility == market.VisibilityShown
		refused := task.Allow(market.ActionFund, market.RoleAgent, time.Time{})
		offered := slices.ContainsFunc(task.AllowedActions(market.RoleAgent, time.Time{}), func(a market.AllowedAction) bool { return a.Action == market.ActionFund })
		if shown != (refused == nil) || refused != nil && market.KindOf(refused) != market.KindWrongStatus || offered != shown {
			t.Errorf("a %q task: Allow() = %v, offered %v", visibility, refused, offered)
		}
		if task.Fundable(500) != shown || task.Fundable(501) {
			t.Errorf("a %q task: Fundable() = %v, with another fee %v", visibility, task.Fundable(500), task.Fundable(501))
		}
		funded, now := play(t, "post")
		want := len(funded.AllowedActions(market.RoleAgent, now))
		if funded.Visibility = visibility; len(funded.AllowedActions(market.RoleAgent, now)) != want || funded.Fundable(funded.FeeBasisPoints) {
			t.Errorf("a funded task that is %q: %v", visibility, funded.AllowedActions(market.RoleAgent, now))
		}
	}
}

func TestAllowedActionsAreAllowed(t *testing.T) {
	histories := [][]any{
		{"post"},
		{"post", "accept"},
		{"post", "accept", "submit"},
		{"post", "accept", "submit", day},
		{"post", "accept", "submit", "agent disputes"},
		{"post", "accept", "submit", "human disputes", day},
		{"post", "accept", "submit", 31 * day},
		{"post", "accept", "submit", day, "approve verdict"},
		{"post", "accept", "cancel"},
	}
	roles := []market.Role{market.RoleAgent, market.RoleHuman, market.RoleApplicant, market.RoleValidator, market.RoleOther}
	for _, history := range histories {
		task, now := play(t, history...)
		for _, role := range roles {
			for _, o := range task.AllowedActions(role, now) {
				err := task.Allow(o.Action, role, now)
				if (err == nil) != o.Opens.IsZero() {
					t.Errorf("%v: %s by %s: it opens at %s, Allow() = %v", history, o.Action, role, o.Opens, err)
				}
			}
		}
	}
}

func TestMatches(t *testing.T) {
	tests := map[string]func(*market.EscrowTask){
		"another chain":  func(e *market.EscrowTask) { e.ChainID = 2 },
		"another escrow": func(e *market.EscrowTask) { e.Escrow = stranger },
		"another agent":  func(e *market.EscrowTask) { e.Agent = stranger },
		"one wei less":   func(e *market.EscrowTask) { e.Amount = e.Amount.Sub(e.Amount, token(1)) },
		"another fee":    func(e *market.EscrowTask) { e.FeeBasisPoints = 0 },
		"other terms":    func(e *market.EscrowTask) { e.TermsHash = common.HexToHash("0x78") },
	}
	for name, change := range tests {
		t.Run(name, func(t *testing.T) {
			task, now := play(t, "post")
			e := *task.Escrow
			change(&e)
			if err := task.LinkEscrow(&e, now); market.KindOf(err) != market.KindTxMismatch {
				t.Errorf("LinkEscrow() = %v", err)
			}
			if task.Status != market.StatusFunded {
				t.Errorf("after a rejected LinkEscrow() the task is %s", task.Status)
			}
		})
	}
	task, now := play(t, "post")
	e := *task.Escrow
	e.TermsHash = common.Hash{}
	if err := task.LinkEscrow(&e, now); err != nil {
		t.Errorf("LinkEscrow() of a posting without terms = %v", err)
	}
	if err := task.LinkEscrow(nil, now); err != nil || task.Status != market.StatusNew {
		t.Errorf("LinkEscrow(nil) = %v, status %s", err, task.Status)
	}
}

func TestExpiry(t *testing.T) {
	deadline := genesis.Add(time.Hour)
	for name, test := range map[string]struct {
		history []any
		want    market.Status
	}{
		"before the deadline":        {[]any{"post", time.Hour - time.Second}, market.StatusFunded},
		"at the deadline":            {[]any{"post", time.Hour}, market.StatusExpired},
		"funded late":                {[]any{2 * time.Hour, "post"}, market.StatusExpired},
		"active, at the deadline":    {[]any{"post", "accept", time.Hour}, market.StatusExpired},
		"accepted late":              {[]any{"post", 2 * time.Hour, "accept"}, market.StatusExpired},
		"submitted late":             {[]any{"post", "accept", 2 * time.Hour, "submit"}, market.StatusSubmitted},
		"cancelled after expiry":     {[]any{"post", 2 * time.Hour, "cancel"}, market.StatusCancelled},
		"submitted, then validating": {[]any{"post", "accept", "submit", day}, market.StatusValidating},
	} {
		t.Run(name, func(t *testing.T) {
			task, now := play(t, test.history...)
			task.Deadline = &deadline
			if err := task.LinkEscrow(task.Escrow, now); err != nil || task.Status != test.want {
				t.Errorf("status %s (%v), want %s", task.Status, err, test.want)
			}
			if at := task.TransitionAt(); at != nil {
				early := market.StatusAt(task.Escrow, task.Deadline, at.Add(-time.Second))
				late := market.StatusAt(task.Escrow, task.Deadline, *at)
				if early == late {
					t.Errorf("TransitionAt() = %s, but the status is %s on both sides", at, early)
				}
			}
		})
	}
}

func TestRolesAndReading(t *testing.T) {
	agentID, humanID := uuid.New(), uuid.New()
	tests := map[string]struct {
		history []any
		reads   map[market.Role]bool
	}{
		"new":    {nil, map[market.Role]bool{market.RoleAgent: true}},
		"funded": {[]any{"post"}, map[market.Role]bool{market.RoleAgent: true, market.RoleOther: true, market.RoleApplicant: true, market.RoleValidator: true}},
		"active": {[]any{"post", "accept"}, map[market.Role]bool{market.RoleAgent: true, market.RoleHuman: true, market.RoleApplicant: true}},
		"submitted": {[]any{"post", "accept", "submit"}, map[market.Role]bool{
			market.RoleAgent: true, market.RoleHuman: true, market.RoleApplicant: true, market.RoleValidator: true,
		}},
		"cancelled": {[]any{"post", "cancel"}, map[market.Role]bool{market.RoleAgent: true, market.RoleApplicant: true}},
	}
	for name, test := range tests {
		task, _ := play(t, test.history...)
		task.AgentID, task.HumanID = agentID, &humanID
		for _, role := range []market.Role{market.RoleAgent, market.RoleHuman, market.RoleApplicant, market.RoleValidator, market.RoleOther} {
			if role == market.RoleHuman && (name == "new" || name == "funded" || name == "cancelled") {
				continue // skip, because no human is assigned
			}
			err := task.ReadableBy(role)
			if (err == nil) != test.reads[role] || err != nil && market.KindOf(err) != market.KindForbidden {
				t.Errorf("%s: ReadableBy(%s) = %v, want %t", name, role, err, test.reads[role])
			}
		}
	}
	task, _ := play(t, "post", "accept")
	task.AgentID = agentID
	for name, test := range map[string]struct {
		principal market.Principal
		want      market.Role
	}{
		"the agent":                   {market.Principal{Kind: market.PrincipalAgent, ID: agentID}, market.RoleAgent},
		"a human with the agent's id": {market.Principal{Kind: market.PrincipalHuman, ID: agentID}, market.RoleOther},
		"the assigned wallet":         {market.Principal{Kind: market.PrincipalHuman, ID: uuid.New(), Wallet: human}, market.RoleHuman},
		"an agent with that wallet":   {market.Principal{Kind: market.PrincipalAgent, ID: uuid.New(), Wallet: human}, market.RoleOther},
		"another human":               {market.Principal{Kind: market.PrincipalHuman, ID: uuid.New()}, market.RoleOther},
	} {
		if got := task.RoleOf(test.principal); got != test.want {
			t.Errorf("RoleOf(%s) = %s, want %s", name, got, test.want)
		}
	}
}

func TestDisputeStatusAt(t *testing.T) {
	tests := map[string]struct {
		history  []any
		response string
		want     market.DisputeStatus
	}{
		"not on the chain":       {[]any{"post", "accept", "submit"}, "", market.DisputeDraft},
		"just filed":             {[]any{"post", "accept", "submit", "agent disputes"}, "", market.DisputeOpen},
		"response received":      {[]any{"post", "accept", "submit", "agent disputes"}, "no", market.DisputeVoting},
		"no response in time":    {[]any{"post", "accept", "submit", "agent disputes", 48 * time.Hour}, "", market.DisputeVoting},
		"validators are overdue": {[]any{"post", "accept", "submit", "agent disputes", 72 * time.Hour}, "no", market.DisputeEscalated},
		"by verdict":             {[]any{"post", "accept", "submit", "agent disputes", "reject verdict"}, "", market.DisputeResolved},
		"by timeout":             {[]any{"post", "accept", "submit", "agent disputes", 120 * time.Hour, "settle"}, "", market.DisputeAutoResolved},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			task, now := play(t, test.history...)
			d := market.Dispute{Response: test.response}
			if got := d.StatusAt(task.Escrow, now); got != test.want {
				t.Errorf("StatusAt() = %s, want %s", got, test.want)
			}
		})
	}
}

func TestStatusTableCoversEveryStatus(t *testing.T) {
	seen := map[market.Status]bool{}
	for i, row := range market.StatusTable() {
		if int(row.Chain) != i || row.Chain.String() != row.Name {
			t.Errorf("row %d is %d %q", i, row.Chain, row.Chain)
		}
		for _, s := range row.Statuses {
			seen[s] = true
			if s != market.StatusNew && s.Ended() != row.Chain.Ended() {
				t.Errorf("Ended() of %s and %s differs", s, row.Name)
			}
		}
	}
	for _, s := range market.Statuses() {
		if !seen[s] {
			t.Errorf("no contract state maps to %s", s)
		}
	}
	if got := market.ChainStatus(9).String(); got != "unknown" {
		t.Errorf("ChainStatus(9) = %q", got)
	}
}

func TestFinalityOf(t *testing.T) {
	cursor := market.Cursor{Finalized: 10, Safe: 20}
	for block, want := range map[uint64]market.Finality{
		0: market.FinalityFinal, 10: market.FinalityFinal, 11: market.FinalitySafe, 20: market.FinalitySafe, 21: market.FinalitySeen,
	} {
		if got := cursor.FinalityOf(block); got != want {
			t.Errorf("FinalityOf(%d) = %s, want %s", block, got, want)
		}
	}
}

func TestErrors(t *testing.T) {
	cause := errors.New("boom")
	err := market.Errorf(market.KindChainUnavailable, "node %d is unavailable", 1).WithHint("try again").WithCause(cause)
	wrapped := fmt.Errorf("read balance: %w", err)
	if market.KindOf(wrapped) != market.KindChainUnavailable || !errors.Is(wrapped, cause) || err.Hint != "try again" {
		t.Errorf("lost kind, cause or hint: %v", wrapped)
	}
	if err.Message != "node 1 is unavailable" || !strings.HasSuffix(wrapped.Error(), ": node 1 is unavailable: boom") {
		t.Errorf("shows %q and logs %q", err.Message, wrapped)
	}
	if market.KindOf(cause) != "" {
		t.Error("an error of another type has a kind")
	}
	invalid := market.Invalid("title", "too_long", "at most %d characters", 200)
	if invalid.Message != "title: at most 200 characters" || len(invalid.Details) != 1 || invalid.Details[0].Field != "title" {
		t.Errorf("Invalid() = %+v", invalid)
	}
}
