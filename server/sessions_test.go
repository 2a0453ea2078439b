package server_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"taskmarket/gen/client"
	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

// sessions returns the human's sessions.
func (u *user) sessions(r *rig) []client.SessionRecord {
	r.t.Helper()
	got, err := u.ListSessionsWithResponse(r.t.Context())
	if err != nil || got.JSON200 == nil {
		r.t.Fatalf("GET /auth/sessions = %s, %v", answer(got), err)
	}
	return got.JSON200.Sessions
}

// session returns the user's current session.
func (u *user) session(r *rig) client.SessionRecord {
	r.t.Helper()
	for _, s := range u.sessions(r) {
		if s.IsCurrent {
			return s
		}
	}
	r.t.Fatal("no session is marked as current")
	return client.SessionRecord{}
}

// status returns the status of a request with the user's session.
func (u *user) status(r *rig) int {
	r.t.Helper()
	got, err := u.GetHumanMeWithResponse(r.t.Context())
	if err != nil {
		r.t.Fatal(err)
	}
	return got.StatusCode()
}

// A human sees each session with its browser and network, and can end any of them.
func TestThreat58SessionsAreListedAndEnded(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	signer := newSigner(t)
	const secret = "Firefox/144.0 (X11; Linux x86_64) unique-marker-5521"
	r.human(signer) // the first session, from Go's HTTP client
	message := r.siwe(r.anonymous(), signer.Address().Hex()).Message
	login := r.do("POST", "/api/v1/auth/siwe/login", `{"message":`+quote(message)+`,"signature":"`+signText(t, signer, message)+`"}`, "User-Agent", secret)
	if login.status != 200 {
		t.Fatalf("login = %d %s", login.status, login.body)
	}
	u := r.human(signer)
	listed := u.sessions(r)
	if len(listed) != 3 {
		t.Fatalf("sessions = %+v, want three", listed)
	}
	current, labels := 0, map[string]int{}
	for _, s := range listed {
		if s.IsCurrent {
			current++
		}
		labels[string(s.Browser)+"/"+string(s.System)]++
		if s.Network == nil || *s.Network != "127.0.0.0/24" || s.LastUsedAt.Before(s.CreatedAt.Time) || s.ExpiresAt.Sub(s.LastUsedAt.Time) != market.SessionIdle {
			t.Errorf("session = %+v", s)
		}
	}
	if current != 1 || labels["firefox/linux"] != 1 || labels["other/other"] != 2 {
		t.Errorf("%d current, labels %v", current, labels)
	}
	if strings.Contains(r.log.String(), "unique-marker") || strings.Contains(strings.Join(storetest.Rows(t, r.records, `SELECT s::text FROM sessions s`), ""), "unique-marker") {
		t.Error("the User-Agent header was stored or logged")
	}
	other := r.human(signer)
	stranger := r.human(newSigner(t))
	id := other.session(r).ID
	for name, refused := range map[string]struct {
		by *user
		id uuid.UUID
	}{"another human": {stranger, id}, "an unknown session": {u, uuid.Must(uuid.NewV7())}} {
		if got, err := refused.by.LogoutSessionWithResponse(t.Context(), refused.id); err != nil || got.StatusCode() != 404 {
			t.Errorf("%s ends the session = %s, %v", name, answer(got), err)
		}
	}
	if got := other.status(r); got != 200 {
		t.Fatalf("the session before its end = %d", got)
	}
	if got, err := u.LogoutSessionWithResponse(t.Context(), id); err != nil || got.JSON200 == nil {
		t.Errorf("end the session = %s, %v", answer(got), err)
	}
	if got, err := u.LogoutSessionWithResponse(t.Context(), id); err != nil || got.StatusCode() != 404 {
		t.Errorf("end the session again = %s, %v", answer(got), err)
	}
	if got := other.status(r); got != 401 || u.status(r) != 200 || len(u.sessions(r)) != 3 {
		t.Errorf("the ended session = %d, the other %d", got, u.status(r))
	}
}

// Signing out everywhere ends all sessions of one human, with their streams, and no others.
func TestThreat58SignOutEverywhere(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	signer := newSigner(t)
	first, second, stranger := r.human(signer), r.human(signer), r.human(newSigner(t))
	stream := r.do("GET", "/api/v1/events?follow=false", "", "Cookie", first.cookie(t, r.url).String())
	if stream.status != 200 {
		t.Fatalf("events = %d %s", stream.status, stream.body)
	}
	cookie := second.cookie(t, r.url).String()
	got := r.do("POST", "/api/v1/auth/sessions/logout", "", "Cookie", cookie, "Origin", r.url, "X-CSRF-Token", second.csrf)
	if got.status != 200 || !strings.Contains(got.header.Get("Set-Cookie"), "Max-Age=0") {
		t.Fatalf("sign out everywhere = %d %s", got.status, got.body)
	}
	if a, b, c := first.status(r), second.status(r), stranger.status(r); a != 401 || b != 401 || c != 200 {
		t.Errorf("afterwards = %d, %d, another human %d; want 401, 401, 200", a, b, c)
	}
	if rows := storetest.Rows(t, r.records, `SELECT account_id || ' ' || count AS entry FROM audit_log WHERE kind = 'sessions_ended'`); len(rows) != 1 || rows[0] != `{"entry": "`+first.id.String()+` 2"}` {
		t.Errorf("the audit log has %q, want the end of two sessions of %s", rows, first.id)
	}
	if got := r.do("GET", "/api/v1/events?follow=false", "", "Cookie", first.cookie(t, r.url).String()); got.status != 401 {
		t.Errorf("events afterwards = %d %s", got.status, got.body)
	}
}

// The eleventh sign-in ends the oldest session.
func TestThreat58SessionsAreLimited(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	signer := newSigner(t)
	var all []*user
	for range market.MaxSessions + 2 {
		all = append(all, r.human(signer))
		time.Sleep(5 * time.Millisecond) // sign-in times have a resolution of one millisecond
	}
	for i, u := range all {
		want := http.StatusOK
		if i < 2 {
			want = http.StatusUnauthorized
		}
		if got := u.status(r); got != want {
			t.Errorf("session %d = %d, want %d", i, got, want)
		}
	}
	if n := len(all[5].sessions(r)); n != market.MaxSessions {
		t.Errorf("%d sessions, want %d", n, market.MaxSessions)
	}
	ended := r.audit(store.AuditQuery{Kinds: []market.AuditKind{market.AuditSignOut}})
	if len(ended) != 2 || ended[0].Account != all[0].id || ended[0].Detail != market.AuditSessionLimit {
		t.Errorf("the audit log has %+v, want the ends of two sessions at the limit", ended)
	}
}

// A session that is not used for eight hours ends, for both requests and event streams. Its last use is
// recorded at most once every five minutes.
func TestThreat58IdleSessionsEnd(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	signer := newSigner(t)
	u, idle := r.human(signer), r.human(signer)
	db := storetest.DB(t, r.records)
	unused := func(of *user, ago time.Duration) {
		t.Helper()
		db.MustExecContext(t.Context(), `UPDATE sessions SET created_at = now() - interval '20 hours', last_used_at = now() - make_interval(secs => $2)
			WHERE encode(substring(id_hash FROM 1 FOR 16), 'hex')::uuid = $1`, of.session(r).ID, ago.Seconds())
	}
	unused(u, market.SessionInterval-10*time.Second)
	before := u.session(r).LastUsedAt.Time
	if after := u.session(r).LastUsedAt.Time; !after.Equal(before) || time.Since(after) < 4*time.Minute {
		t.Errorf("the last use moved from %s to %s within five minutes", before, after)
	}
	unused(u, market.SessionInterval+10*time.Second)
	if got := u.status(r); got != 200 || time.Since(u.session(r).LastUsedAt.Time) > time.Minute {
		t.Errorf("after five minutes = %d, last use %s", got, u.session(r).LastUsedAt)
	}
	unused(u, market.SessionIdle-10*time.Second)
	if got := u.status(r); got != 200 {
		t.Errorf("shortly before the end = %d", got)
	}
	unused(idle, market.SessionIdle+time.Second)
	for range 2 {
		if got := idle.status(r); got != 401 {
			t.Errorf("an idle session = %d", got)
		}
	}
	if got := r.do("GET", "/api/v1/events?follow=false", "", "Cookie", idle.cookie(t, r.url).String()); got.status != 401 {
		t.Errorf("events of an idle session = %d %s", got.status, got.body)
	}
	if n := len(u.sessions(r)); n != 1 {
		t.Errorf("%d sessions are listed, want 1", n)
	}
}
