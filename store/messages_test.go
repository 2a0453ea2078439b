package store_test

import (
	"testing"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

// For principals that are not a party to the task, the list of messages is empty, with a total of 0
// on every page.
func TestMessagesOfOtherTasks(t *testing.T) {
	t.Parallel()
	w := storetest.NewWorld(t)
	agent := storetest.AgentPrincipal(w.Agent)
	for _, content := range []string{"Hello", "Hello?"} {
		storetest.Must(w.Store.AddMessage(t.Context(), market.Message{
			ID: storetest.NewID(), TaskID: w.Task.ID, SenderKind: agent.Kind, SenderID: agent.ID, Content: content,
		}))
	}
	list := func(reader market.Principal, q store.PageQuery) store.Page[market.Message] {
		return storetest.Must(w.Store.Messages(t.Context(), store.MessageQuery{PageQuery: q, TaskID: w.Task.ID, Reader: reader}))
	}
	readers := map[market.Principal]int{
		agent: 2, storetest.AgentPrincipal(storetest.Agent(t, w.Store)): 0, storetest.HumanPrincipal(w.Human): 0,
		{Kind: market.PrincipalHuman, ID: agent.ID}: 0,
	}
	for reader, want := range readers {
		for _, q := range []store.PageQuery{{}, {Page: 2}, {Page: 50}, {PageSize: 1}, {Page: 2, PageSize: 1}} {
			if page := list(reader, q); page.Total != want || want == 0 && len(page.Items) != 0 {
				t.Errorf("%+v of %s = %d messages of %d, want %d", q, reader.Kind, len(page.Items), page.Total, want)
			}
		}
	}
	first := list(agent, store.PageQuery{PageSize: 1})
	after := store.PageQuery{PageSize: 1, Cursor: first.NextCursor}
	if page := list(agent, after); page.Total != 2 || len(page.Items) != 1 {
		t.Errorf("by cursor = %+v", page)
	}
	if page := list(storetest.HumanPrincipal(w.Human), after); page.Total != 0 || len(page.Items) != 0 {
		t.Errorf("by cursor, for another human = %+v", page)
	}
}

// AddMessageIn adds a message only if the task has one of the statuses, and an assigned human with an
// account.
func TestAddMessageInStatuses(t *testing.T) {
	t.Parallel()
	w := storetest.NewWorld(t)
	add := func(statuses ...market.Status) error {
		_, err := w.Store.AddMessageIn(t.Context(), market.Message{
			ID: storetest.NewID(), TaskID: w.Task.ID, SenderKind: market.PrincipalAgent, SenderID: w.Agent.ID, Content: "Hello",
		}, statuses)
		return err
	}
	of := storetest.Of(w.Task)
	w.Chain.Mine(t, storetest.Post(t, w.Task, false))
	storetest.WantKind(t, "AddMessageIn() without a human", add(market.StatusFunded), market.KindForbidden)
	w.Chain.Mine(t, storetest.Stake(t, of, w.Human.Wallet), storetest.Accept(t, of, w.Human.Wallet))
	storetest.WantKind(t, "AddMessageIn() with another status", add(market.StatusSubmitted, market.StatusDisputed), market.KindForbidden)
	storetest.WantKind(t, "AddMessageIn() without a status", add(), market.KindForbidden)
	storetest.WantKind(t, "AddMessageIn() with the status", add(market.StatusSubmitted, market.StatusActive), "")
	storetest.WantKind(t, "AddMessageIn() with the statuses of the action", add(market.ActionMessage.Statuses()...), "")
	page := storetest.Must(w.Store.Messages(t.Context(), store.MessageQuery{TaskID: w.Task.ID, Reader: storetest.AgentPrincipal(w.Agent)}))
	if page.Total != 2 {
		t.Errorf("%d messages were stored, want 2", page.Total)
	}
}
