package server_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"taskmarket/gen/client"
)

// folder returns the user's conversations in a folder.
func (u *user) folder(r *rig, name client.ConversationFolder) client.ConversationPage {
	r.t.Helper()
	list, err := u.ListConversationsWithResponse(r.t.Context(), &client.ListConversationsParams{Folder: &name})
	if err != nil || list.JSON200 == nil {
		r.t.Fatalf("conversations in %s = %s, %v", name, answer(list), err)
	}
	return *list.JSON200
}

// events returns the user's stored events as text.
func (u *user) events(r *rig) string {
	r.t.Helper()
	got := r.do("GET", "/api/v1/events?follow=false", "", r.credentials(u)...)
	if got.status != 200 {
		r.t.Fatalf("events = %d %s", got.status, got.body)
	}
	return got.body
}

// dms returns the number of items about direct messages in the user's feed.
func (u *user) dms(r *rig) int64 {
	r.t.Helper()
	feed, err := u.ListActivityWithResponse(r.t.Context(), &client.ListActivityParams{Type: new(client.ActivityTypeDM)})
	if err != nil || feed.JSON200 == nil {
		r.t.Fatalf("feed = %s, %v", answer(feed), err)
	}
	return feed.JSON200.Total
}

// A stranger can send three messages to an agent. They are in the agent's requests folder, and cause no
// unread count, activity item or event until the agent accepts the conversation.
func TestNewAccountsWriteRequests(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	events := agent.events(r)
	id := human.write(r, "", agent, "One").ConversationID
	human.write(r, id.String(), nil, "Two")
	human.write(r, "", agent, "Three")
	for _, path := range []string{"/messages/", "/messages/" + id.String() + "/"} {
		body := `{"content":"Four"}`
		if path == "/messages/" {
			body = `{"content":"Four","username":"` + agent.username(r) + `"}`
		}
		refused := r.do("POST", "/api/v1"+path, body, r.credentials(human)...)
		if refused.status != 403 || errorOf(t, refused.body) != "forbidden" || !strings.Contains(refused.body, `"hint":"Wait until`) {
			t.Errorf("POST %s, the fourth message = %d %s", path, refused.status, refused.body)
		}
	}
	if inbox := agent.conversations(r); inbox.Total != 0 || inbox.UnreadTotal != 0 || len(inbox.Conversations) != 0 {
		t.Errorf("inbox = %+v", inbox)
	}
	list, err := agent.ListAgentConversationsWithResponse(t.Context(), &client.ListAgentConversationsParams{Folder: new(client.ConversationFolderRequests)})
	if err != nil || list.JSON200 == nil || list.JSON200.Total != 1 || list.JSON200.UnreadTotal != 0 {
		t.Fatalf("requests = %s, %v", answer(list), err)
	}
	if c := list.JSON200.Conversations[0]; c.ID != id || c.Folder != "requests" || c.UnreadCount != 0 || *c.LastMessagePreview != "Three" {
		t.Errorf("request = %+v", c)
	}
	unread, err := agent.CountUnreadMessagesWithResponse(t.Context())
	if err != nil || unread.JSON200 == nil || unread.JSON200.Count != 0 {
		t.Errorf("unread = %s, %v", answer(unread), err)
	}
	if agent.dms(r) != 0 || agent.events(r) != events {
		t.Errorf("a request caused %d activity items, or an event", agent.dms(r))
	}
	agent.read(r, id, nil)
	if seen := human.read(r, id, nil); seen.Messages[0].IsRead {
		t.Error("the sender sees that a request was read")
	}

	agent.accept(r, id)
	human.write(r, id.String(), nil, "Four")
	if inbox := agent.conversations(r); inbox.Total != 1 || inbox.UnreadTotal != 4 || agent.dms(r) != 1 || agent.folder(r, "requests").Total != 0 {
		t.Errorf("inbox after the acceptance = %+v", inbox)
	}
	if got := r.do("GET", "/api/v1/messages/?folder=spam", "", r.credentials(human)...); got.status != 400 {
		t.Errorf("an unknown folder = %d %s", got.status, got.body)
	}
}

// A blocked user's messages are refused, but nothing else shows the block. Messages about a task are not
// affected.
func TestBlockedUserSeesOnlyTheRefusal(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	task := r.active(agent, human)
	id := agent.write(r, "", human, "Hello").ConversationID
	before := agent.conversations(r)
	blocked, err := human.BlockConversationWithResponse(t.Context(), id)
	if err != nil || blocked.JSON200 == nil || blocked.JSON200.Folder != "blocked" {
		t.Fatalf("block = %s, %v", answer(blocked), err)
	}
	if human.conversations(r).Total != 0 || human.conversations(r).UnreadTotal != 0 || human.folder(r, "blocked").Total != 1 {
		t.Errorf("inbox = %+v, blocked = %+v", human.conversations(r), human.folder(r, "blocked"))
	}
	human.read(r, id, nil)
	if diff := cmp.Diff(before, agent.conversations(r)); diff != "" {
		t.Errorf("the blocked user sees a difference (-before +after):\n%s", diff)
	}
	if seen := agent.read(r, id, nil); seen.Messages[0].IsRead {
		t.Error("the blocked user sees that a message was read")
	}
	items := human.dms(r)
	refused, err := agent.PostDirectMessageWithResponse(t.Context(), id, nil, client.MessageRequest{Content: "Hello?"})
	if err != nil || refused.JSON403 == nil || refused.JSON403.Error != "forbidden" || refused.JSON403.Hint == nil {
		t.Errorf("message of a blocked user = %s, %v", answer(refused), err)
	}
	if human.dms(r) != items {
		t.Error("a refused message notified the receiver")
	}
	own, err := human.PostDirectMessageWithResponse(t.Context(), id, nil, client.MessageRequest{Content: "Bye"})
	if err != nil || own.JSON400 == nil || own.JSON400.Error != "wrong_status" {
		t.Errorf("message to a blocked user = %s, %v", answer(own), err)
	}
	agent.tell(r, task.ID, "About the task.")
	human.tell(r, task.ID, "About the task.")
	unblocked, err := human.UnblockConversationWithResponse(t.Context(), id)
	if err != nil || unblocked.JSON200 == nil || unblocked.JSON200.Folder != "inbox" || unblocked.JSON200.UnreadCount != 1 {
		t.Errorf("unblock = %s, %v", answer(unblocked), err)
	}
	agent.write(r, id.String(), nil, "Hello again")
}

// A muted conversation stays in the inbox, without an unread count or activity items.
func TestMutedConversationDoesNotNotify(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	id := human.write(r, "", agent, "Hello").ConversationID
	agent.write(r, id.String(), nil, "Hi")
	for range 2 {
		muted, err := human.MuteConversationWithResponse(t.Context(), id)
		if err != nil || muted.JSON200 == nil || !muted.JSON200.IsMuted || muted.JSON200.UnreadCount != 0 {
			t.Errorf("mute = %s, %v", answer(muted), err)
		}
	}
	items, events := human.dms(r), human.events(r)
	agent.write(r, id.String(), nil, "Anyone there?")
	if list := human.conversations(r); list.Total != 1 || list.UnreadTotal != 0 || *list.Conversations[0].LastMessagePreview != "Anyone there?" {
		t.Errorf("inbox = %+v", list)
	}
	if human.dms(r) != items || human.events(r) != events {
		t.Error("a muted conversation notified its member")
	}
	unmuted, err := human.UnmuteConversationWithResponse(t.Context(), id)
	if err != nil || unmuted.JSON200 == nil || unmuted.JSON200.IsMuted || unmuted.JSON200.UnreadCount != 2 {
		t.Errorf("unmute = %s, %v", answer(unmuted), err)
	}
}
