package server_test

import (
	"fmt"
	"math/big"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/gen/client"
	"taskmarket/market"
	"taskmarket/server"
	"taskmarket/store/storetest"
)

func (r *rig) agentActions(agent *user) client.AgentActionPage {
	r.t.Helper()
	got, err := agent.ListAgentActionsWithResponse(r.t.Context(), nil)
	if err != nil || got.JSON200 == nil {
		r.t.Fatalf("GET /agents/me/actions = %s, %v", answer(got), err)
	}
	return *got.JSON200
}

// wantAgentAction returns the agent's only pending action, which must be of the kind.
func (r *rig) wantAgentAction(agent *user, kind client.AgentActionKind) client.AgentAction {
	r.t.Helper()
	page := r.agentActions(agent)
	if page.Total != 1 || len(page.Actions) != 1 || page.Actions[0].ActionType != kind {
		r.t.Fatalf("actions = %+v, want one %s", page, kind)
	}
	return page.Actions[0]
}

func (r *rig) wantNoChore(agent *user) {
	r.t.Helper()
	if page := r.agentActions(agent); page.Total != 0 || page.Actions == nil || len(page.Actions) != 0 {
		r.t.Errorf("actions = %+v, want none", page)
	}
}

func TestAgentActionsFollowATask(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, foreign := r.verifiedAgent(r.net.Agent), r.verifiedAgent(r.net.OtherAgent)
	human := r.human(r.net.Human)
	task := r.funded(agent)
	r.wantNoChore(agent)
	application := r.applied(human, task.ID)
	first := r.wantAgentAction(agent, client.AgentActionKindReviewApplication)
	if *first.TaskID != task.ID || !strings.Contains(first.Details, application.ID.String()+"/accept") || first.Deadline == nil || first.Calldata != nil {
		t.Errorf("application = %+v", first)
	}
	accepted, err := agent.AcceptApplicationWithResponse(t.Context(), task.ID, application.ID)
	if err != nil || accepted.JSON200 == nil {
		t.Fatalf("accept = %s, %v", answer(accepted), err)
	}
	r.send(agent.signer, accepted.JSON200.To, accepted.JSON200.AcceptApplicationCalldata)
	r.wantNoChore(agent)
	r.submit(human, task.ID)
	second := r.wantAgentAction(agent, client.AgentActionKindReviewSubmission)
	if submitted := r.task(agent, task.ID); second.Deadline == nil || !second.Deadline.Equal(submitted.DisputeDeadline.Time) {
		t.Errorf("submission = %+v", second)
	}
	disputed, err := human.DisputeTaskWithResponse(t.Context(), task.ID, nil, client.DisputeTaskRequest{Reason: "secret"})
	if err != nil || disputed.JSON200 == nil {
		t.Fatalf("dispute = %s, %v", answer(disputed), err)
	}
	r.send(human.signer, disputed.JSON200.To, disputed.JSON200.DisputeTaskCalldata)
	if third := r.wantAgentAction(agent, client.AgentActionKindAnswerDispute); strings.Contains(fmt.Sprint(third), "secret") {
		t.Errorf("dispute = %+v", third)
	}
	if got := agent.answers(r, task, "No."); got.JSON201 == nil {
		t.Fatalf("answer = %s", answer(got))
	}
	r.wantNoChore(agent)
	r.wantNoChore(foreign)
}

// The action to respond to a human's dispute expires after 48 hours. The agent's own dispute
// creates no such action.
func TestAgentActionsOfDisputesEnd(t *testing.T) {
	t.Parallel()
	for _, by := range []market.PrincipalKind{market.PrincipalAgent, market.PrincipalHuman} {
		r := newRig(t)
		agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
		filer := human
		if by == market.PrincipalAgent {
			filer = agent
		}
		r.disputed(agent, human, filer)
		if by == market.PrincipalHuman {
			r.wantAgentAction(agent, client.AgentActionKindAnswerDispute)
			r.net.Warp(t, 48*time.Hour)
			r.settle()
		}
		r.wantNoChore(agent)
	}
}

// balance returns the token balance of the user's wallet.
func (r *rig) balance(of *user) *big.Int {
	r.t.Helper()
	tokens, _, err := r.net.Reader.Balances(r.t.Context(), of.signer.Address())
	if err != nil {
		r.t.Fatal(err)
	}
	return tokens
}

// sendChore sends the calldata of the agent's only pending action. It fails the test unless the
// transaction returns exactly one token to the agent.
func (r *rig) sendChore(agent *user, kind client.AgentActionKind) {
	r.t.Helper()
	action := r.wantAgentAction(agent, kind)
	if action.Calldata == nil {
		r.t.Fatalf("%s has no calldata: %+v", kind, action)
	}
	before := r.balance(agent)
	r.send(agent.signer, action.Calldata.To, action.Calldata.Data)
	if back := new(big.Int).Sub(r.balance(agent), before); back.Cmp(chaintest.Tokens(1)) != 0 {
		r.t.Errorf("%s returned %s", kind, back)
	}
	r.wantNoChore(agent)
}

func TestAgentActionsReturnLockedAmounts(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	task := r.funded(agent)
	r.net.Post(t, r.net.Agent, chaintest.Tokens(1), common.HexToHash(task.TermsHash))
	r.settle()
	if second := r.agentActions(agent).Actions; len(second) != 1 || second[0].TaskID == nil || *second[0].TaskID != task.ID {
		t.Errorf("second posting = %+v", second)
	}
	feed, err := agent.ListActivityWithResponse(t.Context(), nil)
	if err != nil || feed.JSON200 == nil || !slices.ContainsFunc(feed.JSON200.Activities, func(a client.Activity) bool {
		return a.Kind == client.ActivityKindPostingUnlinked && *a.RelatedID == task.ID
	}) {
		t.Errorf("the feed = %s, %v", answer(feed), err)
	}
	r.sendChore(agent, client.AgentActionKindCancelPosting)
	if got := r.task(agent, task.ID).Status; got != client.TaskStatusFunded {
		t.Fatalf("the task itself is %s", got)
	}
	r.net.Post(t, r.net.Agent, chaintest.Tokens(1), common.Hash{})
	r.settle()
	if unlinked := r.agentActions(agent).Actions; len(unlinked) != 1 || unlinked[0].TaskID != nil {
		t.Errorf("unlinked posting = %+v", unlinked)
	}
	r.sendChore(agent, client.AgentActionKindCancelPosting)
	r.net.Warp(t, 31*24*time.Hour)
	r.settle()
	r.sendChore(agent, client.AgentActionKindCancelExpiredTask)
}

// The call that cancels an expired task contains an on-chain task id that a reorganisation can change, so
// it is returned only once the task's last change has the configured finality. A posting that funds no task
// can be cancelled at once.
func TestActionCalldataWaitsForTheConfiguredFinality(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(o *server.Options) { o.Finality = market.FinalityFinal })
	agent := r.verifiedAgent(r.net.Agent)
	r.funded(agent)
	r.net.Warp(t, 31*24*time.Hour)
	r.settle()
	if action := r.wantAgentAction(agent, client.AgentActionKindCancelExpiredTask); action.Calldata != nil {
		t.Errorf("immediately = %+v", action)
	}
	r.net.Mine(t, 200)
	r.settle()
	r.sendChore(agent, client.AgentActionKindCancelExpiredTask)
	r.net.Post(t, r.net.Agent, chaintest.Tokens(1), common.Hash{})
	r.settle()
	r.sendChore(agent, client.AgentActionKindCancelPosting)
}

func TestAgentActionsArePaged(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	r.submitted(agent, human)
	for range 4 {
		r.net.Post(t, r.net.Agent, chaintest.Tokens(1), common.Hash{})
	}
	r.settle()
	whole := r.agentActions(agent)
	if whole.Total != 5 || whole.Actions[0].ActionType != client.AgentActionKindReviewSubmission {
		t.Fatalf("actions = %+v", whole)
	}
	var got []client.AgentAction
	params := client.ListAgentActionsParams{PageSize: new(2)}
	for range 3 {
		page, err := agent.ListAgentActionsWithResponse(t.Context(), &params)
		if err != nil || page.JSON200 == nil || page.JSON200.Total != 5 {
			t.Fatalf("page = %s, %v", answer(page), err)
		}
		got = append(got, page.JSON200.Actions...)
		params.Cursor = page.JSON200.NextCursor
	}
	if params.Cursor != nil || fmt.Sprint(details(got)) != fmt.Sprint(details(whole.Actions)) {
		t.Errorf("by pages %v, in one list %v", details(got), details(whole.Actions))
	}
}

func details(actions []client.AgentAction) []string {
	all := make([]string, len(actions))
	for i, a := range actions {
		all[i] = a.Details
	}
	return all
}

// statusAt returns the status of a GET request to one of the servers.
func (r *rig) statusAt(origin, path, key string) int {
	r.t.Helper()
	request, err := http.NewRequestWithContext(r.t.Context(), http.MethodGet, origin+"/api/v1"+path, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	request.Header.Set("X-API-Key", key)
	response, err := newValidator(r.t).RoundTrip(request)
	if err != nil {
		r.t.Fatal(err)
	}
	defer response.Body.Close()
	return response.StatusCode
}

func (r *rig) rotate(u *user) client.APIKeyReplacement {
	r.t.Helper()
	got, err := u.RotateAPIKeyWithResponse(r.t.Context())
	if err != nil || got.JSON200 == nil {
		r.t.Fatalf("rotate = %s, %v", answer(got), err)
	}
	return *got.JSON200
}

// dayPasses makes the last replacement of every key just over a day older.
func (r *rig) dayPasses() {
	r.t.Helper()
	_, err := storetest.DB(r.t, r.records).Exec(`
		UPDATE agents
		SET key_rotated_at = key_rotated_at - interval '24 hours 1 minute', key_recovered_at = key_recovered_at - interval '24 hours 1 minute'`)
	if err != nil {
		r.t.Fatal(err)
	}
}

// Every server refuses a rotated key once the response has been sent, even a server that has just
// cached it as valid.
func TestRotatedKeyIsRefusedEverywhere(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	origins := []string{r.url, r.replica().url}
	paths := []string{"/tasks/?scope=mine", "/activity", "/agents/me"}
	for _, origin := range origins {
		for _, path := range paths {
			if got := r.statusAt(origin, path, agent.key); got != 200 {
				t.Fatalf("GET %s before = %d", path, got)
			}
		}
	}
	replaced := r.rotate(agent)
	for _, origin := range origins {
		for _, path := range paths {
			if got := r.statusAt(origin, path, agent.key); got != 401 {
				t.Errorf("GET %s with the old key = %d, want 401", path, got)
			}
			if got := r.statusAt(origin, path, replaced.APIKey); got != 200 {
				t.Errorf("GET %s with the new key = %d, want 200", path, got)
			}
		}
	}
	me, err := r.withKey(replaced.APIKey).GetAgentMeWithResponse(t.Context(), nil)
	if err != nil || me.JSON200 == nil || !strings.HasPrefix(replaced.APIKey, me.JSON200.APIKeyPrefix) {
		t.Errorf("agents/me = %s, %v", answer(me), err)
	}
	r.neverKept(replaced.APIKey)
}

func TestRotationIsLimitedToOncePerDay(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	agent := r.agent(r.net.Agent)
	second := r.withKey(r.rotate(agent).APIKey)
	got := r.do("POST", "/api/v1/agents/api-keys/rotate", "", "X-API-Key", second.key)
	wait, err := strconv.Atoi(got.header.Get("Retry-After"))
	if got.status != 429 || errorOf(t, got.body) != "rotation_too_soon" || err != nil || wait < 86_000 || wait > 86_400 {
		t.Errorf("again = %d %s, Retry-After %q", got.status, got.body, got.header.Get("Retry-After"))
	}
	if got := r.statusAt(r.url, "/agents/me", second.key); got != 200 {
		t.Errorf("the key after a refused rotation = %d", got)
	}
	r.dayPasses()
	r.rotate(second)
}

// A thief can rotate a stolen key, but the wallet's owner can recover the agent immediately, and
// the thief cannot prevent that.
func TestRecoveryAfterAThiefsRotation(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	stolen := r.rotate(r.agent(r.net.Agent)).APIKey
	got, err := r.recoverKey(r.net.Agent)
	if err != nil || got.JSON200 == nil {
		t.Fatalf("recover after a rotation = %s, %v", answer(got), err)
	}
	key := got.JSON200.APIKey
	if thief, owner := r.statusAt(r.url, "/agents/me", stolen), r.statusAt(r.url, "/agents/me", key); thief != 401 || owner != 200 {
		t.Errorf("the thief's key = %d, the owner's = %d", thief, owner)
	}
	if again, err := r.recoverKey(r.net.Agent); err != nil || again.JSON429 == nil || again.JSON429.Error != "rotation_too_soon" {
		t.Errorf("a second recovery = %s, %v", answer(again), err)
	}
	if rotated := r.do("POST", "/api/v1/agents/api-keys/rotate", "", "X-API-Key", key); rotated.status != 429 {
		t.Errorf("a rotation after a recovery = %d %s", rotated.status, rotated.body)
	}
}

func TestRotationAcceptsNoBody(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	agent, human := r.agent(r.net.Agent), r.human(r.net.Human)
	path := "/api/v1/agents/api-keys/rotate"
	for name, test := range map[string]struct {
		body    string
		headers []string
		want    int
	}{
		"no credentials":    {"", nil, 401},
		"a human":           {"", r.credentials(human), 401},
		"a body field":      {`{"api_key":"mine"}`, r.credentials(agent), 400},
		"an unknown key":    {"", []string{"X-API-Key", agent.key[:len(agent.key)-1]}, 401},
		"a query parameter": {"", r.credentials(agent), 400},
		"two keys":          {"", append(r.credentials(agent), "X-API-Key", agent.key), 400},
	} {
		target := path
		if name == "a query parameter" {
			target += "?key=1"
		}
		if got := r.do("POST", target, test.body, test.headers...); got.status != test.want {
			t.Errorf("%s = %d %s, want %d", name, got.status, got.body, test.want)
		}
	}
	if got := r.do("POST", path+"/", "{}", r.credentials(agent)...); got.status != 200 {
		t.Errorf("an empty object = %d %s", got.status, got.body)
	}
}

// When many rotations of a key are sent concurrently to two servers, exactly one succeeds, and it
// returns a valid key.
func TestRotationHappensOnce(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	agent := r.agent(r.net.Agent)
	other, err := client.NewClientWithResponses(r.replica().url+"/api/v1", client.WithHTTPClient(agent.http), client.WithRequestEditorFn(r.keyed(agent.key)))
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	answers := make([]*client.RotateAPIKeyResponse, 50)
	for i := range answers {
		api := []*client.ClientWithResponses{agent.ClientWithResponses, other}[i%2]
		wg.Go(func() {
			got, err := api.RotateAPIKeyWithResponse(t.Context())
			if err != nil {
				t.Errorf("rotate: %v", err)
				return
			}
			answers[i] = got
		})
	}
	wg.Wait()
	count, key := map[int]int{}, ""
	for _, got := range answers {
		if got == nil {
			continue
		}
		count[got.StatusCode()]++
		if got.JSON200 != nil {
			key = got.JSON200.APIKey
		}
	}
	if count[200] != 1 || count[200]+count[401] != len(answers) {
		t.Errorf("statuses = %v, want one 200, the others 401", count)
	}
	if got := r.statusAt(r.url, "/agents/me", key); got != 200 {
		t.Errorf("the returned key = %d", got)
	}
}

// recoverKey performs both steps of a recovery.
func (r *rig) recoverKey(signer *chain.KeySigner) (*client.RecoverAPIKeyResponse, error) {
	r.t.Helper()
	return r.anonymous().RecoverAPIKeyWithResponse(r.t.Context(), r.recovery(signer))
}

// recovery returns a signed request for the second step.
func (r *rig) recovery(signer *chain.KeySigner) client.RecoverAPIKeyRequest {
	r.t.Helper()
	body := client.RecoverAPIKeyRequest{WalletAddress: signer.Address().Hex()}
	asked, err := r.anonymous().RecoverAPIKeyWithResponse(r.t.Context(), body)
	if err != nil || asked.JSON428 == nil {
		r.t.Fatalf("recover, step 1 = %s, %v", answer(asked), err)
	}
	body.Challenge, body.Signature = &asked.JSON428.Challenge, new(signText(r.t, signer, asked.JSON428.Challenge))
	return body
}

func TestRecovery(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	agent := r.agent(r.net.Agent)
	body := r.recovery(r.net.Agent)
	if !strings.HasPrefix(*body.Challenge, "Task Market: recover an API key\nDomain: ") {
		t.Errorf("challenge = %s", *body.Challenge)
	}
	got, err := r.anonymous().RecoverAPIKeyWithResponse(t.Context(), body)
	if err != nil || got.JSON200 == nil {
		t.Fatalf("step 2 = %s, %v", answer(got), err)
	}
	key := got.JSON200.APIKey
	if old, fresh := r.statusAt(r.url, "/agents/me", agent.key), r.statusAt(r.url, "/agents/me", key); old != 401 || fresh != 200 {
		t.Errorf("the old key = %d, the new one = %d", old, fresh)
	}
	again, err := r.anonymous().RecoverAPIKeyWithResponse(t.Context(), body)
	if err != nil || again.JSON400 == nil || again.JSON400.Error != "challenge_mismatch" {
		t.Errorf("the same step 2 again = %s, %v", answer(again), err)
	}
	r.neverKept(key)
	r.dayPasses()
	if later, err := r.recoverKey(r.net.Agent); err != nil || later.JSON200 == nil {
		t.Errorf("a day later = %s, %v", answer(later), err)
	}
}

// Every wallet gets a challenge. Only the owner of the wallet, who can sign it, learns whether an
// agent has the wallet.
func TestOnlyTheWalletsOwnerLearnsWhetherAnAgentExists(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	agent := r.agent(r.net.Agent)
	if got, err := r.recoverKey(agent.signer); err != nil || got.JSON200 == nil { // afterwards, another recovery is refused
		t.Fatalf("recover = %s, %v", answer(got), err)
	}
	r.human(r.net.Human)
	for _, signer := range []*chain.KeySigner{r.net.Agent, r.net.Human, newSigner(t)} {
		r.recovery(signer) // requests a challenge, which every wallet gets
	}
	for _, signer := range []*chain.KeySigner{r.net.Human, newSigner(t)} {
		got, err := r.recoverKey(signer)
		if err != nil || got.JSON404 == nil {
			t.Errorf("a wallet without an agent = %s, %v", answer(got), err)
		}
	}
	// The same wallet's signature over another text is not accepted.
	text := "hello"
	got, err := r.anonymous().RecoverAPIKeyWithResponse(t.Context(), client.RecoverAPIKeyRequest{
		WalletAddress: agent.signer.Address().Hex(), Challenge: &text, Signature: new(signText(t, agent.signer, text)),
	})
	if err != nil || got.JSON400 == nil || got.JSON400.Error != "challenge_mismatch" {
		t.Errorf("a text that is not a challenge = %s, %v", answer(got), err)
	}
}

func TestRecoveryIsBoundToItsWallet(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	agent, thief := r.agent(r.net.Agent), r.net.OtherAgent
	registration := client.RegisterAgentRequest{WalletAddress: newSigner(t).Address().Hex(), Name: "N", Username: "newcomer"}
	asked, err := r.anonymous().RegisterAgentWithResponse(t.Context(), registration)
	if err != nil || asked.JSON428 == nil {
		t.Fatalf("register, step 1 = %s, %v", answer(asked), err)
	}
	for name, test := range map[string]struct {
		change func(*client.RecoverAPIKeyRequest)
		code   string
	}{
		"thief's signature": {func(b *client.RecoverAPIKeyRequest) { b.Signature = new(signText(t, thief, *b.Challenge)) }, "signature_invalid"},
		"thief's wallet":    {func(b *client.RecoverAPIKeyRequest) { b.WalletAddress = thief.Address().Hex() }, "challenge_mismatch"},
		"thief's challenge": {func(b *client.RecoverAPIKeyRequest) {
			b.Challenge = r.recovery(thief).Challenge
			b.Signature = new(signText(t, agent.signer, *b.Challenge))
		}, "challenge_mismatch"},
		"challenge of a registration": {func(b *client.RecoverAPIKeyRequest) {
			b.Challenge, b.Signature = &asked.JSON428.Challenge, new(signText(t, agent.signer, asked.JSON428.Challenge))
		}, "challenge_mismatch"},
		"no signature":               {func(b *client.RecoverAPIKeyRequest) { b.Signature = nil }, "invalid_request"},
		"no challenge":               {func(b *client.RecoverAPIKeyRequest) { b.Challenge = nil }, "invalid_request"},
		"wallet with wrong checksum": {func(b *client.RecoverAPIKeyRequest) { b.WalletAddress = swapCase(b.WalletAddress) }, "invalid_request"},
	} {
		body := r.recovery(agent.signer)
		test.change(&body)
		got, err := r.anonymous().RecoverAPIKeyWithResponse(t.Context(), body)
		if err != nil || got.JSON400 == nil || got.JSON400.Error != test.code {
			t.Errorf("%s = %s, %v, want %s", name, answer(got), err, test.code)
		}
	}
	if got := r.statusAt(r.url, "/agents/me", agent.key); got != 200 {
		t.Errorf("the key afterwards = %d", got)
	}
}

// When many second steps are sent concurrently, in pairs that share a challenge, exactly one
// succeeds.
func TestRecoveryHappensOnce(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	r.agent(r.net.Agent)
	bodies := make([]client.RecoverAPIKeyRequest, 20)
	for i := range bodies {
		bodies[i] = r.recovery(r.net.Agent)
		if i%2 == 1 {
			bodies[i] = bodies[i-1]
		}
	}
	count := concurrently(len(bodies), func(i int) int {
		got, err := r.anonymous().RecoverAPIKeyWithResponse(t.Context(), bodies[i])
		if err != nil {
			t.Errorf("step 2: %v", err)
			return 0
		}
		return got.StatusCode()
	})
	if count[200] != 1 || count[200]+count[400]+count[429] != len(bodies) {
		t.Errorf("statuses = %v, want one 200", count)
	}
}

// Concurrent requests for /agents/me share reads of the balances, and invalid requests cause none.
func TestAgentsMeReadsBalancesOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	p := newNodeProxy(t, r.net.Dev.URL())
	here := r.replica(func(o *server.Options) { o.Reader = chain.NewReader(chaintest.Dial(t, p.URL), r.net.Contracts) })
	agent := r.agent(r.net.Agent)
	before := p.requests.Load()
	for range 20 {
		if got := here.do("GET", "/api/v1/agents/me?handle=a%40elsewhere.example", "", "X-API-Key", agent.key); got.status != 400 {
			t.Fatalf("a handle of an unknown network = %d %s", got.status, got.body)
		}
	}
	if got := p.requests.Load() - before; got != 0 {
		t.Errorf("invalid requests cost %d calls to the node, want 0", got)
	}
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			if got := here.do("GET", "/api/v1/agents/me", "", "X-API-Key", agent.key); got.status != 200 {
				t.Errorf("agents/me = %d %s", got.status, got.body)
			}
		})
	}
	all.Wait()
	if got := p.requests.Load() - before; got > 6 { // two calls per read, and the requests can take more than a second
		t.Errorf("50 requests cost %d calls to the node, want at most 6", got)
	}
	read := func() string { return here.do("GET", "/api/v1/agents/me", "", "X-API-Key", agent.key).body }
	had := read()
	r.net.Send(t, r.net.Agent, r.net.Contracts.TransferToken(common.Address{0xab}, chaintest.Tokens(1)))
	r.settle()
	for end := time.Now().Add(10 * time.Second); read() == had; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the balance after a transfer was not read within 10 s")
		}
	}
}

// While the node does not respond, GET /agents/me returns 503 within ten seconds. It works again as soon as the
// node does.
func TestAgentsMeOutageOfASuspendedNode(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	p := newNodeProxy(t, r.net.Dev.URL())
	here := r.replica(func(o *server.Options) { o.Reader = chain.NewReader(chaintest.Dial(t, p.URL), r.net.Contracts) })
	agent := r.agent(r.net.Agent)
	p.delay.Store(int64(time.Minute))
	var all sync.WaitGroup
	for range 5 {
		all.Go(func() {
			began := time.Now()
			got := here.do("GET", "/api/v1/agents/me", "", "X-API-Key", agent.key)
			if took := time.Since(began); got.status != 503 || errorOf(t, got.body) != "chain_unavailable" || took > 10*time.Second {
				t.Errorf("agents/me = %d %s after %s", got.status, got.body, took)
			}
		})
	}
	all.Wait()
	p.delay.Store(0)
	if got := here.do("GET", "/api/v1/agents/me", "", "X-API-Key", agent.key); got.status != 200 {
		t.Errorf("agents/me after the outage = %d %s", got.status, got.body)
	}
}

func TestAgentChangesUsernameOnce(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	agent, other := r.verifiedAgent(r.net.Agent), r.verifiedAgent(r.net.OtherAgent)
	former := agent.username(r)
	change := func(who *user, username string) *client.ChangeAgentUsernameResponse {
		got, err := who.ChangeAgentUsernameWithResponse(t.Context(), client.ChangeAgentUsernameRequest{Username: username})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if got := change(agent, "support"); got.JSON400 == nil {
		t.Errorf("a reserved username = %s", answer(got))
	}
	if got := change(agent, strings.ToUpper(other.username(r))); got.JSON409 == nil || got.JSON409.Error != "username_taken" {
		t.Errorf("another agent's username = %s", answer(got))
	}
	if got := change(agent, former); got.JSON200 == nil || got.JSON200.UsernameChanged {
		t.Errorf("the current username = %s", answer(got))
	}
	if profile := other.profile(r, former); *profile.UsernameChanged || profile.IsAvailable == nil || *profile.IsAvailable {
		t.Errorf("before the change, profile = %+v", profile)
	}
	for range 2 { // the second request changes nothing
		if got := change(agent, "second-name"); got.JSON200 == nil || !got.JSON200.UsernameChanged || got.JSON200.Username != "second-name" {
			t.Fatalf("change = %s", answer(got))
		}
	}
	if me, err := agent.GetAgentMeWithResponse(t.Context(), nil); err != nil || me.JSON200.Username != "second-name" || !me.JSON200.UsernameChanged || me.JSON200.IsAvailable {
		t.Errorf("agents/me = %s, %v", answer(me), err)
	}
	if profile := other.profile(r, "Second-Name"); !*profile.UsernameChanged {
		t.Errorf("after the change, profile = %+v", profile)
	}
	if got := change(agent, former); got.JSON409 == nil || got.JSON409.Error != "already_exists" {
		t.Errorf("the second change = %s", answer(got))
	}
	if got := change(other, strings.ToUpper(former)); got.JSON409 == nil || got.JSON409.Error != "username_taken" {
		t.Errorf("the former username of another agent = %s", answer(got))
	}
}

// A human can send the whole profile with the current username even if that is reserved, such as the username
// of an erased account.
func TestReservedUsernameIsKept(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	human := r.human(r.net.Human)
	storetest.DB(t, r.records).MustExec(`UPDATE users SET username = 'deleted-5f0c7b1e9a2d' WHERE id = $1`, r.humanID(human))
	for username, want := range map[string]int{"deleted-5f0c7b1e9a2d": 200, "deleted-5f0c7b1e9a2e": 400} {
		body := `{"username":"` + username + `","bio":"I am back."}`
		if got := r.do("PATCH", "/api/v1/humans/me", body, r.credentials(human)...); got.status != want {
			t.Errorf("PATCH /humans/me with %s = %d %s, want %d", username, got.status, got.body, want)
		}
	}
}
