package store_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

// measure returns a decision of a moderator with a complete statement of reasons.
func measure(subject market.Subject, m market.Measure, moderator string) market.Decision {
	return market.Decision{
		ID: newID(), Subject: subject, Measure: m, Territory: "worldwide", Facts: "The text asks for a passport.",
		Clause: "3.1 No identity documents", DecidedBy: moderator,
	}
}

func taskSubject(task market.Task) market.Subject {
	return market.Subject{Kind: market.SubjectTask, ID: task.ID}
}

func report(reporter market.Principal, kind market.SubjectKind, subject string) store.NewReport {
	return store.NewReport{ID: newID(), Reporter: reporter, Kind: kind, Subject: subject, Category: market.ReportFraud, Comment: "Look."}
}

// boardLength returns the number of tasks on the public board, and fails unless it equals the total.
func boardLength(t *testing.T, s *store.Store) int {
	t.Helper()
	page := ok(s.Board(t.Context(), store.PageQuery{PageSize: 100}))
	if page.Total != len(page.Items) {
		t.Errorf("the board has %d tasks and a total of %d", len(page.Items), page.Total)
	}
	list := ok(s.Tasks(t.Context(), store.TaskQuery{Scope: store.ScopeBoard, PageQuery: store.PageQuery{PageSize: 100}}))
	found := ok(s.Tasks(t.Context(), store.TaskQuery{Scope: store.ScopeBoard, Q: "shop", PageQuery: store.PageQuery{PageSize: 100}}))
	if list.Total != page.Total || len(list.Items) != page.Total || found.Total != page.Total || len(found.Items) != page.Total {
		t.Errorf("board = %d, list = %d of %d, search = %d of %d", page.Total, len(list.Items), list.Total, len(found.Items), found.Total)
	}
	return page.Total
}

// A report needs a record of another user that the reporter can read.
func TestReportsFollowReadAccess(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent, human, stranger := storetest.Agent(t, s), storetest.Human(t, s), storetest.Human(t, s)
	applicant, other := storetest.Human(t, s), storetest.Agent(t, s)
	created := storetest.Task(t, s, agent)
	open := escrowed(t, s, storetest.Task(t, s, agent), genesis, nil)
	active := storetest.Task(t, s, agent)
	storetest.Application(t, s, active, applicant)
	brief := addFile(t, s, active, agentPrincipal(agent))
	draft := addFile(t, s, active, humanPrincipal(human))
	active = escrowed(t, s, active, genesis, accepted(human))
	said := ok(s.AddMessage(t.Context(), market.Message{ID: newID(), TaskID: active.ID, SenderKind: market.PrincipalAgent, SenderID: agent.ID, Content: "Hi"}))
	conversation := ok(s.OpenConversation(t.Context(), humanPrincipal(human), agent.Username))
	direct := ok(s.AddDirectMessage(t.Context(), market.DirectMessage{ID: newID(), ConversationID: conversation, Content: "Hello"}, humanPrincipal(human)))

	may := func(kind market.SubjectKind, subject string, readers ...uuid.UUID) {
		t.Helper()
		for name, reporter := range map[string]market.Principal{
			"agent": agentPrincipal(agent), "other agent": agentPrincipal(other), "human": humanPrincipal(human),
			"applicant": humanPrincipal(applicant), "stranger": humanPrincipal(stranger),
		} {
			want := market.KindNotFound
			if slices.Contains(readers, reporter.ID) {
				want = ""
			}
			_, err := s.AddReport(t.Context(), report(reporter, kind, subject))
			wantKind(t, fmt.Sprintf("AddReport() of %s %s by the %s", kind, subject, name), err, want)
		}
	}
	may(market.SubjectTask, created.ID.String())
	may(market.SubjectTask, open.ID.String(), other.ID, human.ID, applicant.ID, stranger.ID)
	may(market.SubjectTask, active.ID.String(), human.ID, applicant.ID)
	may(market.SubjectTask, newID().String())
	may(market.SubjectProfile, agent.Username, other.ID, human.ID, applicant.ID, stranger.ID)
	may(market.SubjectProfile, "nobody-has-this")
	may(market.SubjectMessage, said.ID.String(), human.ID)
	may(market.SubjectMessage, direct.ID.String(), agent.ID)
	may(market.SubjectFile, brief.ID.String(), human.ID)
	may(market.SubjectFile, draft.ID.String())

	_, err := s.AddReport(t.Context(), report(humanPrincipal(human), market.SubjectTask, "no-id"))
	wantKind(t, "AddReport() without an id", err, market.KindInvalid)
	_, err = s.AddReport(t.Context(), report(humanPrincipal(human), "wallet", open.ID.String()))
	wantKind(t, "AddReport() of an unknown kind", err, market.KindInvalid)
}

// A reporter has one open report of each record, and a limited number of open reports.
func TestReportsAreLimited(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	task, reporter := funded(t, s), humanPrincipal(storetest.Human(t, s))
	first := report(reporter, market.SubjectTask, task.ID.String())
	again := report(reporter, market.SubjectTask, task.ID.String())
	stored := ok(s.AddReport(t.Context(), first))
	if repeated := ok(s.AddReport(t.Context(), first)); repeated != stored {
		t.Errorf("the repeated report = %+v, want %+v", repeated, stored)
	}
	_, err := s.AddReport(t.Context(), again)
	wantKind(t, "AddReport() twice", err, market.KindAlreadyExists)
	ok(s.Decide(t.Context(), measure(taskSubject(task), market.MeasureNone, "ada")))
	ok(s.AddReport(t.Context(), again))

	execute(t, s, `INSERT INTO reports (id, reporter_id, reporter_kind, subject_kind, subject_id, author_id, category)
		SELECT gen_random_uuid(), $1, 'human', 'task', gen_random_uuid(), $2, 'spam' FROM generate_series(2, $3)`,
		reporter.ID, task.AgentID, market.MaxOpenReports)
	_, err = s.AddReport(t.Context(), report(reporter, market.SubjectTask, funded(t, s).ID.String()))
	wantKind(t, "AddReport() above the limit", err, market.KindRateLimited)

	reporters := make([]market.Principal, 4)
	for i := range reporters {
		reporters[i] = reporter
	}
	busy, target := humanPrincipal(storetest.Human(t, s)), funded(t, s)
	errs := race(4, func(int) error {
		_, err := s.AddReport(t.Context(), report(busy, market.SubjectTask, target.ID.String()))
		return err
	})
	wantOneWinner(t, "AddReport()", errs, market.KindAlreadyExists)
}

// A hidden task is not on the board, its applicants can still read it, and no human can apply. A
// removed task can be read by its applicants too, but without its texts.
func TestTaskMeasures(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	task, other := funded(t, s), funded(t, s)
	human := storetest.Human(t, s)
	ok(s.AddReport(t.Context(), report(humanPrincipal(human), market.SubjectTask, task.ID.String())))
	if n := boardLength(t, s); n != 2 {
		t.Fatalf("board = %d tasks, want 2", n)
	}
	hidden := ok(s.Decide(t.Context(), measure(taskSubject(task), market.MeasureHide, "ada")))
	if n := boardLength(t, s); n != 1 {
		t.Errorf("board with a hidden task = %d, want 1", n)
	}
	read := ok(s.Task(t.Context(), task.ID))
	for role, want := range map[market.Role]market.Kind{
		market.RoleAgent: "", market.RoleApplicant: "", market.RoleHuman: "", market.RoleOther: market.KindForbidden,
	} {
		wantKind(t, "hidden: ReadableBy("+string(role)+")", read.ReadableBy(role), want)
	}
	_, err := s.CreateApplication(t.Context(), newApplication(task, human))
	wantKind(t, "CreateApplication() for a hidden task", err, market.KindWrongStatus)
	_, err = s.AddReport(t.Context(), report(humanPrincipal(human), market.SubjectTask, task.ID.String()))
	wantKind(t, "AddReport() of a hidden task", err, market.KindNotFound)
	_, err = s.Decide(t.Context(), measure(taskSubject(task), market.MeasureHide, "ben"))
	wantKind(t, "the same measure again", err, market.KindWrongStatus)
	_, err = s.Decide(t.Context(), measure(taskSubject(other), market.MeasureNone, "ben"))
	wantKind(t, "Decide() without a report", err, market.KindWrongStatus)

	removed := ok(s.Decide(t.Context(), measure(taskSubject(task), market.MeasureRemove, "ben")))
	read = ok(s.Task(t.Context(), task.ID))
	for role, withheld := range map[market.Role]bool{
		market.RoleAgent: false, market.RoleApplicant: true, market.RoleHuman: false, market.RoleValidator: false, market.RoleOther: true,
	} {
		if read.TextsWithheldFrom(role) != withheld {
			t.Errorf("removed: TextsWithheldFrom(%s) = %t", role, !withheld)
		}
	}
	wantKind(t, "removed: ReadableBy(applicant)", read.ReadableBy(market.RoleApplicant), "")
	wantKind(t, "removed: ReadableBy(other)", read.ReadableBy(market.RoleOther), market.KindForbidden)
	_, err = s.Lift(t.Context(), hidden.ID, "ada")
	wantKind(t, "Lift() of a replaced measure", err, market.KindWrongStatus)
	ok(s.Lift(t.Context(), removed.ID, "ada"))
	if n := boardLength(t, s); n != 2 {
		t.Errorf("board after the lift = %d, want 2", n)
	}
	if err := s.CompactCounts(t.Context()); err != nil || boardLength(t, s) != 2 {
		t.Errorf("after CompactCounts: %v", err)
	}
	author := market.Principal{Kind: market.PrincipalAgent, ID: task.AgentID}
	want := []string{"A measure against you has ended", "Moderators acted on your content or account", "Moderators acted on your content or account"}
	if got := feed(t, s, author); !slices.Equal(got, want) {
		t.Errorf("feed = %q, want %q", got, want)
	}
}

// The feed of an applicant does not show the title of a removed task; that of a party does.
func TestFeedWithholdsTitlesOfRemovedTasks(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	task, applicant := funded(t, s), storetest.Human(t, s)
	application := ok(s.CreateApplication(t.Context(), newApplication(task, applicant)))
	ok(s.UpdateApplication(t.Context(), task.ID, application.ID, (*market.Application).Reject))
	agent := market.Principal{Kind: market.PrincipalAgent, ID: task.AgentID}
	title := func(who market.Principal) string {
		t.Helper()
		items := ok(s.Activities(t.Context(), store.ActivityQuery{Principal: who, Type: market.ActivityApplication})).Items
		if len(items) == 0 {
			t.Fatalf("the feed of the %s is empty", who.Kind)
		}
		return items[0].TaskTitle
	}
	for _, m := range []market.Measure{market.MeasureHide, market.MeasureRemove} {
		ok(s.Decide(t.Context(), measure(taskSubject(task), m, "ada")))
		want := task.Title
		if m == market.MeasureRemove {
			want = ""
		}
		if got := title(humanPrincipal(applicant)); got != want {
			t.Errorf("title for the applicant after %s = %q, want %q", m, got, want)
		}
		if got := title(agent); got != task.Title {
			t.Errorf("title for the agent after %s = %q", m, got)
		}
	}
}

// Message and file measures withhold the content from the receiver, and a removal from the author too.
func TestContentMeasures(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent, human := storetest.Agent(t, s), storetest.Human(t, s)
	task := storetest.Task(t, s, agent)
	file := addFile(t, s, task, agentPrincipal(agent))
	task = escrowed(t, s, task, genesis, accepted(human))
	said := ok(s.AddMessage(t.Context(), market.Message{ID: newID(), TaskID: task.ID, SenderKind: market.PrincipalAgent, SenderID: agent.ID, Content: "secret"}))
	conversation := ok(s.OpenConversation(t.Context(), agentPrincipal(agent), human.Username))
	direct := ok(s.AddDirectMessage(t.Context(), market.DirectMessage{ID: newID(), ConversationID: conversation, Content: "secret"}, agentPrincipal(agent)))
	check := func(when string, author, receiver bool) {
		t.Helper()
		for reader, want := range map[market.Principal]bool{agentPrincipal(agent): author, humanPrincipal(human): receiver} {
			_, err := s.File(t.Context(), task.ID, file.ID, reader)
			files := ok(s.Files(t.Context(), task.ID, reader))
			messages := ok(s.Messages(t.Context(), store.MessageQuery{TaskID: task.ID, Reader: reader}))
			directs := ok(s.DirectMessages(t.Context(), store.DirectMessageQuery{ConversationID: conversation, Reader: reader}))
			last := ok(s.Conversations(t.Context(), store.ConversationQuery{Member: reader})).Items[0].Last
			got := []bool{err == nil, len(files) == 1, messages.Items[0].Content == "secret", directs.Items[0].Content == "secret", last.Content == "secret"}
			if slices.Contains(got, !want) {
				t.Errorf("%s: the %s reads file, files, message, direct message, preview: %v, want %v", when, reader.Kind, got, want)
			}
		}
	}
	decide := func(m market.Measure) {
		t.Helper()
		for _, subject := range []market.Subject{
			{Kind: market.SubjectFile, ID: file.ID}, {Kind: market.SubjectMessage, ID: said.ID}, {Kind: market.SubjectMessage, ID: direct.ID},
		} {
			ok(s.Decide(t.Context(), measure(subject, m, "ada")))
		}
	}
	check("shown", true, true)
	decide(market.MeasureHide)
	check("hidden", true, false)
	decide(market.MeasureRemove)
	check("removed", false, false)
	for _, notice := range ok(s.Notices(t.Context(), agent.ID, store.PageQuery{})).Items {
		if notice.EndedAt == nil {
			ok(s.Lift(t.Context(), notice.ID, "ada"))
		}
	}
	check("lifted", true, true)
}

// Account measures change the state that requests are checked with. A suspended agent's open tasks
// are hidden, and only these are shown again.
func TestAccountMeasures(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent := storetest.Agent(t, s)
	open := escrowed(t, s, storetest.Task(t, s, agent), genesis, nil)
	escrowed(t, s, storetest.Task(t, s, agent), genesis, nil)
	ok(s.Decide(t.Context(), measure(taskSubject(open), market.MeasureHide, "ada")))
	account := market.Subject{Kind: market.SubjectProfile, ID: agent.ID}
	ok(s.Decide(t.Context(), measure(account, market.MeasureLimit, "ada")))
	if n := boardLength(t, s); n != 1 {
		t.Errorf("board of a limited agent = %d, want 1", n)
	}
	suspended := ok(s.Decide(t.Context(), measure(account, market.MeasureSuspend, "ada")))
	if n := boardLength(t, s); n != 0 {
		t.Errorf("board of a suspended agent = %d, want 0", n)
	}
	for _, notice := range ok(s.Notices(t.Context(), agent.ID, store.PageQuery{})).Items {
		if notice.Subject == taskSubject(open) {
			ok(s.Lift(t.Context(), notice.ID, "ada"))
		}
	}
	if n := boardLength(t, s); n != 0 {
		t.Errorf("board with a lifted task of a suspended agent = %d, want 0", n)
	}
	ok(s.Lift(t.Context(), suspended.ID, "ada"))
	if n := boardLength(t, s); n != 2 {
		t.Errorf("board after the suspension = %d, want 2", n)
	}

	human := storetest.Human(t, s, func(h *market.Human) { h.Available = true })
	listed := func(want int) {
		t.Helper()
		page := ok(s.AvailableHumans(t.Context(), store.HumanQuery{}))
		if page.Total != want || len(page.Items) != want {
			t.Errorf("available humans = %d of %d, want %d", len(page.Items), page.Total, want)
		}
	}
	listed(1)
	hidden := ok(s.Decide(t.Context(), measure(market.Subject{Kind: market.SubjectProfile, ID: human.ID}, market.MeasureHide, "ada")))
	listed(0)
	yes, no := true, false
	ok(s.ChangeHuman(t.Context(), human.ID, store.HumanChange{Available: &no}))
	ok(s.ChangeHuman(t.Context(), human.ID, store.HumanChange{Available: &yes}))
	listed(0)
	if got := ok(s.Human(t.Context(), human.ID)).State; got != market.AccountHidden {
		t.Errorf("state = %s, want hidden", got)
	}
	ok(s.Lift(t.Context(), hidden.ID, "ada"))
	listed(1)
	_, err := s.Decide(t.Context(), measure(account, market.MeasureRemove, "ada"))
	wantKind(t, "remove an account", err, market.KindInvalid)
}

// A request whose account was in good standing when it was checked, and whose body arrived later, creates
// no task or application after the measure.
func TestLateRequestsOfRestrictedAccounts(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	open := funded(t, s)
	for m, want := range map[market.Measure]market.Kind{
		market.MeasureHide: "", market.MeasureLimit: market.KindRestricted, market.MeasureSuspend: market.KindRestricted,
	} {
		agent, human := storetest.Agent(t, s), storetest.Human(t, s)
		for _, account := range []uuid.UUID{agent.ID, human.ID} {
			ok(s.Decide(t.Context(), measure(market.Subject{Kind: market.SubjectProfile, ID: account}, m, "ada")))
		}
		_, err := s.CreateTask(t.Context(), newTask(s, agent))
		wantKind(t, "CreateTask() after "+string(m), err, want)
		_, err = s.CreateApplication(t.Context(), market.Application{
			ID: newID(), TaskID: open.ID, HumanID: human.ID, Message: "I live next door.", StakeAmount: market.RequiredStake(open.Amount),
		})
		wantKind(t, "CreateApplication() after "+string(m), err, want)
	}
}

// A suspended user cannot replace the linked social account, which would free it for a new user.
func TestSuspendedUserKeepsTheLinkedAccount(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	now := time.Now().UTC().Truncate(time.Millisecond)
	link := func(account, post string, at time.Time) market.SocialLink {
		return market.SocialLink{Network: "social.test", Handle: "h-" + account, AccountID: account, PostID: post, PostedAt: at, VerifiedAt: now}
	}
	agent, human, later := storetest.Agent(t, s), storetest.Human(t, s), now.Add(time.Hour)
	for _, user := range []struct {
		kind market.PrincipalKind
		id   uuid.UUID
		code string
	}{{market.PrincipalAgent, agent.ID, agent.VerificationCode}, {market.PrincipalHuman, human.ID, human.VerificationCode}} {
		what, id := string(user.kind), user.id.String()
		wantKind(t, what, s.LinkSocial(t.Context(), user.kind, user.id, user.code, link(id, id+"1", now)), "")
		ok(s.Decide(t.Context(), measure(market.Subject{Kind: market.SubjectProfile, ID: user.id}, market.MeasureSuspend, "ada")))
		wantKind(t, what+" with a new code", s.SetVerificationCode(t.Context(), user.kind, user.id, what+"-code", "", later), "")
		wantKind(t, what+" with another account", s.LinkSocial(t.Context(), user.kind, user.id, what+"-code", link("another", "2", now)), market.KindVerificationFailed)
		wantKind(t, what+" with the same account", s.LinkSocial(t.Context(), user.kind, user.id, what+"-code", link(id, id+"3", now)), "")
	}
	displaced := storetest.Agent(t, s)
	wantKind(t, "LinkSocial()", s.LinkSocial(t.Context(), market.PrincipalAgent, displaced.ID, displaced.VerificationCode, link("9", "9", now)), "")
	ok(s.Decide(t.Context(), measure(market.Subject{Kind: market.SubjectProfile, ID: displaced.ID}, market.MeasureSuspend, "ada")))
	wantKind(t, "DisplaceSocial() by an earlier post",
		s.DisplaceSocial(t.Context(), displaced.ID, displaced.VerificationCode, link("8", "8", now.Add(-time.Hour))), market.KindVerificationFailed)
}

// The linked account of a suspended user who erases the account cannot verify another user until the
// suspension ends.
func TestErasureKeepsTheLinkedAccountBarred(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	now := time.Now().UTC().Truncate(time.Millisecond)
	first, next, agent := storetest.Human(t, s), storetest.Human(t, s), storetest.Agent(t, s)
	link := func(kind market.PrincipalKind, id uuid.UUID, code, account string) error {
		return s.LinkSocial(t.Context(), kind, id, code, market.SocialLink{
			Network: "social.test", Handle: "h", AccountID: account, PostID: id.String(), PostedAt: now, VerifiedAt: now,
		})
	}
	wantKind(t, "LinkSocial()", link(market.PrincipalHuman, first.ID, first.VerificationCode, "7"), "")
	d := ok(s.Decide(t.Context(), measure(market.Subject{Kind: market.SubjectProfile, ID: first.ID}, market.MeasureSuspend, "ada")))
	_, _, err := s.EraseAccount(t.Context(), store.ErasureRequest{
		Erasure:  market.Erasure{ID: newID(), Account: first.ID, RequestedBy: market.RequesterAccount},
		Username: first.Username,
	})
	wantKind(t, "EraseAccount()", err, "")
	wantKind(t, "LinkSocial() of an agent", link(market.PrincipalAgent, agent.ID, agent.VerificationCode, "7"), "")
	for range 2 {
		wantKind(t, "LinkSocial() of another human", link(market.PrincipalHuman, next.ID, next.VerificationCode, "7"), market.KindVerificationFailed)
		wantKind(t, "Sweep()", s.Sweep(t.Context()), "")
	}
	ok(s.Lift(t.Context(), d.ID, "ada"))
	ok(s.Decide(t.Context(), measure(market.Subject{Kind: market.SubjectProfile, ID: first.ID}, market.MeasureLimit, "ada")))
	wantKind(t, "LinkSocial() after a limit", link(market.PrincipalHuman, next.ID, next.VerificationCode, "7"), market.KindVerificationFailed)
	for _, notice := range ok(s.Notices(t.Context(), first.ID, store.PageQuery{})).Items {
		if notice.EndedAt == nil {
			ok(s.Lift(t.Context(), notice.ID, "ada"))
		}
	}
	wantKind(t, "LinkSocial() after the suspension", link(market.PrincipalHuman, next.ID, next.VerificationCode, "7"), "")
	wantKind(t, "Sweep()", s.Sweep(t.Context()), "")
	if rows := storetest.Rows(t, s, `SELECT * FROM barred_links`); len(rows) > 0 {
		t.Errorf("barred links = %v", rows)
	}
}

// A held task is invisible until a moderator decides.
func TestHeldTasks(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent := storetest.Agent(t, s)
	create := func() market.Task {
		task := newTask(s, agent)
		task.Title, task.Hold = "Photograph a shop window", &market.Hold{Rule: "credentials"}
		task.TermsHash = task.Terms().Hash()
		return ok(s.CreateTask(t.Context(), task))
	}
	held := create()
	due := time.Until(held.Hold.DueAt)
	if held.Visibility != market.VisibilityHeld || held.Hold.Rule != "credentials" || due > market.HoldWindow || due < market.HoldWindow-time.Minute {
		t.Errorf("created: %s, %+v", held.Visibility, held.Hold)
	}
	held = escrowed(t, s, held, genesis, nil)
	wantKind(t, "ReadableBy(other)", held.ReadableBy(market.RoleOther), market.KindForbidden)
	if n := boardLength(t, s); n != 0 {
		t.Errorf("board with a held task = %d, want 0", n)
	}
	queue := moderationQueue(t, s)
	if len(queue) != 1 || queue[0].Subject != taskSubject(held) || queue[0].Hold == nil || queue[0].AuthorID != agent.ID {
		t.Fatalf("queue = %+v", queue)
	}
	execute(t, s, `UPDATE tasks SET hold_due_at = now() - interval '1 second'`)
	wantBacklog(t, s, market.ModerationBacklog{Held: 1, Overdue: 1, OldestHeld: market.HoldWindow})
	shown := ok(s.Decide(t.Context(), measure(taskSubject(held), market.MeasureNone, "ada")))
	if shown.Automation != market.AutomationDetection {
		t.Errorf("automation = %s", shown.Automation)
	}
	if n := boardLength(t, s); n != 1 || len(moderationQueue(t, s)) != 0 {
		t.Errorf("board after the decision = %d, want 1", n)
	}
	second := create()
	ok(s.Decide(t.Context(), measure(taskSubject(second), market.MeasureRemove, "ada")))
	if got := ok(s.Task(t.Context(), second.ID)); got.Visibility != market.VisibilityRemoved || got.Hold != nil {
		t.Errorf("removed: %s, %+v", got.Visibility, got.Hold)
	}
	if got := feed(t, s, agentPrincipal(agent)); !slices.Contains(got, "Your task is visible") {
		t.Errorf("feed = %q", got)
	}
}

// wantBacklog compares what waits for moderators; ages in hours.
func wantBacklog(t *testing.T, s *store.Store, want market.ModerationBacklog) {
	t.Helper()
	got := ok(s.ModerationBacklog(t.Context()))
	for _, age := range []*time.Duration{&got.OldestHeld, &got.OldestReport, &got.OldestAppeal} {
		*age = age.Truncate(time.Hour)
	}
	if got != want {
		t.Errorf("ModerationBacklog() = %+v, want %+v", got, want)
	}
}

// Operators see how long the oldest report and the oldest appeal have waited, until they are decided.
func TestModerationBacklogHasAges(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	wantBacklog(t, s, market.ModerationBacklog{})
	task := funded(t, s)
	subject := taskSubject(task)
	for range 2 {
		ok(s.AddReport(t.Context(), report(agentPrincipal(storetest.Agent(t, s)), subject.Kind, subject.ID.String())))
		execute(t, s, `UPDATE reports SET created_at = created_at - interval '5 hours'`)
	}
	wantBacklog(t, s, market.ModerationBacklog{Reports: 2, OldestReport: 10 * time.Hour})
	d := ok(s.Decide(t.Context(), measure(subject, market.MeasureRemove, "ada")))
	wantBacklog(t, s, market.ModerationBacklog{})
	ok(s.AddAppeal(t.Context(), market.Appeal{ID: newID(), DecisionID: d.ID, Statement: "It is a shop window."}, task.AgentID))
	execute(t, s, `UPDATE appeals SET created_at = created_at - interval '7 hours'`)
	wantBacklog(t, s, market.ModerationBacklog{Appeals: 1, OldestAppeal: 7 * time.Hour})
}

// Another person than the first decides an appeal, also if the code does not check it.
func TestAppeals(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	task := funded(t, s)
	d := ok(s.Decide(t.Context(), measure(taskSubject(task), market.MeasureHide, "ada")))
	appeal := market.Appeal{ID: newID(), DecisionID: d.ID, Statement: "It is a shop window."}
	_, err := s.AddAppeal(t.Context(), appeal, storetest.Agent(t, s).ID)
	wantKind(t, "AddAppeal() of another user", err, market.KindNotFound)
	ok(s.AddAppeal(t.Context(), appeal, task.AgentID))
	ok(s.AddAppeal(t.Context(), appeal, task.AgentID))
	_, err = s.AddAppeal(t.Context(), market.Appeal{ID: newID(), DecisionID: d.ID, Statement: "Again."}, task.AgentID)
	wantKind(t, "AddAppeal() twice", err, market.KindAlreadyExists)
	for _, name := range []string{"ada", "ADA", "cli:ada"} {
		if _, err := storetest.DB(t, s).Exec(`UPDATE appeals SET outcome = 'upheld', reasons = 'r', decided_by = $1, decided_at = now()`, name); err == nil {
			t.Errorf("the database accepts a decision on the appeal by %s", name)
		}
	}
	if open := ok(s.OpenAppeals(t.Context())); len(open) != 1 || open[0].Appeal.Statement != appeal.Statement {
		t.Errorf("open appeals = %+v", open)
	}
	_, err = s.DecideAppeal(t.Context(), appeal.ID, market.AppealReversed, "It is a shop.", "ada")
	wantKind(t, "DecideAppeal() by the first moderator", err, market.KindForbidden)
	_, err = storetest.DB(t, s).ExecContext(t.Context(), `
		UPDATE appeals SET outcome = 'upheld', reasons = 'No.', decided_by = 'ada', decided_at = now()`)
	if err == nil {
		t.Error("the database accepts a decision by the first moderator")
	}
	errs := race(4, func(i int) error {
		_, err := s.DecideAppeal(t.Context(), appeal.ID, market.AppealReversed, "It is a shop.", fmt.Sprintf("ben%d", i))
		return err
	})
	wantOneWinner(t, "DecideAppeal()", errs, market.KindWrongStatus)
	if n := boardLength(t, s); n != 1 {
		t.Errorf("board after the reversal = %d, want 1", n)
	}
	audit := ok(s.AuditLog(t.Context(), store.AuditQuery{Subject: task.ID.String(), Limit: 10}))
	var kinds []market.AuditKind
	for _, entry := range audit {
		kinds = append(kinds, entry.Kind)
	}
	if want := []market.AuditKind{market.AuditAppealDecision, market.AuditAppeal, market.AuditDecision}; !slices.Equal(kinds, want) {
		t.Errorf("audit log = %v, want %v", kinds, want)
	}

	late := ok(s.Decide(t.Context(), measure(taskSubject(task), market.MeasureHide, "ada")))
	execute(t, s, `UPDATE moderation_decisions SET decided_at = now() - interval '4416 hours' WHERE id = $1`, late.ID)
	_, err = s.AddAppeal(t.Context(), market.Appeal{ID: newID(), DecisionID: late.ID, Statement: "Late."}, task.AgentID)
	wantKind(t, "AddAppeal() after six months", err, market.KindWrongStatus)
	_, err = storetest.DB(t, s).ExecContext(t.Context(), `
		INSERT INTO appeals (id, decision_id, first_decider, imposed_at, statement)
		SELECT gen_random_uuid(), id, decided_by, decided_at, 'Late.' FROM moderation_decisions WHERE id = $1`, late.ID)
	if err == nil {
		t.Error("the database accepts an appeal after six months")
	}
}

// Of several decisions at the same time, one imposes the measure.
func TestDecisionRace(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	task := funded(t, s)
	errs := race(6, func(i int) error {
		_, err := s.Decide(t.Context(), measure(taskSubject(task), market.MeasureHide, fmt.Sprintf("moderator-%d", i)))
		return err
	})
	wantOneWinner(t, "Decide()", errs, market.KindWrongStatus)
}

// Moderators read private content only through an open report, and each read is recorded.
func TestPrivateContentNeedsAReport(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent, human := storetest.Agent(t, s), storetest.Human(t, s)
	conversation := ok(s.OpenConversation(t.Context(), agentPrincipal(agent), human.Username))
	direct := ok(s.AddDirectMessage(t.Context(), market.DirectMessage{ID: newID(), ConversationID: conversation, Content: "secret"}, agentPrincipal(agent)))
	subject := market.Subject{Kind: market.SubjectMessage, ID: direct.ID}
	_, err := s.SubjectText(t.Context(), subject, "ada")
	wantKind(t, "SubjectText() without a report", err, market.KindForbidden)
	ok(s.AddReport(t.Context(), report(humanPrincipal(human), market.SubjectMessage, direct.ID.String())))
	if got := ok(s.SubjectText(t.Context(), subject, "ada")); got.Text != "secret" {
		t.Errorf("text = %q", got.Text)
	}
	if read := ok(s.AuditLog(t.Context(), store.AuditQuery{Operator: "ada", Limit: 10})); len(read) != 1 || read[0].Kind != market.AuditReportRead {
		t.Errorf("audit log = %+v", read)
	}
	ok(s.Decide(t.Context(), measure(subject, market.MeasureNone, "ada")))
	_, err = s.SubjectText(t.Context(), subject, "ada")
	wantKind(t, "SubjectText() after the decision", err, market.KindForbidden)
}

// A report keeps the text until the decision, although the author erases the account before.
func TestReportKeepsTheText(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent, human := storetest.Agent(t, s), storetest.Human(t, s)
	conversation := ok(s.OpenConversation(t.Context(), agentPrincipal(agent), human.Username))
	direct := ok(s.AddDirectMessage(t.Context(), market.DirectMessage{ID: newID(), ConversationID: conversation, Content: "Send your passport."}, agentPrincipal(agent)))
	want := map[market.Subject]string{
		{Kind: market.SubjectMessage, ID: direct.ID}: "direct message\n\nSend your passport.",
		{Kind: market.SubjectProfile, ID: agent.ID}:  agent.Username + " " + agent.Name + "\n\n" + agent.Bio,
	}
	ok(s.AddReport(t.Context(), report(humanPrincipal(human), market.SubjectMessage, direct.ID.String())))
	ok(s.AddReport(t.Context(), report(humanPrincipal(human), market.SubjectProfile, agent.Username)))
	_, _, err := s.EraseAccount(t.Context(), store.ErasureRequest{
		Erasure:  market.Erasure{ID: newID(), Account: agent.ID, RequestedBy: market.RequesterAccount},
		Username: agent.Username,
	})
	wantKind(t, "EraseAccount()", err, "")
	for subject, text := range want {
		if reports := ok(s.OpenReports(t.Context(), subject)); len(reports) != 1 || reports[0].SubjectText != text {
			t.Errorf("reports of the %s = %+v, want the text %q", subject.Kind, reports, text)
		}
		if now := ok(s.SubjectText(t.Context(), subject, "ada")); now.Full() == text {
			t.Errorf("the %s is not erased: %+v", subject.Kind, now)
		}
		ok(s.Decide(t.Context(), measure(subject, market.MeasureNone, "ada")))
	}
	if rows := storetest.Rows(t, s, `SELECT id FROM reports WHERE subject_text <> ''`); len(rows) > 0 {
		t.Errorf("decided reports keep the text: %v", rows)
	}
}

// A report of a file that is deleted later can be closed, but no measure can be imposed on the file.
func TestReportOfADeletedFile(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent, human := storetest.Agent(t, s), storetest.Human(t, s)
	task := storetest.Task(t, s, agent)
	c, of := storetest.NewChain(t, s), storetest.Of(task)
	c.Mine(t, storetest.Post(t, task, false), storetest.Stake(t, of, human.Wallet), storetest.Accept(t, of, human.Wallet))
	file := addFile(t, s, task, agentPrincipal(agent))
	ok(s.AddReport(t.Context(), report(humanPrincipal(human), market.SubjectFile, file.ID.String())))
	execute(t, s, `DELETE FROM files`)
	subject := market.Subject{Kind: market.SubjectFile, ID: file.ID}
	_, err := s.Decide(t.Context(), measure(subject, market.MeasureRemove, "ada"))
	wantKind(t, "Decide() with a measure", err, market.KindNotFound)
	ok(s.Decide(t.Context(), measure(subject, market.MeasureNone, "ada")))
	_, err = s.Decide(t.Context(), measure(subject, market.MeasureNone, "ada"))
	wantKind(t, "Decide() again", err, market.KindNotFound)
}

// An appeal against a measure on a file that is deleted later can be decided.
func TestAppealAboutADeletedFile(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent := storetest.Agent(t, s)
	task := escrowed(t, s, storetest.Task(t, s, agent), genesis, nil)
	file := addFile(t, s, task, agentPrincipal(agent))
	d := ok(s.Decide(t.Context(), measure(market.Subject{Kind: market.SubjectFile, ID: file.ID}, market.MeasureRemove, "ada")))
	appeal := market.Appeal{ID: newID(), DecisionID: d.ID, Statement: "It is a map."}
	ok(s.AddAppeal(t.Context(), appeal, agent.ID))
	execute(t, s, `DELETE FROM files`)
	ok(s.DecideAppeal(t.Context(), appeal.ID, market.AppealReversed, "It is a map.", "ben"))
}

// While an appeal is open, the person who imposed the measure cannot replace it, and another person can. The
// author learns of the outcome in any case.
func TestMeasureUnderAppealIsReplacedByAnotherPerson(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	task := funded(t, s)
	d := ok(s.Decide(t.Context(), measure(taskSubject(task), market.MeasureHide, "ada")))
	appeal := market.Appeal{ID: newID(), DecisionID: d.ID, Statement: "It is a shop window."}
	ok(s.AddAppeal(t.Context(), appeal, task.AgentID))
	for _, name := range []string{"ada", "cli:ada"} {
		_, err := s.Decide(t.Context(), measure(taskSubject(task), market.MeasureRemove, name))
		wantKind(t, "Decide() by "+name, err, market.KindForbidden)
	}
	ok(s.Decide(t.Context(), measure(taskSubject(task), market.MeasureRemove, "cyd")))
	ok(s.DecideAppeal(t.Context(), appeal.ID, market.AppealReversed, "It is a shop.", "ben"))
	author := market.Principal{Kind: market.PrincipalAgent, ID: task.AgentID}
	if got := feed(t, s, author); len(got) == 0 || got[0] != "A measure against you has ended" {
		t.Errorf("feed = %q", got)
	}
}

// A decision keeps the text on which a measure was imposed until no appeal is possible or open.
func TestMeasureKeepsTheText(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	human := storetest.Human(t, s, func(h *market.Human) { h.Bio = "Buy my followers." })
	account := market.Subject{Kind: market.SubjectProfile, ID: human.ID}
	d := ok(s.Decide(t.Context(), measure(account, market.MeasureHide, "ada")))
	appeal := market.Appeal{ID: newID(), DecisionID: d.ID, Statement: "It is a joke."}
	ok(s.AddAppeal(t.Context(), appeal, human.ID))
	ok(s.ChangeHuman(t.Context(), human.ID, store.HumanChange{Bio: new("I take pictures.")}))
	want := func(when, text string) {
		t.Helper()
		wantKind(t, "Sweep()", s.Sweep(t.Context()), "")
		if got := ok(s.SubjectDecisions(t.Context(), account))[0].SubjectText; got != text {
			t.Errorf("the text %s = %q, want %q", when, got, text)
		}
	}
	original := human.Username + " " + human.Name + "\n\nBuy my followers."
	want("during the appeal", original)
	execute(t, s, `DO $$ BEGIN
		SET LOCAL session_replication_role = replica; -- the appeal refers to the time
		UPDATE moderation_decisions SET decided_at = now() - interval '4500 hours';
	END $$`)
	want("during a long appeal", original)
	ok(s.DecideAppeal(t.Context(), appeal.ID, market.AppealUpheld, "It sells followers.", "ben"))
	want("after the appeal", "")
}

// Held tasks that left the agent's lists, or that the agent erased, no longer wait for a decision.
func TestQueueOmitsTasksThatLapsed(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	task := storetest.Task(t, s, storetest.Agent(t, s))
	execute(t, s, `UPDATE tasks SET visibility = 'held', hold_rule = 'drugs', hold_due_at = now() - interval '1 hour' WHERE id = $1`, task.ID)
	wait := func(want int) {
		t.Helper()
		cases, _, err := s.ModerationQueue(t.Context(), 1)
		if backlog := ok(s.ModerationBacklog(t.Context())); err != nil || len(cases) != want || backlog.Held != want || backlog.Overdue != want {
			t.Errorf("queue = %+v, backlog = %+v, %v, want %d tasks", cases, backlog, err, want)
		}
	}
	wait(1)
	execute(t, s, `UPDATE tasks SET updated_at = now() - interval '8 days', created_at = now() - interval '8 days' WHERE id = $1`, task.ID)
	wantKind(t, "Sweep()", s.Sweep(t.Context()), "")
	wait(0)
}

// After a random history of decisions, the state of each record is that of the measure in force.
func TestStatesFollowTheMeasuresInForce(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent := storetest.Agent(t, s)
	subjects := []market.Subject{{Kind: market.SubjectProfile, ID: agent.ID}}
	for range 3 {
		subjects = append(subjects, taskSubject(escrowed(t, s, storetest.Task(t, s, agent), genesis, nil)))
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 120 {
		subject := subjects[random.IntN(len(subjects))]
		measures := market.Measures(subject.Kind)[1:]
		if random.IntN(2) == 0 {
			_, err := s.Decide(t.Context(), measure(subject, measures[random.IntN(len(measures))], "ada"))
			if err != nil && market.KindOf(err) != market.KindWrongStatus {
				t.Fatal(err)
			}
			continue
		}
		for _, notice := range ok(s.Notices(t.Context(), agent.ID, store.PageQuery{PageSize: 100})).Items {
			if notice.Subject == subject && notice.EndedAt == nil {
				ok(s.Lift(t.Context(), notice.ID, "ben"))
			}
		}
		boardLength(t, s)
	}
	inconsistent := storetest.Rows(t, s, `
		SELECT t.id, t.visibility, d.measure, u.account_state
		FROM tasks t
		JOIN users u ON u.id = t.agent_id
		LEFT JOIN moderation_decisions d ON d.subject_id = t.id AND d.measure <> 'none' AND d.ended_at IS NULL
		WHERE t.visibility <> CASE d.measure WHEN 'hide' THEN 'hidden' WHEN 'remove' THEN 'removed'
			ELSE replace(replace((u.account_state = 'suspended')::text, 'true', 'hidden'), 'false', 'shown') END`)
	if len(inconsistent) > 0 {
		t.Errorf("tasks whose state is not that of the measure in force: %v", inconsistent)
	}
}

// A suspension that a restored database does not contain is repeated, and an ended one stays ended.
func TestSuspensionsAreRepeated(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent := storetest.Agent(t, s)
	backup := storetest.Copy(t, s)
	account := market.Subject{Kind: market.SubjectProfile, ID: agent.ID}
	d := ok(s.Decide(t.Context(), measure(account, market.MeasureSuspend, "ada")))
	list := ok(s.UnlistedSuspensions(t.Context(), 10))
	if len(list) != 1 || list[0].ID != d.ID || list[0].Wallet != agent.Wallet {
		t.Fatalf("unlisted = %+v", list)
	}
	if err := s.MarkListed(t.Context(), d.ID, false); err != nil || len(ok(s.UnlistedSuspensions(t.Context(), 10))) != 0 {
		t.Fatalf("after MarkListed(): %v", err)
	}
	suspended := func(want bool) {
		t.Helper()
		var state market.AccountState
		if err := storetest.DB(t, backup).Get(&state, `SELECT account_state FROM users WHERE id = $1`, agent.ID); err != nil {
			t.Fatal(err)
		}
		if (state == market.AccountSuspended) != want {
			t.Errorf("state in the restored database = %s, want suspended: %v", state, want)
		}
	}
	for range 2 {
		if !ok(backup.RepeatSuspension(t.Context(), list[0])) {
			t.Error("the account was not found")
		}
		suspended(true)
	}
	ok(s.Lift(t.Context(), d.ID, "ben"))
	ended := ok(s.UnlistedSuspensions(t.Context(), 10))
	if len(ended) != 1 || ended[0].EndedAt == nil {
		t.Fatalf("unlisted ends = %+v", ended)
	}
	ok(backup.RepeatSuspension(t.Context(), ended[0]))
	suspended(false)
	unknown := list[0]
	unknown.Wallet = newWallet()
	if ok(backup.RepeatSuspension(t.Context(), unknown)) {
		t.Error("a suspension of an unknown wallet was repeated")
	}
}

func moderationQueue(t *testing.T, s *store.Store) []store.ModerationCase {
	t.Helper()
	cases, more, err := s.ModerationQueue(t.Context(), 1)
	if err != nil || more {
		t.Fatalf("ModerationQueue() = %v, %v", more, err)
	}
	return cases
}
