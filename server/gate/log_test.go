package gate_test

import (
	"encoding/json"
	"log/slog"
	"strings"
	"testing"

	"taskmarket/server/gate"
	"taskmarket/store/storetest"
)

// maxLogLine is the maximum length of a log line about a request in bytes.
const maxLogLine = 4 << 10

// A request cannot end a log line, fill the log or put a secret into it, even at the debug level.
func TestRequestsCannotForgeLogLines(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(), r.human()
	log := &logBuffer{}
	logged := r.replica(func(o *gate.Options) {
		o.Log = slog.New(gate.LogHandler(slog.NewJSONHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}), nil))
	})
	session := strings.TrimPrefix(human.cookie, "taskmarket_session=")
	const forged = "%0d%0a%7b%22level%22:%22ERROR%22,%22msg%22:%22forged%22%7d%1b[31m%e2%80%a8%00"
	signature := "0x" + strings.Repeat("5e", 65)
	db := storetest.DB(t, r.store)
	for _, broken := range []bool{false, true} { // requests that fail are logged by other code
		if broken {
			db.MustExec(`ALTER TABLE users RENAME TO lost`)
		}
		for _, path := range []string{"/api/v1/tasks/" + forged, "/" + forged, "/api/v1/profiles/" + strings.Repeat("a", 100<<10), "/docs?q=" + strings.Repeat(forged, 100)} {
			logged.target(path, "X-API-Key: "+agent.key, "X-Request-Id: "+strings.Repeat("i", 10_000), "User-Agent: \tforged\t"+strings.Repeat("u", 10_000))
		}
		logged.target("/api/v1/humans/me", "Cookie: "+human.cookie, "X-Request-Id: {}")
		logged.do("GET", "/api/v1/tasks/?q="+forged, "", "X-API-Key", agent.key)
		logged.do("POST", "/api/v1/agents/me/rotate-key?x="+agent.key, "", "X-API-Key", agent.key)
		logged.do("POST", "/api/v1/auth/siwe/login", `{"message":"forged","signature":"`+signature+`"}`)
	}
	db.MustExec(`ALTER TABLE lost RENAME TO users`)
	lines, failures := 0, 0
	for line := range strings.Lines(log.String()) {
		var entry struct{ Level, Msg string }
		if err := json.Unmarshal([]byte(line), &entry); err != nil || entry.Msg == "" || entry.Msg == "forged" {
			t.Errorf("the server did not write this line: %.300q, %v", line, err)
		}
		if len(line) > maxLogLine {
			t.Errorf("a line has %d bytes: %.300q", len(line), line)
		}
		for what, secret := range map[string]string{"key": agent.key, "session": session, "CSRF token": human.csrf, "signature": signature} {
			if strings.Contains(line, secret) {
				t.Errorf("a line contains the %s: %.300q", what, line)
			}
		}
		lines++
		if entry.Level != "DEBUG" {
			failures++
		}
	}
	if lines < 16 || failures < 2 {
		t.Errorf("%d lines, %d about failures, want at least 16 and 2", lines, failures)
	}
}
