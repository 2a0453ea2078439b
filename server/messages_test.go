package server_test

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"taskmarket/gen/client"
)

func (u *user) tell(r *rig, task uuid.UUID, content string) client.Message {
	r.t.Helper()
	sent, err := u.PostTaskMessageWithResponse(r.t.Context(), task, nil, client.MessageRequest{Content: content})
	if err != nil || sent.JSON201 == nil {
		r.t.Fatalf("send a message = %s, %v", answer(sent), err)
	}
	return *sent.JSON201
}

func (u *user) messages(r *rig, task uuid.UUID) client.MessagePage {
	r.t.Helper()
	list, err := u.ListTaskMessagesWithResponse(r.t.Context(), task, nil)
	if err != nil || list.JSON200 == nil {
		r.t.Fatalf("list messages = %s, %v", answer(list), err)
	}
	return *list.JSON200
}

func TestPartiesOfATaskExchangeMessages(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human, other := r.verifiedAgent(r.net.Agent), r.human(r.net.Human), r.human(r.net.OtherHuman)
	open := r.funded(agent)
	if got := agent.messages(r, open.ID); got.Total != 0 || got.Messages == nil {
		t.Errorf("before anyone is assigned = %+v", got)
	}
	early, err := agent.PostTaskMessageWithResponse(t.Context(), open.ID, nil, client.MessageRequest{Content: "Hello"})
	if err != nil || early.JSON400 == nil || early.JSON400.Error != "wrong_status" {
		t.Errorf("before anyone is assigned = %s, %v", answer(early), err)
	}
	task := r.active(agent, human)
	first, second := agent.tell(r, task.ID, "When can you start?"), human.tell(r, task.ID, "Now 👋\nat once")
	if first.SenderType != client.PartyAgent || first.SenderID != agent.id || first.ReadAt != nil {
		t.Errorf("first = %+v", first)
	}
	seen := human.messages(r, task.ID)
	if seen.Total != 2 || seen.Messages[0].ID != second.ID || seen.Messages[0].Content != "Now 👋\nat once" {
		t.Fatalf("the human reads %+v", seen)
	}
	if again := agent.messages(r, task.ID); again.Messages[1].ReadAt == nil || again.Messages[0].ReadAt != nil {
		t.Errorf("the human has read only the first; the agent reads %+v", again)
	}
	beyond, err := human.ListTaskMessagesWithResponse(t.Context(), task.ID, &client.ListTaskMessagesParams{Page: new(2)})
	if err != nil || beyond.JSON200 == nil || beyond.JSON200.Total != 2 || len(beyond.JSON200.Messages) != 0 {
		t.Errorf("the page after the last = %s, %v", answer(beyond), err)
	}
	for name, who := range map[string]*user{"another human": other, "another agent": r.verifiedAgent(r.net.OtherAgent)} {
		list, err := who.ListTaskMessagesWithResponse(t.Context(), task.ID, nil)
		if err != nil || list.JSON403 == nil {
			t.Errorf("%s reads = %s, %v", name, answer(list), err)
		}
		sent, err := who.PostTaskMessageWithResponse(t.Context(), task.ID, nil, client.MessageRequest{Content: "me too"})
		if err != nil || sent.JSON403 == nil {
			t.Errorf("%s writes = %s, %v", name, answer(sent), err)
		}
	}
	cancelled, err := agent.CancelTaskWithResponse(t.Context(), task.ID)
	if err != nil || cancelled.JSON200 == nil {
		t.Fatalf("cancel = %s, %v", answer(cancelled), err)
	}
	r.send(agent.signer, cancelled.JSON200.To, cancelled.JSON200.CancelTaskCalldata)
	if r.settle(); r.task(agent, task.ID).Status != client.TaskStatusCancelled {
		t.Fatal("the task was not cancelled")
	}
	human.tell(r, task.ID, "A pity")
}

func TestApplicantsCannotWriteTaskMessages(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	task := r.funded(agent)
	r.applied(human, task.ID)
	sent, err := human.PostTaskMessageWithResponse(t.Context(), task.ID, nil, client.MessageRequest{Content: "Take me"})
	if err != nil || sent.JSON403 == nil {
		t.Errorf("an applicant writes = %s, %v", answer(sent), err)
	}
}

// Each message adds one item to the recipient's feed, without any text from the message.
func TestMessageEventsOmitTheText(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	task := r.active(agent, human)
	agent.tell(r, task.ID, "secret")
	agent.tell(r, task.ID, "secret")
	conversation := agent.write(r, "", human, "secret").ConversationID
	for who, want := range map[*user]int{agent: 0, human: 2} {
		feed, err := who.ListActivityWithResponse(t.Context(), &client.ListActivityParams{Type: new(client.ActivityTypeMessage)})
		if err != nil || feed.JSON200 == nil || int(feed.JSON200.Total) != want {
			t.Fatalf("feed = %s, %v, want %d messages", answer(feed), err, want)
		}
		for _, item := range feed.JSON200.Activities {
			if *item.RelatedID != task.ID || strings.Contains(item.Title+item.Description, "secret") {
				t.Errorf("item = %+v", item)
			}
		}
	}
	feed, err := human.ListActivityWithResponse(t.Context(), &client.ListActivityParams{Type: new(client.ActivityTypeDM)})
	if err != nil || feed.JSON200 == nil || feed.JSON200.Total != 1 || *feed.JSON200.Activities[0].RelatedID != conversation {
		t.Errorf("feed = %s, %v", answer(feed), err)
	}
	if strings.Contains(r.log.String(), "secret") {
		t.Error("the log contains the text of a message")
	}
}

// write sends a direct message: in the conversation, or to the user by username if conversation is
// empty.
func (u *user) write(r *rig, conversation string, to *user, content string) client.DirectMessage {
	r.t.Helper()
	if conversation != "" {
		sent, err := u.PostDirectMessageWithResponse(r.t.Context(), uuid.MustParse(conversation), nil, client.MessageRequest{Content: content})
		if err != nil || sent.JSON201 == nil {
			r.t.Fatalf("reply = %s, %v", answer(sent), err)
		}
		return *sent.JSON201
	}
	sent, err := u.StartConversationWithResponse(r.t.Context(), nil, client.StartConversationRequest{Username: to.username(r), Content: content})
	if err != nil || sent.JSON201 == nil {
		r.t.Fatalf("write = %s, %v", answer(sent), err)
	}
	return *sent.JSON201
}

func (u *user) username(r *rig) string {
	r.t.Helper()
	if u.key != "" {
		me, err := u.GetAgentMeWithResponse(r.t.Context(), nil)
		if err != nil || me.JSON200 == nil {
			r.t.Fatalf("agents/me = %s, %v", answer(me), err)
		}
		return me.JSON200.Username
	}
	me, err := u.GetHumanMeWithResponse(r.t.Context())
	if err != nil || me.JSON200 == nil {
		r.t.Fatalf("humans/me = %s, %v", answer(me), err)
	}
	return me.JSON200.Username
}

func (u *user) conversations(r *rig) client.ConversationPage {
	r.t.Helper()
	list, err := u.ListConversationsWithResponse(r.t.Context(), nil)
	if err != nil || list.JSON200 == nil {
		r.t.Fatalf("conversations = %s, %v", answer(list), err)
	}
	return *list.JSON200
}

// accept moves a request to the user's inbox.
func (u *user) accept(r *rig, conversation uuid.UUID) {
	r.t.Helper()
	accepted, err := u.AcceptConversationWithResponse(r.t.Context(), conversation)
	if err != nil || accepted.JSON200 == nil || accepted.JSON200.Folder != client.ConversationFolderInbox {
		r.t.Fatalf("accept = %s, %v", answer(accepted), err)
	}
}

func (u *user) read(r *rig, conversation uuid.UUID, params *client.ListDirectMessagesParams) client.DirectMessagePage {
	r.t.Helper()
	list, err := u.ListDirectMessagesWithResponse(r.t.Context(), conversation, params)
	if err != nil || list.JSON200 == nil {
		r.t.Fatalf("read = %s, %v", answer(list), err)
	}
	return *list.JSON200
}

func TestConversationFromBothSides(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	if got := agent.conversations(r); got.Total != 0 || got.Conversations == nil || got.UnreadTotal != 0 {
		t.Errorf("none yet = %+v", got)
	}
	first := agent.write(r, "", human, "Hello")
	human.write(r, first.ConversationID.String(), nil, "Hi")
	last := human.write(r, "", agent, "Me again")
	if last.ConversationID != first.ConversationID {
		t.Error("the same two users have two conversations")
	}
	unread, err := agent.CountUnreadMessagesWithResponse(t.Context())
	if err != nil || unread.JSON200 == nil || unread.JSON200.Count != 2 {
		t.Errorf("unread = %s, %v", answer(unread), err)
	}
	list, err := agent.ListAgentConversationsWithResponse(t.Context(), nil)
	if err != nil || list.JSON200 == nil || list.JSON200.Total != 1 {
		t.Fatalf("conversations = %s, %v", answer(list), err)
	}
	c := list.JSON200.Conversations[0]
	if c.UnreadCount != 2 || c.With.ID != human.id || c.With.Type != client.PartyHuman || c.LastMessagePreview == nil ||
		*c.LastMessagePreview != "Me again" || *c.LastMessageSenderType != client.PartyHuman {
		t.Errorf("the agent's side = %+v", c)
	}
	if got := human.conversations(r); got.UnreadTotal != 1 || got.Conversations[0].With.ID != agent.id {
		t.Errorf("the human's side = %+v", got)
	}
	seen := agent.read(r, c.ID, nil)
	if seen.Total != 3 || seen.Messages[0].Content != "Me again" || seen.Messages[2].SenderID != agent.id {
		t.Errorf("read = %+v", seen)
	}
	if got := agent.conversations(r); got.UnreadTotal != 0 || got.Conversations[0].UnreadCount != 0 {
		t.Errorf("after reading = %+v", got)
	}
	if got := human.conversations(r); got.UnreadTotal != 1 {
		t.Errorf("the human has read nothing, but has %d unread", got.UnreadTotal)
	}
}

// With many concurrent writers and readers there is one conversation, and in the end the unread counts
// match the messages.
func TestConversationsUnderLoad(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	names := map[*user]string{agent: agent.username(r), human: human.username(r)}
	human.accept(r, agent.write(r, "", human, "Hello").ConversationID)
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			from, to := agent, human
			if i%2 == 0 {
				from, to = human, agent
			}
			body := fmt.Sprintf(`{"username":%q,"content":"%d"}`, names[to], i)
			headers := append(r.credentials(from), "Idempotency-Key", strconv.Itoa(i))
			sent := r.do("POST", "/api/v1/messages/", body, headers...)
			for range 20 { // retries while the server is busy
				if sent.status != 503 {
					break
				}
				sent = r.do("POST", "/api/v1/messages/", body, headers...)
			}
			if sent.status != 201 {
				t.Errorf("message %d = %d %s", i, sent.status, sent.body)
			}
			if i%5 == 0 {
				id := from.conversations(r).Conversations[0].ID
				from.read(r, id, &client.ListDirectMessagesParams{PageSize: new(7)})
			}
		})
	}
	wg.Wait()
	for _, who := range []*user{agent, human} {
		list := who.conversations(r)
		if list.Total != 1 || len(list.Conversations) != 1 {
			t.Fatalf("conversations = %+v", list)
		}
		all := who.read(r, list.Conversations[0].ID, &client.ListDirectMessagesParams{PageSize: new(100)})
		if all.Total != 51 || len(all.Messages) != 51 {
			t.Errorf("%d of %d messages, want 51", len(all.Messages), all.Total)
		}
		unread := 0
		for _, m := range all.Messages {
			if m.SenderID != who.id && m.ReadAt == nil {
				unread++
			}
		}
		// Messages that are returned for the first time are still marked as unread in that response.
		if got := list.Conversations[0].UnreadCount; got != unread || list.UnreadTotal != unread {
			t.Errorf("unread_count = %d, unread_total = %d, want %d", got, list.UnreadTotal, unread)
		}
		if after := who.conversations(r); after.UnreadTotal != 0 {
			t.Errorf("after reading all = %d", after.UnreadTotal)
		}
	}
}

func TestConversationsArePaged(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	var id uuid.UUID
	for i := range 7 {
		id = agent.write(r, "", human, strconv.Itoa(i)).ConversationID
		human.accept(r, id)
	}
	params, seen := &client.ListDirectMessagesParams{PageSize: new(3)}, ""
	for {
		page := human.read(r, id, params)
		if page.Total != 7 {
			t.Errorf("total = %d", page.Total)
		}
		for _, m := range page.Messages {
			seen += m.Content
		}
		if page.NextCursor == nil {
			break
		}
		params.Cursor = page.NextCursor
	}
	if seen != "6543210" {
		t.Errorf("the pages contain %q", seen)
	}
	if got := human.read(r, id, &client.ListDirectMessagesParams{PageSize: new(3), Page: new(3)}); len(got.Messages) != 1 || got.Messages[0].Content != "0" {
		t.Errorf("page 3 = %+v", got)
	}
	if got := human.read(r, id, &client.ListDirectMessagesParams{Page: new(2)}); len(got.Messages) != 0 || got.Total != 7 {
		t.Errorf("the page after the last = %+v", got)
	}
}

// folder returns the user's conversations in a folder.
func (u *user) folder(r *rig, name client.ConversationFolder) client.ConversationPage {
	r.t.Helper()
	list, err := u.ListConversationsWithResponse(r.t.Context(), &client.ListConversationsParams{Folder: &name})
	if err != nil || list.JSON200 == nil {
		r.t.Fatalf("conversations in %s = %s, %v", name, answer(list), err)
	}
	return *list.JSON200
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
