package server_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/gen/client"
	"taskmarket/market"
	"taskmarket/server"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

// Waiting for a few seconds does not make room for another unfunded task, so the refusal is a conflict without a
// time to retry after, and its hint names the ways out.
func TestTooManyUnfundedTasksAreAConflict(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	records := openStore(t, storetest.URL(t, r.records), r.net.Deployment, store.WithQuotas(store.Quotas{Unfunded: 1}))
	strict := r.replica(func(o *server.Options) { o.Store = records })
	agent := strict.withKey(r.verifiedAgent(r.net.Agent).key)
	strict.createTask(agent)
	got := strict.do("POST", "/api/v1/tasks/", `{"title":"T","description":"D","escrow_amount":"1000000000000000000"}`, "X-API-Key", agent.key)
	if got.status != http.StatusConflict || errorOf(t, got.body) != "too_many_unfunded" || got.header["Retry-After"] != nil ||
		!strings.Contains(got.body, "Fund one of them") || !strings.Contains(got.body, "GET /tasks/?status=new") {
		t.Errorf("a task above the limit = %d %v %s", got.status, got.header["Retry-After"], got.body)
	}
	if got := strict.do("GET", "/api/v1/tasks/?status=new", "", "X-API-Key", agent.key); !strings.Contains(got.body, `"total":1`) {
		t.Errorf("the list that the hint names = %s", got.body)
	}
}

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

// A search interprets quotes and a minus sign before a word, but no other operators and no
// wildcards. A location matches by its beginning.
func TestTasksAreSearched(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
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

func TestTaskFromCreationToPayment(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	task := r.submitted(agent, human)
	if task.Status != client.TaskStatusSubmitted || *task.SubmissionNote != "Ten photos." || *task.ProofURL != "https://example.com/photos" ||
		*task.HumanID != human.id || task.DisputeDeadline == nil || task.DisputedAt != nil {
		t.Fatalf("task = %+v", task)
	}
	before, _, err := r.net.Reader.Balances(t.Context(), human.signer.Address())
	if err != nil {
		t.Fatal(err)
	}
	approval, err := agent.ApproveTaskWithResponse(t.Context(), task.ID, client.ApproveTaskRequest{})
	if err != nil || approval.JSON200 == nil || !approval.JSON200.Simulated || approval.JSON200.AlreadyDone != nil {
		t.Fatalf("approve = %s, %v", answer(approval), err)
	}
	tx := r.send(agent.signer, approval.JSON200.To, approval.JSON200.ApproveTaskCalldata)
	again, err := agent.ApproveTaskWithResponse(t.Context(), task.ID, client.ApproveTaskRequest{TxHash: new(tx.Hex())})
	if err != nil || again.JSON200 == nil || again.JSON200.AlreadyDone == nil || again.JSON200.ApproveTaskCalldata != approval.JSON200.ApproveTaskCalldata {
		t.Fatalf("approve again = %s, %v", answer(again), err)
	}
	if got := r.task(agent, task.ID).Status; got != client.TaskStatusValidating {
		t.Fatalf("after the approval the task is %s", got)
	}
	r.vote(task.ID, true, 2)
	r.net.Decide(t, 1, common.HexToHash(*task.WorkHash), 0, true)
	r.settle()
	paid := r.task(agent, task.ID)
	if paid.Status != client.TaskStatusApproved || paid.SettledAt == nil || paid.ValidatorApprovals != 2 {
		t.Errorf("task = %+v", paid)
	}
	after, _, err := r.net.Reader.Balances(t.Context(), human.signer.Address())
	if err != nil {
		t.Fatal(err)
	}
	payout, _ := new(big.Int).SetString(paid.PayoutAmount, 10)
	stake, _ := new(big.Int).SetString(paid.StakeAmount, 10)
	if got, want := new(big.Int).Sub(after, before), new(big.Int).Add(payout, stake); got.Cmp(want) != 0 {
		t.Errorf("the human received %s, want payout and stake, %s", got, want)
	}
}

func TestCancelledTaskIsRefunded(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	task := r.createTask(agent)
	early, err := agent.CancelTaskWithResponse(t.Context(), task.ID)
	if err != nil || early.JSON400 == nil || early.JSON400.Error != "wrong_status" {
		t.Errorf("cancel a new task = %s, %v", answer(early), err)
	}
	task = r.funded(agent)
	cancel, err := agent.CancelTaskWithResponse(t.Context(), task.ID)
	if err != nil || cancel.JSON200 == nil || cancel.JSON200.To != r.net.Deployment.Escrow.Hex() || cancel.JSON200.Value != "0" {
		t.Fatalf("cancel = %s, %v", answer(cancel), err)
	}
	read, err := agent.GetTaskWithResponse(t.Context(), task.ID, nil)
	if err != nil || read.JSON200 == nil || read.JSON200.Status != client.TaskStatusFunded {
		t.Fatalf("the task after the call was requested = %s, %v", answer(read), err)
	}
	tag := read.HTTPResponse.Header.Get("ETag")
	if again, err := agent.GetTaskWithResponse(t.Context(), task.ID, &client.GetTaskParams{IfNoneMatch: &tag}); err != nil || again.StatusCode() != http.StatusNotModified {
		t.Errorf("the task with its tag = %s, %v", answer(again), err)
	}
	r.send(agent.signer, cancel.JSON200.To, cancel.JSON200.CancelTaskCalldata)
	if got := r.task(agent, task.ID); got.Status != client.TaskStatusCancelled || got.CancelledAt == nil {
		t.Errorf("task = %+v", got)
	}
	again, err := agent.CancelTaskWithResponse(t.Context(), task.ID)
	if err != nil || again.JSON200 == nil || again.JSON200.AlreadyDone == nil {
		t.Errorf("cancel again = %s, %v", answer(again), err)
	}
}

// The contract's time windows depend on the chain's clock, not on the server's. Responses match the
// contract to the second.
func TestWindowsUseChainTime(t *testing.T) {
	t.Parallel()
	for name, skew := range map[string]time.Duration{"2 h behind": -2 * time.Hour, "3 days ahead": 72 * time.Hour} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			agent := r.verifiedAgent(r.net.Agent)
			task := r.submitted(agent, r.human(r.net.Human))
			end := *task.DisputeDeadline
			wrong := r.replica(func(o *server.Options) { o.Now = func() time.Time { return time.Now().Add(skew) } })
			agent = wrong.withKey(agent.key)
			for _, step := range []struct {
				at     time.Time
				opened bool
			}{{end.Add(-time.Hour - time.Minute), true}, {end.Add(-time.Second), true}, {end.Time, false}, {end.Add(time.Hour), false}} {
				if err := r.net.Dev.SetNextTime(t.Context(), step.at); err != nil {
					t.Fatal(err)
				}
				r.net.Mine(t, 1)
				r.settle()
				refused := r.net.Reader.Simulate(t.Context(), r.net.Agent.Address(), r.net.Contracts.DisputeTask(r.net.Deployment.Escrow, 1))
				if (refused == nil) != step.opened {
					t.Fatalf("at %s the contract returns %v", step.at, refused)
				}
				got, err := agent.DisputeTaskWithResponse(t.Context(), task.ID, nil, client.DisputeTaskRequest{Reason: "Late?"})
				if err != nil || (got.JSON200 != nil) != step.opened || !step.opened && got.JSON400.Error != "wrong_status" {
					t.Errorf("%s before the end a dispute = %s, %v", end.Sub(step.at), answer(got), err)
				}
				want := client.TaskStatusSubmitted
				if !step.opened {
					want = client.TaskStatusValidating
				}
				if got := r.task(agent, task.ID).Status; got != want {
					t.Errorf("%s before the end, the task is %s, want %s", end.Sub(step.at), got, want)
				}
			}
		})
	}
}

const goodTask = `{"title":"T","description":"D","escrow_amount":"10000000000000000"}`

func TestBodiesAreParsedStrictly(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	with := func(member string) string { return strings.Replace(goodTask, "{", "{"+member+",", 1) }
	title := func(text string) string { return strings.Replace(goodTask, `"T"`, text, 1) }
	tests := map[string]struct {
		body   string
		status int
		field  string // expected field in details
	}{
		"valid":                            {goodTask, 201, ""},
		"valid with white space":           {" \n" + goodTask + "\t ", 201, ""},
		"pair of surrogates":               {title(`"\ud83d\ude00"`), 201, ""},
		"escaped backslash before u":       {title(`"\\u0000"`), 201, ""},
		"nothing":                          {"", 400, "body"},
		"empty object":                     {"{}", 400, "title"},
		"array":                            {"[]", 400, "body"},
		"null":                             {"null", 400, "body"},
		"truncated":                        {`{"title":`, 400, "body"},
		"single quotes":                    {"{'title':'x'}", 400, "body"},
		"trailing data":                    {goodTask + "{}", 400, "body"},
		"trailing bracket":                 {goodTask + "]", 400, "body"},
		"duplicate":                        {with(`"title":"A"`), 400, "title"},
		"duplicate in another case":        {with(`"Title":"A"`), 400, "title"},
		"duplicate with a long s":          {with(`"ſkills":[],"skills":[]`), 400, "skills"},
		"escaped name":                     {strings.Replace(goodTask, `"title"`, `"\u0074itle"`, 1), 201, ""},
		"escaped duplicate":                {with(`"\u0074itle":"A"`), 400, "title"},
		"unknown field":                    {with(`"status":"funded"`), 400, "status"},
		"agent_id in the body":             {with(`"agent_id":"x"`), 400, "agent_id"},
		"NUL":                              {title(`"a\u0000b"`), 400, "title"},
		"unpaired high surrogate":          {title(`"\ud800"`), 400, "title"},
		"unpaired low surrogate":           {title(`"\udc00"`), 400, "title"},
		"two high surrogates":              {title(`"\ud800\ud800"`), 400, "title"},
		"raw byte":                         {title("\"a\xffb\""), 400, "title"},
		"raw NUL":                          {title("\"a\x00b\""), 400, "body"},
		"number instead of text":           {title("5"), 400, "title"},
		"null title":                       {title("null"), 400, "title"},
		"empty title":                      {title(`""`), 400, "title"},
		"title of invisible characters":    {title(`"\u200b\u2060"`), 400, "title"},
		"null remote":                      {with(`"remote":null`), 400, "remote"},
		"amount above the maximum":         {strings.Replace(goodTask, `"10000000000000000"`, `"79228162514264337593543950336"`, 1), 400, "escrow_amount"},
		"blank title":                      {title(`"  "`), 400, "title"},
		"line break in title":              {title(`"a\nb"`), 400, "title"},
		"right-to-left override":           {title(`"a\u202eb"`), 400, "title"},
		"long title":                       {title(`"` + strings.Repeat("é", 201) + `"`), 400, "title"},
		"longest title":                    {title(`"` + strings.Repeat("é", 200) + `"`), 201, ""},
		"duplicate skills":                 {with(`"skills":["a","a"]`), 400, "skills"},
		"skills not strings":               {with(`"skills":[1]`), 400, "skills.0"},
		"remote not boolean":               {with(`"remote":"true"`), 400, "remote"},
		"deadline not a time":              {with(`"deadline":"tomorrow"`), 400, "deadline"},
		"deadline on 30 February":          {with(`"deadline":"2030-02-30T00:00:00Z"`), 400, "deadline"},
		"deadline in the past":             {with(`"deadline":"2001-01-01T00:00:00Z"`), 400, "deadline"},
		"deadline too late":                {with(`"deadline":"9999-01-01T00:00:00Z"`), 400, "deadline"},
		"deep nesting":                     {title(strings.Repeat("[", 5000) + strings.Repeat("]", 5000)), 400, "body"},
		"blank location":                   {with(`"location":" "`), 400, "location"},
		"huge number":                      {title("1" + strings.Repeat("0", 400)), 400, "title"},
		"byte order mark":                  {"\ufeff" + goodTask, 201, ""},
		"description of 20,000 characters": {strings.Replace(goodTask, `"D"`, `"`+strings.Repeat("x", 20_000)+`"`, 1), 201, ""},
		"body too large":                   {strings.Repeat(" ", 300_000) + goodTask, 413, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := r.do("POST", "/api/v1/tasks/", test.body, "X-API-Key", agent.key)
			if got.status != test.status {
				t.Fatalf("status = %d, want %d: %s", got.status, test.status, got.body)
			}
			if test.field != "" && !strings.Contains(got.body, `"field":"`+test.field+`"`) {
				t.Errorf("details do not name %s: %s", test.field, got.body)
			}
			for _, leak := range []string{"json:", "Go ", "struct", "openapi", "*", "unmarshal"} {
				if test.status >= 400 && strings.Contains(got.body, leak) {
					t.Errorf("body shows %q: %s", leak, got.body)
				}
			}
		})
	}
}

func TestAmountsHaveOneEncoding(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	most := "79228162514264337593543950335"
	for _, amount := range []string{"10000000000000000", most} {
		body := strings.Replace(goodTask, "10000000000000000", amount, 1)
		if got := r.do("POST", "/api/v1/tasks/", body, "X-API-Key", agent.key); got.status != 201 || !strings.Contains(got.body, `"escrow_amount":"`+amount+`"`) {
			t.Errorf("amount %s = %d %s", amount, got.status, got.body)
		}
	}
	count := func() (n int) {
		if err := storetest.DB(t, r.records).Get(&n, `SELECT count(*) FROM tasks`); err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := count()
	for _, amount := range append(misspelt("10000000000000000"),
		"", "0", "00", "-1", "9999999999999999", "NaN", "Infinity", "-Infinity", "inf", "null", "true", "ten", "1e18", "1E18", "1e+18", "10e15", "1p54",
		"0x2386f26fc10000", "0X2386F26FC10000", "2386f26fc10000", "0b1000", "0o400", "0400", "𝟏𝟎𝟎𝟎𝟎𝟎𝟎𝟎𝟎𝟎𝟎𝟎𝟎𝟎𝟎𝟎𝟎",
		"１００００００００００００００００", "١٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠", "१००००००००००००००००", "⑩0000000000000000",
		"115792089237316195423570985008687907853269984665640564039457584007913129639935",
		"115792089237316195423570985008687907853269984665640564039457584007913129639936",
		nines(78), nines(79), nines(100_000), "1"+strings.Repeat("0", 200_000),
	) {
		quoted, err := json.Marshal(amount)
		if err != nil {
			t.Fatal(err)
		}
		body := strings.Replace(goodTask, `"10000000000000000"`, string(quoted), 1)
		if got := r.do("POST", "/api/v1/tasks/", body, "X-API-Key", agent.key); got.status != 400 || errorOf(t, got.body) != "invalid_request" {
			t.Errorf("amount %.40q = %d %.200s", amount, got.status, got.body)
		}
	}
	for _, number := range []string{"10000000000000000", "1e16", "10000000000000000.0", "[]", "{}", `["10000000000000000"]`} {
		body := strings.Replace(goodTask, `"10000000000000000"`, number, 1)
		if got := r.do("POST", "/api/v1/tasks/", body, "X-API-Key", agent.key); got.status != 400 || errorOf(t, got.body) != "invalid_request" {
			t.Errorf("amount %s without quotes = %d %.200s", number, got.status, got.body)
		}
	}
	if after := count(); after != before {
		t.Errorf("%d tasks were made", after-before)
	}
}

// misspelt returns spellings of the number that a lenient parser accepts.
func misspelt(number string) []string {
	var all []string
	for _, around := range []string{" ", "\t", "\n", "\r\n", "\u00a0", "\u2007", "\ufeff", "\u200b", `"`, "'"} {
		all = append(all, around+number, number+around)
	}
	for _, before := range []string{"+", "-", "0", "000", "−", "$", "~"} {
		all = append(all, before+number)
	}
	for _, after := range []string{".", ".0", ".00", "e0", "n", "wei", "L", ",0", "/1"} {
		all = append(all, number+after)
	}
	for _, between := range []string{"_", ",", ".", " ", "'"} {
		all = append(all, number[:2]+between+number[2:])
	}
	return all
}

// A deadline must be representable in calendars, the database and the contract: an RFC 3339 time, truncated
// to whole seconds, in the future and within a year.
func TestDeadlinesAreBounded(t *testing.T) {
	t.Parallel()
	now := time.Date(2027, time.March, 1, 12, 0, 0, 0, time.UTC)
	r := newIdleRig(t, func(o *server.Options) { o.Now = func() time.Time { return now } })
	agent := r.verifiedAgent(r.net.Agent)
	for text, want := range map[string]string{
		"2027-03-01T12:00:01Z": "2027-03-01T12:00:01.000Z", "2027-03-01T12:00:01.999Z": "2027-03-01T12:00:01.000Z",
		"2027-03-02T00:00:00.123456789012Z": "2027-03-02T00:00:00.000Z", "2028-02-29T12:00:00Z": "2028-02-29T12:00:00.000Z",
		"2027-03-02T02:00:01+14:00": "2027-03-01T12:00:01.000Z", "2027-06-01T00:00:00-12:00": "2027-06-01T12:00:00.000Z",
		"2027-03-02T00:00:00-00:00": "2027-03-02T00:00:00.000Z", "2027-12-31T23:59:59Z": "2027-12-31T23:59:59.000Z",
		"2027-03-02T23:59:60Z": "", "2027-03-02T24:00:00Z": "", "2027-03-02T00:60:00Z": "", "2027-02-29T00:00:00Z": "", "2027-04-31T00:00:00Z": "",
		"2027-13-01T00:00:00Z": "", "2027-00-01T00:00:00Z": "", "2027-05-00T00:00:00Z": "", "2027-03-01T12:00:00Z": "", "2027-03-01T12:00:00.999Z": "",
		"2027-03-01T11:59:59Z": "", "2027-03-01T14:00:00+02:00": "", "1970-01-01T00:00:00Z": "", "0001-01-01T00:00:00Z": "", "0000-01-01T00:00:00Z": "",
		"-2027-05-01T00:00:00Z": "", "2028-02-29T12:00:01Z": "", "2127-03-01T00:00:00Z": "", "9999-12-31T23:59:59Z": "", "10000-01-01T00:00:00Z": "",
		"294277-01-01T00:00:00Z": "", "infinity": "", "-infinity": "", "now": "", "epoch": "", "tomorrow": "", "": "", " 2027-05-01T00:00:00Z": "",
		"2027-05-01T00:00:00Z ": "", "2027-05-01 00:00:00Z": "", "2027-05-01t00:00:00z": "2027-05-01T00:00:00.000Z", "2027-05-01t02:00:00.5+02:00": "2027-05-01T00:00:00.000Z", "2027-05-01T00:00:00": "", "2027-05-01": "",
		"2027-05-01T00:00Z": "", "2027-05-01T00:00:00+1400": "", "2027-05-01T00:00:00+25:00": "", "2027-05-01T00:00:00,5Z": "",
		"20270501T000000Z": "", "2027-W18-6T00:00:00Z": "", "1809172800": "", "２０２７-05-01T00:00:00Z": "",
	} {
		body := strings.Replace(goodTask, "{", `{"deadline":"`+text+`",`, 1)
		got := r.do("POST", "/api/v1/tasks/", body, "X-API-Key", agent.key)
		switch {
		case want == "" && (got.status != 400 || errorOf(t, got.body) != "invalid_request"):
			t.Errorf("%q = %d %s", text, got.status, got.body)
		case want != "" && (got.status != 201 || !strings.Contains(got.body, `"deadline":"`+want+`"`)):
			t.Errorf("%q = %d %s, want %s", text, got.status, got.body, want)
		}
	}
}

func TestQueriesAreParsedStrictly(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	for query, status := range map[string]int{
		"":                               200,
		"page=1&page_size=100":           200,
		"page=50":                        200,
		"status=new,funded":              200,
		"remote=false&sort=amount":       200,
		"q=%22quoted%22%20%25%20_%20%27": 200,
		"min_amount=1&max_amount=2":      200,
		"due_after=2026-03-01T12:00:00Z": 200,
		"due_after=2026-03-01t12:00:00z": 200,
		"due_after=2026-03-01":           400,
		"due_after=2026-02-30T12:00:00Z": 400,

		"due_after=2026-03-01T12:00:00-21:11": 200, // beyond PostgreSQL's range of offsets
		"page=0":                              400,
		"page=51":                             400,
		"page=-1":                             400,
		"page=01":                             400,
		"page=%2B1":                           400,
		"page=1.0":                            400,
		"page=1e1":                            400,
		"page=":                               400,
		"page=9223372036854775808":            400,
		"page_size=0":                         400,
		"page_size=101":                       400,
		"page=1&page=1":                       400,
		"page=1&cursor=abc":                   400,
		"cursor=abc":                          400,
		"cursor=%00":                          400,
		"unknown=1":                           400,
		"Page=1":                              400,
		"api_key=x":                           400,
		"remote=1":                            400,
		"remote=T":                            400,
		"status=lost":                         400,
		"status=new,new":                      400,
		"status=":                             400,
		"sort=random":                         400,
		"scope=all":                           400,
		"q=%00":                               400,
		"q=%ff":                               400,
		"q=%zz":                               400,
		"q=a;page=2":                          400,
		"min_amount=-1":                       400,
		"agent=a%20b":                         400,
		"max_amount=" + "9" + nines(77):       400,
		"q=" + strings.Repeat("a", 201):       400,
		"skill=" + strings.Repeat("a", 51):    400,
	} {
		got := r.do("GET", "/api/v1/tasks/?"+query, "", "X-API-Key", agent.key)
		if got.status != status {
			t.Errorf("?%s = %d, want %d: %s", query, got.status, status, got.body)
		}
	}
}

// Texts of living languages contain joiners, invisible spaces and variation selectors. They are stored unchanged.
func TestTextsOfLivingLanguagesAreAccepted(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	for _, text := range []string{
		"می\u200cخواهم کتاب\u200cها را ببینم", "അവന്\u200d പറഞ്ഞു", "ශ්\u200dරී ලංකාව", "ខ្ញុំ\u200bចង់\u200bថតរូប\u200b។", "ถ่าย\u200bรูป\u200bร้าน",
		"မြန်မာ\u200bနိုင်ငံ", "ᠭ\u180bᠠᠵᠠᠷ ᠠᠮᠠᠷ\u180eᠠ", "葛\U000e0100飾区、神\ufe00社", "क्\u200dष", "السعر ١٢٠ ريال", "המחיר 120 שח", "👩\u200d👩\u200d👧",
		"\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f \U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f x",
	} {
		got, err := agent.CreateTaskWithResponse(t.Context(), nil, client.CreateTaskRequest{
			Title: text + " 1", Description: text, EscrowAmount: "10000000000000000", Skills: &[]string{text},
		})
		if err != nil || got.JSON201 == nil || got.JSON201.Title != text+" 1" || got.JSON201.Description != text || got.JSON201.Skills[0] != text {
			t.Errorf("%+q = %s, %v", text, answer(got), err)
		}
	}
}

// Format characters of pasted text are removed before the request is validated, stored and hashed.
func TestPastedFormatCharactersAreRemoved(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	long := strings.Repeat("é", market.MaxTitle-2)
	request := client.CreateTaskRequest{
		Title: "\ufeff" + long + "\u200e12\u00ad", Description: "Call \u202a+351 21 555\u202c, \u2068Ada\u2069.", EscrowAmount: "10000000000000000",
		Skills: &[]string{"photo\u00adgraphy"}, Location: new("Lis\u00adbon"),
	}
	params := &client.CreateTaskParams{IdempotencyKey: new("pasted")}
	got, err := agent.CreateTaskWithResponse(t.Context(), params, request)
	if err != nil || got.JSON201 == nil {
		t.Fatalf("created %s, %v", answer(got), err)
	}
	task := *got.JSON201
	if task.Title != long+"12" || task.Description != "Call +351 21 555, Ada." || task.Skills[0] != "photography" || *task.Location != "Lisbon" {
		t.Errorf("stored %+q %+q %+q", task.Title, task.Description, task.Skills)
	}
	terms := market.Terms{
		TaskID: task.ID, Agent: agent.signer.Address(), Amount: market.MinimumEscrow(), FeeBasisPoints: uint16(task.FeeBasisPoints),
		Title: task.Title, Description: task.Description,
	}
	if task.TermsHash != terms.Hash().Hex() {
		t.Errorf("the terms hash is %s, not that of the stored text, %s", task.TermsHash, terms.Hash())
	}
	if got := r.do("GET", "/api/v1/tasks/?scope=mine&skill=photo%C2%ADgraphy&q=%E2%81%A8Ada", "", "X-API-Key", agent.key); !strings.Contains(got.body, task.ID.String()) {
		t.Errorf("the search for pasted texts = %d %s", got.status, got.body)
	}
	request.Title, request.Description = task.Title, task.Description
	again, err := agent.CreateTaskWithResponse(t.Context(), params, request)
	if err != nil || again.JSON201 == nil || again.JSON201.ID != task.ID {
		t.Errorf("the cleaned request again = %s, %v", answer(again), err)
	}
	for _, body := range []string{
		strings.Replace(goodTask, `"T"`, `"\u00ad"`, 1), strings.Replace(goodTask, `"title"`, `"ti\u00adtle"`, 1),
		strings.Replace(goodTask, `"10000000000000000"`, `"10000000000000000\u200e"`, 1), strings.Replace(goodTask, `"D"`, `"pay\u200bpal"`, 1),
	} {
		if got := r.do("POST", "/api/v1/tasks/", body, "X-API-Key", agent.key); got.status != 400 {
			t.Errorf("%+q = %d %s", body, got.status, got.body)
		}
	}
	if got := r.do("POST", "/api/v1/tasks/", ` { "skills" : [ "a\u00AD" , "\ud83d\ude00\u200F"], "title"  :  "x\u200e\"" ,"description":"`+"\u00ad"+`y","escrow_amount":"10000000000000000"}`, "X-API-Key", agent.key); got.status != 201 ||
		!strings.Contains(got.body, `"title":"x\""`) || !strings.Contains(got.body, `"skills":["a","😀"]`) || !strings.Contains(got.body, `"description":"y"`) {
		t.Errorf("escaped characters = %d %s", got.status, got.body)
	}
}
