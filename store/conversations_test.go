package store_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/google/uuid"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

// write sends a direct message to the user with the username, and returns the conversation's id and
// the error from sending the message.
func write(t *testing.T, s *store.Store, from market.Principal, username string) (uuid.UUID, error) {
	t.Helper()
	conversation := storetest.Must(s.OpenConversation(t.Context(), from, username))
	_, err := s.AddDirectMessage(t.Context(), market.DirectMessage{ID: storetest.NewID(), ConversationID: conversation, Content: "Hello."}, from)
	return conversation, err
}

// reply sends a direct message in a conversation.
func reply(t *testing.T, s *store.Store, conversation uuid.UUID, from market.Principal) error {
	t.Helper()
	_, err := s.AddDirectMessage(t.Context(), market.DirectMessage{ID: storetest.NewID(), ConversationID: conversation, Content: "Hello."}, from)
	return err
}

// change applies an act to the member's side of a conversation.
func change(t *testing.T, s *store.Store, conversation uuid.UUID, member market.Principal, act func(*market.Membership) error) market.Conversation {
	t.Helper()
	return storetest.Must(s.ChangeConversation(t.Context(), conversation, member, act))
}

// mailbox summarises what a member sees of the direct messages: the lengths of the folders, the unread
// count, the activity items about direct messages, and the events.
type mailbox struct{ inbox, requests, blocked, unread, activities, events int }

func mailboxOf(t *testing.T, s *store.Store, member market.Principal) mailbox {
	t.Helper()
	var box mailbox
	for folder, length := range map[market.Folder]*int{
		market.FolderInbox: &box.inbox, market.FolderRequests: &box.requests, market.FolderBlocked: &box.blocked,
	} {
		page := storetest.Must(s.Conversations(t.Context(), store.ConversationQuery{Member: member, Folder: folder}))
		if page.Total != len(page.Items) {
			t.Errorf("%s has %d conversations and a total of %d", folder, len(page.Items), page.Total)
		}
		unread := 0
		for _, c := range page.Items {
			unread += c.Unread
			if c.Folder() != folder {
				t.Errorf("%s contains a conversation of %s", folder, c.Folder())
			}
		}
		if folder == market.FolderInbox && unread != page.Unread || folder != market.FolderInbox && unread != 0 {
			t.Errorf("%s has %d unread messages, the total is %d", folder, unread, page.Unread)
		}
		*length, box.unread = page.Total, page.Unread
	}
	box.activities = storetest.Must(s.Activities(t.Context(), store.ActivityQuery{Principal: member, Type: market.ActivityDM})).Total
	if err := storetest.DB(t, s).GetContext(t.Context(), &box.events, `SELECT count(*) FROM events WHERE audience_id = $1`, member.ID); err != nil {
		t.Fatal(err)
	}
	return box
}

func wantMailbox(t *testing.T, what string, s *store.Store, member market.Principal, want mailbox) {
	t.Helper()
	if got := mailboxOf(t, s, member); got != want {
		t.Errorf("%s: the %s has %+v, want %+v", what, member.Kind, got, want)
	}
}

// The first message of a stranger is a request. A user who hired the receiver or was hired by the receiver, or
// an agent to which the receiver has applied, is not a stranger. An application by the sender is not enough.
func TestStrangersWriteRequests(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	request, inbox := mailbox{requests: 1}, mailbox{inbox: 1, unread: 1, activities: 1}
	for name, test := range map[string]struct {
		relate           func(market.Agent, market.Human)
		toHuman, toAgent mailbox
	}{
		"none": {relate: func(market.Agent, market.Human) {}, toHuman: request, toAgent: request},
		"application": {
			relate: func(agent market.Agent, human market.Human) {
				storetest.Application(t, s, storetest.Escrowed(t, s, storetest.Task(t, s, agent), storetest.Genesis, nil), human)
			},
			toHuman: inbox, toAgent: request,
		},
		"rejected application": {
			relate: func(agent market.Agent, human market.Human) {
				a := storetest.Application(t, s, storetest.Escrowed(t, s, storetest.Task(t, s, agent), storetest.Genesis, nil), human)
				storetest.Execute(t, s, `UPDATE applications SET status = 'rejected' WHERE id = $1`, a.ID)
			},
			toHuman: inbox, toAgent: request,
		},
		"hire": {
			relate: func(agent market.Agent, human market.Human) {
				storetest.Escrowed(t, s, storetest.Task(t, s, agent), storetest.Genesis, storetest.Accepted(human))
			},
			toHuman: inbox, toAgent: inbox,
		},
		"hire of others": {
			relate: func(agent market.Agent, human market.Human) {
				storetest.Escrowed(t, s, storetest.Task(t, s, agent), storetest.Genesis, storetest.Accepted(storetest.Human(t, s)))
				storetest.Escrowed(t, s, storetest.Task(t, s, storetest.Agent(t, s)), storetest.Genesis, storetest.Accepted(human))
			},
			toHuman: request, toAgent: request,
		},
	} {
		for _, fromAgent := range []bool{true, false} {
			agent, human := storetest.Agent(t, s), storetest.Human(t, s)
			test.relate(agent, human)
			from, to, username, want := storetest.AgentPrincipal(agent), storetest.HumanPrincipal(human), human.Username, test.toHuman
			if !fromAgent {
				from, to, username, want = to, from, agent.Username, test.toAgent
			}
			before := mailboxOf(t, s, to).events
			_, err := write(t, s, from, username)
			storetest.WantKind(t, "write", err, "")
			want.events = before + want.activities
			wantMailbox(t, fmt.Sprintf("relation %q, written by the %s", name, from.Kind), s, to, want)
			wantMailbox(t, "the sender", s, from, mailbox{inbox: 1, events: mailboxOf(t, s, from).events})
		}
	}
}

// An account can write to only a few strangers a day. Strangers who accepted, and conversations that already
// exist, do not count.
func TestRequestsToManyStrangersAreLimited(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	human := storetest.HumanPrincipal(storetest.Human(t, s))
	agents := make([]string, market.MaxDailyRequests+5)
	for i := range agents {
		agents[i] = storetest.Agent(t, s).Username
	}
	for _, username := range agents[5:] {
		storetest.Must(s.OpenConversation(t.Context(), human, username))
	}
	_, err := s.OpenConversation(t.Context(), human, agents[4])
	storetest.WantKind(t, "one stranger more", err, market.KindRateLimited)
	storetest.Must(s.OpenConversation(t.Context(), human, agents[5]))
	storetest.Execute(t, s, `UPDATE conversations SET agent_requested = false WHERE id = (SELECT id FROM conversations LIMIT 1)`)
	storetest.Must(s.OpenConversation(t.Context(), human, agents[4]))

	// Only one more request is allowed, and two servers open several at the same time.
	storetest.Execute(t, s, `UPDATE conversations SET agent_requested = false WHERE id = (SELECT id FROM conversations WHERE agent_requested LIMIT 1)`)
	servers := []*store.Store{s, storetest.Open(t, storetest.URL(t, s))}
	errs := storetest.Race(4, func(i int) error {
		_, err := servers[i%2].OpenConversation(t.Context(), human, agents[i])
		return err
	})
	storetest.WantOneWinner(t, "OpenConversation()", errs, market.KindRateLimited)
}

// A stranger can send three messages. Accepting or replying lifts the limit, and the messages then count as
// unread. The sender cannot see that a request was read.
func TestRequestsAreLimited(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent := storetest.Agent(t, s)
	receiver := storetest.AgentPrincipal(agent)
	for name, accept := range map[string]func(uuid.UUID){
		"accept": func(id uuid.UUID) {
			for range 2 {
				change(t, s, id, receiver, (*market.Membership).Accept)
			}
		},
		"reply": func(id uuid.UUID) { storetest.WantKind(t, "reply", reply(t, s, id, receiver), "") },
	} {
		human := storetest.HumanPrincipal(storetest.Human(t, s))
		before := mailboxOf(t, s, receiver)
		id, err := write(t, s, human, agent.Username)
		storetest.WantKind(t, "message 1", err, "")
		storetest.WantKind(t, "message 2", reply(t, s, id, human), "")
		third := market.DirectMessage{ID: storetest.NewID(), ConversationID: id, Content: "Hello?"}
		storetest.Must(s.AddDirectMessage(t.Context(), third, human))
		for range 2 {
			storetest.WantKind(t, "message 4", reply(t, s, id, human), market.KindForbidden)
		}
		if repeated := storetest.Must(s.AddDirectMessage(t.Context(), third, human)); repeated.ID != third.ID {
			t.Errorf("the repeated message is %+v", repeated)
		}
		read := storetest.Must(s.DirectMessages(t.Context(), store.DirectMessageQuery{ConversationID: id, Reader: receiver}))
		if c := read.Conversation; read.Total != 3 || c.Folder() != market.FolderRequests || c.With.ID != human.ID {
			t.Errorf("the request has %d messages, want 3; its conversation is %+v", read.Total, c)
		}
		want := before
		want.requests++
		wantMailbox(t, "a request", s, receiver, want)

		accept(id)
		want.requests, want.inbox, want.unread = before.requests, before.inbox+1, before.unread+3
		wantMailbox(t, name, s, receiver, want)
		for _, m := range storetest.Must(s.DirectMessages(t.Context(), store.DirectMessageQuery{ConversationID: id, Reader: human})).Items {
			if m.SenderKind == market.PrincipalHuman && m.ReadAt != nil {
				t.Errorf("%s: the sender sees that the request was read", name)
			}
		}
		storetest.WantKind(t, "message after "+name, reply(t, s, id, human), "")
		want.unread, want.activities, want.events = want.unread+1, want.activities+1, want.events+1
		wantMailbox(t, "a message after "+name, s, receiver, want)
	}
}

// After a hire, the next message moves the request to the inbox.
func TestRequestOfAHiredHuman(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent, hired := storetest.Agent(t, s), storetest.Human(t, s)
	receiver, human := storetest.AgentPrincipal(agent), storetest.HumanPrincipal(hired)
	id, err := write(t, s, human, agent.Username)
	for range 2 {
		storetest.WantKind(t, "write", err, "")
		err = reply(t, s, id, human)
	}
	storetest.WantKind(t, "the fourth message", reply(t, s, id, human), market.KindForbidden)
	storetest.Escrowed(t, s, storetest.Task(t, s, agent), storetest.Genesis, storetest.Accepted(hired))
	events := mailboxOf(t, s, receiver).events
	storetest.WantKind(t, "a message after the hire", reply(t, s, id, human), "")
	wantMailbox(t, "after the hire", s, receiver, mailbox{inbox: 1, unread: 4, activities: 1, events: events + 1})
}

func TestMutedConversation(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent, human := storetest.Agent(t, s), storetest.Human(t, s)
	from, to := storetest.AgentPrincipal(agent), storetest.HumanPrincipal(human)
	id, _ := write(t, s, from, human.Username)
	storetest.WantKind(t, "answer", reply(t, s, id, to), "")
	storetest.WantKind(t, "a message", reply(t, s, id, from), "")
	want := mailbox{inbox: 1, unread: 2, activities: 1, events: 1}
	wantMailbox(t, "accepted", s, to, want)
	for range 2 {
		if c := change(t, s, id, to, (*market.Membership).Mute); !c.Muted || c.Unread != 0 || c.With.ID != agent.ID || c.Last == nil {
			t.Errorf("muted = %+v", c)
		}
	}
	storetest.WantKind(t, "a message to a muted conversation", reply(t, s, id, from), "")
	want.unread = 0
	wantMailbox(t, "muted", s, to, want)
	for range 2 {
		change(t, s, id, to, (*market.Membership).Unmute)
	}
	want.unread = 3
	wantMailbox(t, "unmuted", s, to, want)
	if c := storetest.Must(s.Conversations(t.Context(), store.ConversationQuery{Member: from})).Items[0]; c.Muted || c.Folder() != market.FolderInbox {
		t.Errorf("the sender sees %+v", c)
	}
}

// A block stops direct messages in both directions, but not the messages of a task. Opening the conversation
// again does not avoid the block. The blocked user notices it only when a message is refused.
func TestBlockedUsers(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent, human := storetest.Agent(t, s), storetest.Human(t, s)
	task := storetest.Escrowed(t, s, storetest.Task(t, s, agent), storetest.Genesis, storetest.Accepted(human))
	from, to := storetest.AgentPrincipal(agent), storetest.HumanPrincipal(human)
	id, err := write(t, s, from, human.Username)
	storetest.WantKind(t, "write", err, "")
	events := mailboxOf(t, s, to).events
	for range 2 {
		if c := change(t, s, id, to, (*market.Membership).Block); c.Folder() != market.FolderBlocked || c.Unread != 0 {
			t.Errorf("blocked = %+v", c)
		}
	}
	again, err := write(t, s, from, human.Username)
	storetest.WantKind(t, "open the conversation again", err, market.KindForbidden)
	storetest.WantKind(t, "reply", reply(t, s, id, from), market.KindForbidden)
	storetest.WantKind(t, "write to a blocked user", reply(t, s, id, to), market.KindWrongStatus)
	if again != id {
		t.Errorf("the conversation opened again is %s, want %s", again, id)
	}
	_, err = s.ChangeConversation(t.Context(), id, to, (*market.Membership).Accept)
	storetest.WantKind(t, "accept a blocked conversation", err, market.KindWrongStatus)
	read := storetest.Must(s.DirectMessages(t.Context(), store.DirectMessageQuery{ConversationID: id, Reader: to}))
	wantMailbox(t, "blocked", s, to, mailbox{blocked: 1, activities: 1, events: events})
	if read.Total != 1 || read.Items[0].ReadAt != nil {
		t.Errorf("the blocked conversation = %+v", read)
	}
	list := storetest.Must(s.Conversations(t.Context(), store.ConversationQuery{Member: from})).Items
	if len(list) != 1 || list[0].Folder() != market.FolderInbox || list[0].Last.ReadAt != nil {
		t.Errorf("the blocked agent sees %+v", list)
	}
	storetest.Must(s.AddMessage(t.Context(), market.Message{ID: storetest.NewID(), TaskID: task.ID, SenderKind: from.Kind, SenderID: from.ID, Content: "About the task."}))
	storetest.Must(s.AddMessage(t.Context(), market.Message{ID: storetest.NewID(), TaskID: task.ID, SenderKind: to.Kind, SenderID: to.ID, Content: "About the task."}))
	for range 2 {
		change(t, s, id, to, (*market.Membership).Unblock)
	}
	if box := mailboxOf(t, s, to); box.inbox != 1 || box.unread != 1 || box.blocked != 0 {
		t.Errorf("unblocked = %+v", box)
	}
	storetest.WantKind(t, "a message after the end of the block", reply(t, s, id, from), "")
}

// Only members can change a conversation, and only their own side. A conversation cannot be a request to both
// members.
func TestConversationBelongsToItsMembers(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent, human := storetest.Agent(t, s), storetest.Human(t, s)
	id, _ := write(t, s, storetest.HumanPrincipal(human), agent.Username)
	for _, other := range []market.Principal{
		storetest.AgentPrincipal(storetest.Agent(t, s)), storetest.HumanPrincipal(storetest.Human(t, s)),
		{Kind: market.PrincipalHuman, ID: agent.ID},
		{Kind: market.PrincipalAgent, ID: human.ID},
	} {
		_, err := s.ChangeConversation(t.Context(), id, other, (*market.Membership).Block)
		storetest.WantKind(t, "block as another user", err, market.KindForbidden)
	}
	_, err := s.ChangeConversation(t.Context(), storetest.NewID(), storetest.AgentPrincipal(agent), (*market.Membership).Block)
	storetest.WantKind(t, "block in an unknown conversation", err, market.KindNotFound)
	change(t, s, id, storetest.HumanPrincipal(human), (*market.Membership).Block)
	change(t, s, id, storetest.HumanPrincipal(human), (*market.Membership).Mute)
	if c := storetest.Must(s.Conversations(t.Context(), store.ConversationQuery{Member: storetest.AgentPrincipal(agent), Folder: market.FolderRequests})).Items; len(c) != 1 || c[0].Muted {
		t.Errorf("the agent sees %+v", c)
	}
	_, err = storetest.DB(t, s).ExecContext(t.Context(), `UPDATE conversations SET human_requested = true WHERE id = $1`, id)
	if err == nil {
		t.Error("a conversation can be a request to both members")
	}
}

// No message arrives after the call that blocks the sender has returned. Earlier messages are counted.
func TestBlockRacesWithMessages(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	for range 10 {
		agent, human := storetest.Agent(t, s), storetest.Human(t, s)
		from, to := storetest.AgentPrincipal(agent), storetest.HumanPrincipal(human)
		id, _ := write(t, s, from, human.Username)
		change(t, s, id, to, (*market.Membership).Accept)
		total := func() int {
			return storetest.Must(s.DirectMessages(t.Context(), store.DirectMessageQuery{ConversationID: id, Reader: from})).Total
		}
		sent, afterBlock := 1, 0
		var counting sync.Mutex
		storetest.Race(8, func(i int) error {
			if i == 0 {
				_, err := s.ChangeConversation(t.Context(), id, to, (*market.Membership).Block)
				storetest.WantKind(t, "block", err, "")
				afterBlock = total()
				return err
			}
			err := reply(t, s, id, from)
			if err != nil {
				storetest.WantKind(t, "a message during the block", err, market.KindForbidden)
				return err
			}
			counting.Lock()
			defer counting.Unlock()
			sent++
			return nil
		})
		if got := total(); got != sent || got != afterBlock {
			t.Errorf("%d messages, %d of them before the end of the block, %d were acknowledged", got, afterBlock, sent)
		}
		if box := mailboxOf(t, s, to); box.activities != sent-1 || box.unread != 0 || box.blocked != 1 {
			t.Errorf("%+v after %d messages", box, sent)
		}
	}
}

// Concurrent messages do not exceed the limit of a request. Messages that race with the acceptance
// notify the receiver if and only if they arrive after it.
func TestAcceptRacesWithMessages(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	for range 5 {
		agent, human := storetest.Agent(t, s), storetest.Human(t, s)
		from, to := storetest.HumanPrincipal(human), storetest.AgentPrincipal(agent)
		id := storetest.Must(s.OpenConversation(t.Context(), from, agent.Username))
		won := 0
		for _, err := range storetest.Race(8, func(int) error { return reply(t, s, id, from) }) {
			if err == nil {
				won++
				continue
			}
			storetest.WantKind(t, "a message above the limit", err, market.KindForbidden)
		}
		if won != market.MaxRequestMessages {
			t.Errorf("%d messages of a stranger arrived, want %d", won, market.MaxRequestMessages)
		}
		for i, err := range storetest.Race(6, func(i int) error {
			if i == 0 {
				_, err := s.ChangeConversation(t.Context(), id, to, (*market.Membership).Accept)
				return err
			}
			return reply(t, s, id, from)
		}) {
			if err == nil && i > 0 {
				won++
			}
		}
		box := mailboxOf(t, s, to)
		if want := (mailbox{inbox: 1, unread: won, activities: won - market.MaxRequestMessages, events: won - market.MaxRequestMessages}); box != want {
			t.Errorf("after the acceptance %+v, want %+v", box, want)
		}
	}
}

// If both users open the conversation at the same time, only one is created, and it is accepted.
func TestConversationOpenedByBothSides(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent, human := storetest.Agent(t, s), storetest.Human(t, s)
	for _, err := range storetest.Race(2, func(i int) error {
		from, username := storetest.AgentPrincipal(agent), human.Username
		if i == 1 {
			from, username = storetest.HumanPrincipal(human), agent.Username
		}
		_, err := write(t, s, from, username)
		return err
	}) {
		storetest.WantKind(t, "write", err, "")
	}
	for _, member := range []market.Principal{storetest.AgentPrincipal(agent), storetest.HumanPrincipal(human)} {
		if box := mailboxOf(t, s, member); box.inbox != 1 || box.requests != 0 || box.unread != 1 {
			t.Errorf("the %s has %+v", member.Kind, box)
		}
	}
}
