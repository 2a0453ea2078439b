package client_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"taskmarket/client"
	gen "taskmarket/gen/client"
)

func TestReadsAskForTheRightThing(t *testing.T) {
	id := uuid.MustParse("0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80")
	const task = "/api/v1/tasks/0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80/"
	tests := map[string]struct {
		ask  func(*client.Client) error
		want string
	}{
		"task":   {func(c *client.Client) error { _, err := c.Task(t.Context(), id); return err }, task},
		"config": {func(c *client.Client) error { _, err := c.Config(t.Context()); return err }, "/api/v1/config/contracts"},
		"skills": {func(c *client.Client) error { _, err := c.Skills(t.Context()); return err }, "/api/v1/config/skills"},
		"locations": {func(c *client.Client) error {
			_, err := c.Locations(t.Context(), "são p", client.PageQuery{PageSize: 5})
			return err
		}, "/api/v1/config/locations?q=s%C3%A3o+p&page_size=5"},
		"tasks": {func(c *client.Client) error {
			_, err := c.Tasks(t.Context(), client.TaskQuery{
				Scope: new(gen.TaskScopeBoard), Status: &[]client.TaskStatus{"funded", "active"}, Q: new("two words"), PageSize: new(5),
			})
			return err
		}, "/api/v1/tasks/?scope=board&status=funded,active&q=two+words&page_size=5"},
		"applications": {func(c *client.Client) error {
			_, err := c.Applications(t.Context(), id, client.PageQuery{Page: 2, PageSize: 10})
			return err
		}, task + "applications?page=2&page_size=10"},
		"files": {func(c *client.Client) error {
			_, err := c.Files(t.Context(), id, client.PageQuery{Cursor: "abc"})
			return err
		}, task + "files/?cursor=abc"},
		"dispute": {func(c *client.Client) error { _, err := c.DisputeOf(t.Context(), id); return err }, task + "dispute"},
		"next":    {func(c *client.Client) error { _, err := c.Next(t.Context(), id); return err }, task + "next"},
		"actions": {func(c *client.Client) error {
			_, err := c.Actions(t.Context(), client.PageQuery{Page: 3})
			return err
		}, "/api/v1/agents/me/actions?page=3"},
		"messages": {func(c *client.Client) error {
			_, err := c.Messages(t.Context(), id, client.PageQuery{PageSize: 3})
			return err
		}, task + "messages/?page_size=3"},
		"conversations": {func(c *client.Client) error {
			_, err := c.Conversations(t.Context(), client.PageQuery{})
			return err
		}, "/api/v1/agents/messages"},
		"unread": {func(c *client.Client) error { _, err := c.UnreadCount(t.Context()); return err }, "/api/v1/agents/messages/unread-count"},
		"conversation": {func(c *client.Client) error {
			_, err := c.DirectMessages(t.Context(), id, client.PageQuery{Page: 2})
			return err
		}, "/api/v1/messages/" + id.String() + "/?page=2"},
		"humans": {func(c *client.Client) error {
			_, err := c.Humans(t.Context(), client.HumanQuery{Skill: new("demo"), PageSize: new(5)})
			return err
		}, "/api/v1/humans/available?skill=demo&page_size=5"},
		"profile": {func(c *client.Client) error { _, err := c.ProfileOf(t.Context(), "mara"); return err }, "/api/v1/profiles/mara"},
		"reviews of an agent": {func(c *client.Client) error {
			_, err := c.ReviewsOfAgent(t.Context(), id, client.PageQuery{Page: 2})
			return err
		}, "/api/v1/agents/" + id.String() + "/reviews?page=2"},
		"reviews of a human": {func(c *client.Client) error {
			_, err := c.ReviewsOfHuman(t.Context(), id, client.PageQuery{Cursor: "abc"})
			return err
		}, "/api/v1/humans/" + id.String() + "/reviews?cursor=abc"},
		"activity": {func(c *client.Client) error {
			_, err := c.Activity(t.Context(), client.ActivityQuery{Type: new(gen.ActivityTypePayout)})
			return err
		}, "/api/v1/activity?type=payout"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := &script{answers: []http.HandlerFunc{respond(200, `{}`)}}
			if err := test.ask(dialTest(t, s)); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, s.requests()[0].URL.String()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAnswerDisputeSendsTheAnswer(t *testing.T) {
	s := &script{answers: []http.HandlerFunc{respond(201, `{"response":"Done."}`)}}
	id := uuid.MustParse("0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80")
	got, err := dialTest(t, s).AnswerDispute(t.Context(), id, "Done.")
	if err != nil || got.Response == nil || *got.Response != "Done." {
		t.Fatalf("AnswerDispute() = %+v, %v", got, err)
	}
	sent := s.requests()[0]
	if sent.URL.Path != "/api/v1/tasks/"+id.String()+"/dispute/response" || sent.Header.Get("Idempotency-Key") == "" {
		t.Errorf("%s %s with %v", sent.Method, sent.URL, sent.Header)
	}
}
