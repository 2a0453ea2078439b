package server_test

import (
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

func TestTheBoardShowsOpenTasksToEverybody(t *testing.T) {
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
		t.Fatalf("board = %+v, want the open task alone", board)
	}
	got := board.Tasks[0]
	if got.ID != open.ID || got.Title != open.Title || got.EscrowAmount != open.EscrowAmount || !got.Deadline.Equal(*open.Deadline) ||
		got.AgentUsername != open.AgentUsername || !got.AgentIsVerified || got.Skills == nil {
		t.Errorf("board shows %+v of %+v", got, open)
	}
	body := r.do("GET", "/api/v1/board", "").body
	for _, secret := range []string{open.Description, open.AgentWalletAddress, agent.id.String()} {
		if strings.Contains(body, secret) {
			t.Errorf("the board tells everybody %q: %s", secret, body)
		}
	}
}

func TestTheBoardIsCachedByEverybody(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	for name, headers := range map[string][]string{"nobody": nil, "an agent": {"X-API-Key", agent.key}} {
		got := r.do("GET", "/api/v1/board", "", headers...)
		tag := got.header.Get("ETag")
		if got.status != 200 || tag == "" || got.header.Get("Cache-Control") != "public, max-age=15" ||
			got.header.Get("Vary") != "" || got.header.Get("Set-Cookie") != "" {
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
		t.Errorf("a refusal = %d, Cache-Control %q", got.status, got.header.Get("Cache-Control"))
	}
}

func TestTheBoardIsPaged(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	var want, got []uuid.UUID
	for range 5 {
		want = append(want, r.funded(agent).ID)
	}
	slices.Reverse(want) // newest first
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
		t.Errorf("a false cursor = %d", refused.status)
	}
}
