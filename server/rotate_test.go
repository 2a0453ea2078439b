package server_test

import (
	"taskmarket/chain"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

	"taskmarket/gen/client"
	"taskmarket/store/storetest"
)

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
func TestThreat25RotatedKeyIsRefusedEverywhere(t *testing.T) {
	t.Parallel()
	r := newRig(t)
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
	r := newRig(t)
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
func TestThreat25RecoveryAfterAThiefsRotation(t *testing.T) {
	t.Parallel()
	r := newRig(t)
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
	r := newRig(t)
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
func TestThreat25RotationHappensOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t)
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
	r := newRig(t)
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
	r := newRig(t)
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
	r := newRig(t)
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
	r := newRig(t)
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
