package server_test

import (
	"taskmarket/chain"
	"context"
	"encoding/json"
	"log/slog"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"taskmarket/gen/client"
	"taskmarket/market"
	"taskmarket/server"
	"taskmarket/server/auditlog"
	"taskmarket/server/gate"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

// recordRefusals makes the server record refusals, and returns a function that writes them.
func recordRefusals() (option, func(*rig)) {
	var refusals *auditlog.Refusals
	return func(o *server.Options) {
			refusals = auditlog.New(o.Store.WriteAudit, func(int) {})
			o.Refused = refusals.Note
			o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
		}, func(r *rig) {
			if err := refusals.Flush(context.WithoutCancel(r.t.Context())); err != nil {
				r.t.Fatal(err)
			}
		}
}

func (r *rig) audit(q store.AuditQuery) []market.AuditEntry {
	r.t.Helper()
	q.Limit = 100
	entries, err := r.store.AuditLog(r.t.Context(), q)
	if err != nil {
		r.t.Fatal(err)
	}
	slices.Reverse(entries)
	return entries
}

// wantAudit checks the kinds of an account's entries, oldest first, and that each has its origin.
func (r *rig) wantAudit(account uuid.UUID, want ...market.AuditKind) {
	r.t.Helper()
	var got []market.AuditKind
	for _, e := range r.audit(store.AuditQuery{Account: account}) {
		got = append(got, e.Kind)
		if e.Network != netip.MustParsePrefix("127.0.0.0/24") || e.RequestID == "" {
			r.t.Errorf("%s has the network %s and the request id %q", e.Kind, e.Network, e.RequestID)
		}
	}
	if !slices.Equal(got, want) {
		r.t.Errorf("acts of %s = %q, want %q", account, got, want)
	}
}

// Each act that changes credentials has one entry in the audit log, which contains no secrets.
func TestAuditLogHasSignInsAndKeys(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.agent(r.net.Agent)
	rotated := r.rotate(agent)
	recovery := r.recovery(r.net.Agent)
	recovered, err := r.anonymous().RecoverAPIKeyWithResponse(t.Context(), recovery)
	if err != nil || recovered.JSON200 == nil {
		t.Fatalf("recover = %s, %v", answer(recovered), err)
	}
	if again, err := r.anonymous().RecoverAPIKeyWithResponse(t.Context(), recovery); err != nil || again.JSON400 == nil {
		t.Fatalf("the same recovery again = %s, %v", answer(again), err)
	}
	r.wantAudit(agent.id, market.AuditRegistration, market.AuditKeyRotation, market.AuditKeyRecovery)

	human := r.human(r.net.Human)
	first := human.cookie(t, r.url).Value
	r.human(r.net.Human)
	if out, err := human.LogoutWithResponse(t.Context()); err != nil || out.JSON200 == nil {
		t.Fatalf("logout = %s, %v", answer(out), err)
	}
	r.wantAudit(human.id, market.AuditRegistration, market.AuditSignIn, market.AuditSignIn, market.AuditSignOut)

	rows := strings.Join(storetest.Rows(t, r.records, `SELECT to_jsonb(r)::text FROM audit_log r`), "\n")
	for name, secret := range map[string]string{
		"first key": agent.key, "rotated key": rotated.APIKey, "recovered key": recovered.JSON200.APIKey, "signature": *recovery.Signature,
		"session": first, "CSRF token": human.csrf, "wallet": r.net.Human.Address().Hex()[2:], "username": "agent-",
	} {
		if strings.Contains(strings.ToLower(rows), strings.ToLower(secret)) {
			t.Errorf("the audit log contains the %s", name)
		}
	}
}

// Refused credentials and forbidden requests are in the audit log, with the networks of their clients.
func TestAuditLogHasRefusals(t *testing.T) {
	t.Parallel()
	record, flush := recordRefusals()
	r := newRig(t, record)
	agent, human, other := r.verifiedAgent(r.net.Agent), r.human(r.net.Human), r.human(r.net.OtherHuman)
	task := r.active(agent, human)
	from := func(address, request string, headers ...string) []string {
		return append(headers, "X-Forwarded-For", address, "X-Request-Id", request)
	}
	wrong := "tmk_" + strings.Repeat("0", 43) + "_000000"
	for range 3 {
		r.do("GET", "/api/v1/agents/me", "", from("203.0.113.77", "wrong-key", "X-API-Key", wrong)...)
	}
	r.do("GET", "/api/v1/agents/me", "", from("2001:db8:1:2::3", "wrong-key-6", "X-API-Key", wrong)...)
	r.do("POST", "/api/v1/auth/logout", "", from("198.51.100.1", "csrf", "Cookie", human.cookie(t, r.url).String())...)
	r.do("GET", "/api/v1/tasks/"+task.ID.String()+"/messages/", "", from("198.51.100.2", "forbidden", "Cookie", other.cookie(t, r.url).String())...)
	message := r.siwe(r.anonymous(), r.net.Human.Address().Hex()).Message
	r.do("POST", "/api/v1/auth/siwe/login", `{"message":`+quote(message)+`,"signature":"`+signText(t, r.net.OtherHuman, message)+`"}`,
		from("198.51.100.3", "sign-in")...)
	recovery := r.recovery(r.net.Agent)
	*recovery.Signature = signText(t, r.net.OtherHuman, *recovery.Challenge)
	body, err := json.Marshal(recovery)
	if err != nil {
		t.Fatal(err)
	}
	r.do("POST", "/api/v1/agents/api-keys/recover", string(body), from("198.51.100.4", "recovery")...)
	// These requests are not recorded as refusals.
	r.do("GET", "/api/v1/agents/me", "", from("192.0.2.1", "no-key")...)
	r.do("GET", "/api/v1/tasks/"+uuid.NewString(), "", from("192.0.2.1", "not-found", "X-API-Key", agent.key)...)
	flush(r)

	want := map[market.AuditEntry]bool{
		{Kind: market.AuditKeyRefused, Detail: "getAgentMe", Count: 3, Origin: origin("203.0.113.0/24", "wrong-key")}:                          true,
		{Kind: market.AuditKeyRefused, Detail: "getAgentMe", Count: 1, Origin: origin("2001:db8:1::/48", "wrong-key-6")}:                       true,
		{Kind: market.AuditCSRFRefused, Account: human.id, Detail: "logout", Count: 1, Origin: origin("198.51.100.0/24", "csrf")}:              true,
		{Kind: market.AuditForbidden, Account: other.id, Detail: "listTaskMessages", Count: 1, Origin: origin("198.51.100.0/24", "forbidden")}: true,
		{Kind: market.AuditSignInRefused, Detail: "loginWithEthereum", Count: 1, Origin: origin("198.51.100.0/24", "sign-in")}:                 true,
		{Kind: market.AuditProofRefused, Detail: "recoverAPIKey", Count: 1, Origin: origin("198.51.100.0/24", "recovery")}:                     true,
	}
	for _, e := range r.audit(store.AuditQuery{Kinds: []market.AuditKind{
		market.AuditKeyRefused, market.AuditCSRFRefused, market.AuditForbidden, market.AuditSignInRefused, market.AuditProofRefused,
	}}) {
		e.ID, e.At = 0, time.Time{}
		if !want[e] {
			t.Errorf("unexpected entry %+v", e)
		}
		delete(want, e)
	}
	for missing := range want {
		t.Errorf("no entry %+v", missing)
	}
}

func origin(network, request string) market.Origin {
	return market.Origin{Network: netip.MustParsePrefix(network), RequestID: request}
}

// A client can choose the id of its request in the response, but not the one in the audit log, which would keep
// the client's text. The log has both.
func TestAuditLogHasNoRequestIDOfAClient(t *testing.T) {
	t.Parallel()
	record, flush := recordRefusals()
	log := &logBuffer{}
	r := newRig(t, record, func(o *server.Options) {
		o.TrustedProxies = nil
		o.Log = slog.New(gate.LogHandler(slog.NewJSONHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}), nil))
	})
	message := r.siwe(r.anonymous(), r.net.Human.Address().Hex()).Message
	login := func(signer *chain.KeySigner, id string) {
		t.Helper()
		got := r.do("POST", "/api/v1/auth/siwe/login", `{"message":`+quote(message)+`,"signature":"`+signText(t, signer, message)+`"}`,
			"Origin", r.url, "Content-Type", "application/json", "X-Request-Id", id)
		if got.header.Get("X-Request-Id") != id {
			t.Errorf("the response to %s has the id %q", id, got.header.Get("X-Request-Id"))
		}
	}
	login(r.net.OtherHuman, "Ada.Lovelace-refused")
	login(r.net.Human, "Ada.Lovelace-signed-in")
	flush(r)
	entries := r.audit(store.AuditQuery{})
	for _, kind := range []market.AuditKind{market.AuditSignIn, market.AuditSignInRefused} {
		if !slices.ContainsFunc(entries, func(e market.AuditEntry) bool { return e.Kind == kind }) {
			t.Errorf("no entry %s", kind)
		}
	}
	for _, e := range entries {
		if e.RequestID == "" || strings.Contains(e.RequestID, "Ada") {
			t.Errorf("%s has the request id %q", e.Kind, e.RequestID)
		}
		if e.Kind == market.AuditSignIn && !strings.Contains(log.String(), `"request_id":"Ada.Lovelace-signed-in","audit_id":"`+e.RequestID+`"`) {
			t.Errorf("no log line has both ids of the sign-in: %s", log.String())
		}
	}
}

// Reads write no entry to the audit log.
func TestReadsWriteNoAuditEntry(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.agent(r.net.Agent)
	before := len(r.audit(store.AuditQuery{}))
	if got, err := agent.ListTasksWithResponse(t.Context(), &client.ListTasksParams{}); err != nil || got.HTTPResponse.StatusCode >= 500 {
		t.Fatalf("GET /tasks/ = %s, %v", answer(got), err)
	}
	r.me(agent)
	if after := len(r.audit(store.AuditQuery{})); after != before {
		t.Errorf("two reads wrote %d entries", after-before)
	}
}
