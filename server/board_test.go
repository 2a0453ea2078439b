package server_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"taskmarket/gen/client"
)

func (r *rig) board(params *client.GetBoardParams) client.BoardPage {
	r.t.Helper()
	got, err := r.anonymous().GetBoardWithResponse(r.t.Context(), params)
	if err != nil || got.JSON200 == nil {
		r.t.Fatalf("GET /board = %s, %v", answer(got), err)
	}
	return *got.JSON200
}

func TestBoardListsOpenTasks(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	if empty := r.board(nil); empty.Total != 0 || empty.Tasks == nil {
		t.Errorf("an empty board = %+v", empty)
	}
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	r.createTask(agent)
	r.active(agent, human)
	open := r.funded(agent)
	board := r.board(nil)
	if board.Total != 1 || len(board.Tasks) != 1 {
		t.Fatalf("board = %+v, want only the open task", board)
	}
	got := board.Tasks[0]
	if got.ID != open.ID || got.Title != open.Title || got.EscrowAmount != open.EscrowAmount || !got.Deadline.Equal(open.Deadline.Time) ||
		got.AgentName != open.AgentName || got.AgentName == "" || got.AgentUsername != open.AgentUsername || !got.AgentIsVerified || got.Skills == nil {
		t.Errorf("board contains %+v, want %+v", got, open)
	}
	body := r.do("GET", "/api/v1/board", "").body
	for _, secret := range []string{open.Description, open.AgentWalletAddress, agent.id.String()} {
		if strings.Contains(body, secret) {
			t.Errorf("the board publishes %q: %s", secret, body)
		}
	}
}

func TestPublicBoardIsCacheable(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	for name, headers := range map[string][]string{"no caller": nil, "an agent": {"X-API-Key", agent.key}} {
		got := r.do("GET", "/api/v1/board", "", headers...)
		tag := got.header.Get("ETag")
		if got.status != 200 || tag == "" || got.header.Get("Cache-Control") != "public, max-age=15" ||
			got.header.Get("Vary") != "Accept-Encoding" || got.header.Get("Set-Cookie") != "" {
			t.Errorf("%s = %d, headers %v", name, got.status, got.header)
		}
		again := r.do("GET", "/api/v1/board", "", append([]string{"If-None-Match", tag}, headers...)...)
		if again.status != 304 || again.body != "" || again.header.Get("Cache-Control") != "public, max-age=15" {
			t.Errorf("%s with the tag = %d, headers %v", name, again.status, again.header)
		}
	}
	before := r.do("GET", "/api/v1/board", "").header.Get("ETag")
	r.funded(agent)
	if got := r.do("GET", "/api/v1/board", "", "If-None-Match", before); got.status != 200 {
		t.Errorf("with the tag of another board = %d", got.status)
	}
	if got := r.do("GET", "/api/v1/board?page=0", ""); got.status != 400 || got.header.Get("Cache-Control") != "no-store" {
		t.Errorf("an error = %d, Cache-Control %q", got.status, got.header.Get("Cache-Control"))
	}
}

func TestBoardIsPaged(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	var want, got []uuid.UUID
	for range 5 {
		want = append(want, r.funded(agent).ID)
	}
	slices.Reverse(want) // the board lists the newest task first
	params := client.GetBoardParams{PageSize: new(2)}
	for range 3 {
		page := r.board(&params)
		if page.Total != 5 {
			t.Errorf("total = %d, want 5", page.Total)
		}
		for _, task := range page.Tasks {
			got = append(got, task.ID)
		}
		params.Cursor = page.NextCursor
	}
	if params.Cursor != nil || !slices.Equal(got, want) {
		t.Errorf("by pages %v, want %v", got, want)
	}
	second := r.board(&client.GetBoardParams{Page: new(2), PageSize: new(2)})
	if len(second.Tasks) != 2 || second.Tasks[0].ID != want[2] {
		t.Errorf("second page = %+v", second)
	}
	if refused := r.do("GET", "/api/v1/board?cursor=x", ""); refused.status != 400 {
		t.Errorf("an invalid cursor = %d", refused.status)
	}
}

// A search interprets quotes and a minus sign before a word, but no other operators and no
// wildcards. A location matches by its beginning.
func TestTasksAreSearched(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	created, err := agent.CreateTaskWithResponse(t.Context(), nil, client.CreateTaskRequest{
		Title: "Photograph a harbour", Description: "From the pier.", EscrowAmount: "10000000000000000", Location: new("São Paulo, Brasil"),
	})
	if err != nil || created.JSON201 == nil {
		t.Fatalf("create = %s, %v", answer(created), err)
	}
	for query, want := range map[string]int64{
		"location=sao": 1, "location=S%C3%83O%20PAULO%20BR": 1, "location=paulo": 0, "location=s_o": 0, "location=brasil": 0,
		"q=harbour": 1, "q=harbour+-pier": 0, "q=%22the+pier%22": 1, "q=pier&location=sao&agent=" + agent.username(r): 1, "q=%25": 0,
		"q=" + strings.Repeat("-", 200): 0, "q=" + strings.Repeat("%22", 200): 0, "q=%26%7C!()%3A*": 0, "q=harbour'--": 1,
		"min_amount=2&max_amount=1": 0, "status=new": 1, "status=funded,active": 0, "status=new,funded&page=50": 1, "scope=board&status=new": 0,
	} {
		got := r.do("GET", "/api/v1/tasks/?"+query, "", "X-API-Key", agent.key)
		if got.status != 200 || !strings.Contains(got.body, fmt.Sprintf(`"total":%d}`, want)) {
			t.Errorf("%s = %d %s, want a total of %d", query, got.status, got.body, want)
		}
	}
	for _, query := range []string{"location=%25", "q=" + strings.Repeat("x", 10_000), "q=%00", "q=%ff", "sort=amount;--", "status=new,new"} {
		if got := r.do("GET", "/api/v1/tasks/?"+query, "", "X-API-Key", agent.key); got.status != 400 {
			t.Errorf("%s = %d %s, want 400", query, got.status, got.body)
		}
	}
	empty := r.do("GET", "/api/v1/tasks/"+created.JSON201.ID.String()+"/messages/?page=2", "", "X-API-Key", agent.key)
	if empty.status != 200 || !strings.Contains(empty.body, `"total":0}`) {
		t.Errorf("a page after an empty list = %d %s", empty.status, empty.body)
	}
}
