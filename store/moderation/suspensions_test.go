package moderation_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

// If an account is limited or suspended after the server checked it and before the request's body arrived,
// the request creates no task or application.
func TestLateRequestsOfRestrictedAccounts(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	open := storetest.Funded(t, s)
	for m, want := range map[market.Measure]market.Kind{
		market.MeasureHide: "", market.MeasureLimit: market.KindRestricted, market.MeasureSuspend: market.KindRestricted,
	} {
		agent, human := storetest.Agent(t, s), storetest.Human(t, s)
		for _, account := range []uuid.UUID{agent.ID, human.ID} {
			storetest.Must(s.Moderation.Decide(t.Context(), storetest.Measure(market.Subject{Kind: market.SubjectProfile, ID: account}, m, "ada")))
		}
		_, err := s.CreateTask(t.Context(), storetest.NewTask(s, agent))
		storetest.WantKind(t, "CreateTask() after "+string(m), err, want)
		_, err = s.CreateApplication(t.Context(), market.Application{
			ID: storetest.NewID(), TaskID: open.ID, HumanID: human.ID, Message: "I live next door.", StakeAmount: market.RequiredStake(open.Amount),
		})
		storetest.WantKind(t, "CreateApplication() after "+string(m), err, want)
	}
}

// If an account is limited or suspended after the server checked it and before the request's body arrived,
// the request writes nothing that openapi.yaml refuses to the state in x-refused-to.
func TestLateWritesOfRestrictedAccounts(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	chain := storetest.NewChain(t, s)
	for m, want := range map[market.Measure]struct{ conversation, other market.Kind }{
		market.MeasureHide:    {"", ""},
		market.MeasureLimit:   {market.KindRestricted, ""},
		market.MeasureSuspend: {market.KindRestricted, market.KindRestricted},
	} {
		agent, human, stranger := storetest.Agent(t, s), storetest.Human(t, s), storetest.Human(t, s)
		task := storetest.Hired(t, s, chain, agent, human, storetest.Token(1))
		conversation := storetest.Must(s.OpenConversation(t.Context(), storetest.AgentPrincipal(agent), human.Username))
		for _, account := range []uuid.UUID{agent.ID, human.ID} {
			storetest.Must(s.Moderation.Decide(t.Context(), storetest.Measure(market.Subject{Kind: market.SubjectProfile, ID: account}, m, "ada")))
		}
		when := " after " + string(m)
		_, err := s.OpenConversation(t.Context(), storetest.AgentPrincipal(agent), stranger.Username)
		storetest.WantKind(t, "OpenConversation()"+when, err, want.conversation)
		_, err = s.OpenConversation(t.Context(), storetest.AgentPrincipal(agent), human.Username)
		storetest.WantKind(t, "OpenConversation() again"+when, err, want.conversation)
		_, err = s.AddDirectMessage(t.Context(), market.DirectMessage{ID: storetest.NewID(), ConversationID: conversation, Content: "Hello."}, storetest.AgentPrincipal(agent))
		storetest.WantKind(t, "AddDirectMessage()"+when, err, want.other)
		_, err = s.AddReview(t.Context(), store.Review{
			ID: storetest.NewID(), TaskID: task.ID, ReviewerKind: market.PrincipalHuman, ReviewerID: human.ID, Rating: 1,
		})
		storetest.WantKind(t, "AddReview()"+when, err, want.other)
		_, err = s.Moderation.AddReport(t.Context(), storetest.NewReport(storetest.HumanPrincipal(human), market.SubjectProfile, stranger.Username))
		storetest.WantKind(t, "AddReport()"+when, err, want.other)
		_, err = s.ChangeHuman(t.Context(), human.ID, store.HumanChange{Bio: new("late"), Skills: new([]string{"late"})})
		storetest.WantKind(t, "ChangeHuman()"+when, err, want.other)
		_, err = s.ChangeAgentUsername(t.Context(), agent.ID, "late-"+string(m))
		storetest.WantKind(t, "ChangeAgentUsername()"+when, err, want.other)
		rows := storetest.Rows(t, s, `
			SELECT 'message' FROM direct_messages WHERE conversation_id = '`+conversation.String()+`'
			UNION ALL SELECT 'review' FROM reviews WHERE task_id = '`+task.ID.String()+`'
			UNION ALL SELECT 'report' FROM reports WHERE reporter_id = '`+human.ID.String()+`'
			UNION ALL SELECT 'profile' FROM users WHERE id = '`+human.ID.String()+`' AND bio = 'late'
			UNION ALL SELECT 'skills' FROM humans WHERE id = '`+human.ID.String()+`' AND skills = '{late}'
			UNION ALL SELECT 'username' FROM users WHERE id = '`+agent.ID.String()+`' AND former_username IS NOT NULL`)
		if written := map[bool]int{true: 0, false: 6}[want.other != ""]; len(rows) != written {
			t.Errorf("%d records were written%s, want %d: %v", len(rows), when, written, rows)
		}
	}
}

// A suspended user cannot replace the linked social account, because a new user could then link it.
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
		storetest.WantKind(t, what, s.LinkSocial(t.Context(), user.kind, user.id, user.code, link(id, id+"1", now)), "")
		storetest.Must(s.Moderation.Decide(t.Context(), storetest.Measure(market.Subject{Kind: market.SubjectProfile, ID: user.id}, market.MeasureSuspend, "ada")))
		storetest.WantKind(t, what+" with a new code", s.SetVerificationCode(t.Context(), user.kind, user.id, what+"-code", "", later), "")
		storetest.WantKind(t, what+" with another account", s.LinkSocial(t.Context(), user.kind, user.id, what+"-code", link("another", "2", now)), market.KindVerificationFailed)
		storetest.WantKind(t, what+" with the same account", s.LinkSocial(t.Context(), user.kind, user.id, what+"-code", link(id, id+"3", now)), "")
	}
	displaced := storetest.Agent(t, s)
	storetest.WantKind(t, "LinkSocial()", s.LinkSocial(t.Context(), market.PrincipalAgent, displaced.ID, displaced.VerificationCode, link("9", "9", now)), "")
	storetest.Must(s.Moderation.Decide(t.Context(), storetest.Measure(market.Subject{Kind: market.SubjectProfile, ID: displaced.ID}, market.MeasureSuspend, "ada")))
	storetest.WantKind(t, "DisplaceSocial() by an earlier post",
		s.DisplaceSocial(t.Context(), displaced.ID, displaced.VerificationCode, link("8", "8", now.Add(-time.Hour))), market.KindVerificationFailed)
}

// If a suspended human erases the account, the linked social account cannot verify another human
// until the measure ends.
func TestErasureKeepsTheLinkedAccountBarred(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	first, next, agent := storetest.Human(t, s), storetest.Human(t, s), storetest.Agent(t, s)
	link := func(kind market.PrincipalKind, id uuid.UUID, code, account string) error {
		return linkSocial(t, s, kind, id, code, account)
	}
	storetest.WantKind(t, "LinkSocial()", link(market.PrincipalHuman, first.ID, first.VerificationCode, "7"), "")
	d := storetest.Must(s.Moderation.Decide(t.Context(), storetest.Measure(market.Subject{Kind: market.SubjectProfile, ID: first.ID}, market.MeasureSuspend, "ada")))
	_, _, err := s.EraseAccount(t.Context(), store.ErasureRequest{
		Erasure:  store.Erasure{ID: storetest.NewID(), Account: first.ID, RequestedBy: store.RequesterAccount},
		Username: first.Username,
	})
	storetest.WantKind(t, "EraseAccount()", err, "")
	storetest.WantKind(t, "LinkSocial() of an agent", link(market.PrincipalAgent, agent.ID, agent.VerificationCode, "7"), "")
	for range 2 {
		storetest.WantKind(t, "LinkSocial() of another human", link(market.PrincipalHuman, next.ID, next.VerificationCode, "7"), market.KindVerificationFailed)
		storetest.WantKind(t, "Sweep()", s.Sweep(t.Context()), "")
	}
	storetest.Must(s.Moderation.Lift(t.Context(), d.ID, "ada"))
	storetest.Must(s.Moderation.Decide(t.Context(), storetest.Measure(market.Subject{Kind: market.SubjectProfile, ID: first.ID}, market.MeasureLimit, "ada")))
	storetest.WantKind(t, "LinkSocial() after a limit", link(market.PrincipalHuman, next.ID, next.VerificationCode, "7"), market.KindVerificationFailed)
	for _, notice := range storetest.Must(s.Moderation.Notices(t.Context(), first.ID, store.PageQuery{})).Items {
		if notice.EndedAt == nil {
			storetest.Must(s.Moderation.Lift(t.Context(), notice.ID, "ada"))
		}
	}
	storetest.WantKind(t, "LinkSocial() after the suspension", link(market.PrincipalHuman, next.ID, next.VerificationCode, "7"), "")
	storetest.WantKind(t, "Sweep()", s.Sweep(t.Context()), "")
	if rows := storetest.Rows(t, s, `SELECT * FROM barred_links`); len(rows) > 0 {
		t.Errorf("barred links = %v", rows)
	}
}

// If a reported human erases the account, the linked social account cannot verify another human until the
// report is decided. The refusal does not reveal whether there is a report or a measure.
func TestErasureUnderAReportKeepsTheLinkedAccountBarred(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent := storetest.Agent(t, s)
	refusals := map[string]bool{}
	for account, m := range map[string]market.Measure{"7": market.MeasureNone, "8": market.MeasureSuspend} {
		first, next := storetest.Human(t, s), storetest.Human(t, s)
		link := func() error {
			return linkSocial(t, s, market.PrincipalHuman, next.ID, next.VerificationCode, account)
		}
		refused := func(when string) {
			t.Helper()
			err := link()
			storetest.WantKind(t, "LinkSocial() "+when, err, market.KindVerificationFailed)
			if refusal, is := errors.AsType[*market.Error](err); is {
				refusals[refusal.Message+" / "+refusal.Hint] = true
			}
		}
		storetest.WantKind(t, "LinkSocial()", linkSocial(t, s, market.PrincipalHuman, first.ID, first.VerificationCode, account), "")
		storetest.Must(s.Moderation.AddReport(t.Context(), storetest.NewReport(storetest.AgentPrincipal(agent), market.SubjectProfile, first.Username)))
		_, _, err := s.EraseAccount(t.Context(), store.ErasureRequest{
			Erasure:  store.Erasure{ID: storetest.NewID(), Account: first.ID, RequestedBy: store.RequesterAccount},
			Username: first.Username,
		})
		storetest.WantKind(t, "EraseAccount()", err, "")
		refused("while the report is open")
		d := storetest.Must(s.Moderation.Decide(t.Context(), storetest.Measure(market.Subject{Kind: market.SubjectProfile, ID: first.ID}, m, "ada")))
		if m != market.MeasureNone {
			refused("under the measure")
			storetest.Must(s.Moderation.Lift(t.Context(), d.ID, "ada"))
		}
		storetest.WantKind(t, "Sweep()", s.Sweep(t.Context()), "")
		storetest.WantKind(t, "LinkSocial() after the decision", link(), "")
	}
	if len(refusals) != 1 {
		t.Errorf("the refusals differ: %v", refusals)
	}
}

// linkSocial links a social account to the user.
func linkSocial(t *testing.T, s *store.Store, kind market.PrincipalKind, id uuid.UUID, code, account string) error {
	t.Helper()
	now := time.Now().UTC().Truncate(time.Millisecond)
	return s.LinkSocial(t.Context(), kind, id, code, market.SocialLink{
		Network: "social.test", Handle: "h", AccountID: account, PostID: id.String(), PostedAt: now, VerifiedAt: now,
	})
}

// A suspension that a restored database does not contain is repeated, and so is its end.
func TestSuspensionsAreRepeated(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent := storetest.Agent(t, s)
	backup := storetest.Copy(t, s)
	account := market.Subject{Kind: market.SubjectProfile, ID: agent.ID}
	d := storetest.Must(s.Moderation.Decide(t.Context(), storetest.Measure(account, market.MeasureSuspend, "ada")))
	list := storetest.Must(s.Moderation.UnlistedSuspensions(t.Context(), 10))
	if len(list) != 1 || list[0].ID != d.ID || list[0].Wallet != agent.Wallet {
		t.Fatalf("unlisted = %+v", list)
	}
	if err := s.Moderation.MarkListed(t.Context(), d.ID, false); err != nil || len(storetest.Must(s.Moderation.UnlistedSuspensions(t.Context(), 10))) != 0 {
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
		if !storetest.Must(backup.Moderation.RepeatSuspension(t.Context(), list[0])) {
			t.Error("the account was not found")
		}
		suspended(true)
	}
	storetest.Must(s.Moderation.Lift(t.Context(), d.ID, "ben"))
	ended := storetest.Must(s.Moderation.UnlistedSuspensions(t.Context(), 10))
	if len(ended) != 1 || ended[0].EndedAt == nil {
		t.Fatalf("unlisted ends = %+v", ended)
	}
	storetest.Must(backup.Moderation.RepeatSuspension(t.Context(), ended[0]))
	suspended(false)
	unknown := list[0]
	unknown.Wallet = storetest.NewWallet()
	if storetest.Must(backup.Moderation.RepeatSuspension(t.Context(), unknown)) {
		t.Error("a suspension of an unknown wallet was repeated")
	}
}
