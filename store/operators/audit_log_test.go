package operators_test

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/operators"
	"taskmarket/store/schema"
	"taskmarket/store/storetest"
)

func auditLog(t *testing.T, s *store.Store, q operators.AuditQuery) []market.AuditEntry {
	t.Helper()
	q.Limit = 100
	entries, err := s.Operators.AuditLog(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return entries
}

// Entries are read newest first, with the origin of the act, and can be selected by each field of the query.
func TestAuditLog(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent, task := storetest.Agent(t, s), uuid.New()
	by := market.Origin{Network: netip.MustParsePrefix("203.0.113.0/24"), RequestID: "request-1"}
	byOperator := market.Origin{Operator: "ada@example.org", Network: netip.MustParsePrefix("2001:db8:1::/48")}
	want := []market.AuditEntry{
		{Kind: market.AuditDecision, SubjectKind: "task", Subject: task.String(), Detail: "hide", Count: 1, Origin: byOperator},
		{Kind: market.AuditSessionsEnded, SubjectKind: "account", Subject: agent.ID.String(), Count: 1, Origin: byOperator},
		{Kind: market.AuditForbidden, Account: agent.ID, Detail: "getTask", Count: 7, Origin: by},
	}
	for i := len(want) - 1; i >= 0; i-- {
		entry := want[i]
		ctx := market.WithOrigin(t.Context(), entry.Origin)
		entry.Origin = market.Origin{}
		if err := s.Operators.WriteAudit(ctx, entry); err != nil {
			t.Fatal(err)
		}
	}
	ignored := cmpopts.IgnoreFields(market.AuditEntry{}, "ID", "At")
	for name, test := range map[string]struct {
		query operators.AuditQuery
		want  []market.AuditEntry
	}{
		"all":      {operators.AuditQuery{}, want},
		"kinds":    {operators.AuditQuery{Kinds: []market.AuditKind{market.AuditForbidden, market.AuditDecision}}, []market.AuditEntry{want[0], want[2]}},
		"account":  {operators.AuditQuery{Account: agent.ID}, want[1:]},
		"operator": {operators.AuditQuery{Operator: "ada@example.org"}, want[:2]},
		"subject":  {operators.AuditQuery{Subject: task.String()}, want[:1]},
		"nothing":  {operators.AuditQuery{Operator: "eve@example.org"}, []market.AuditEntry{}},
	} {
		got := auditLog(t, s, test.query)
		if diff := cmp.Diff(test.want, got, ignored, cmp.Comparer(func(a, b netip.Prefix) bool { return a == b })); diff != "" {
			t.Errorf("%s: AuditLog() (-want +got):\n%s", name, diff)
		}
	}
	all := auditLog(t, s, operators.AuditQuery{})
	if older := auditLog(t, s, operators.AuditQuery{Before: all[0].ID}); len(older) != 2 || older[0].ID != all[1].ID {
		t.Errorf("AuditLog(before the newest) = %+v", older)
	}
	if since := time.Since(all[0].At); since < -time.Minute || since > time.Minute {
		t.Errorf("the entry was written %s ago", since)
	}
}

// The log rejects free text, complete network addresses and other malformed values.
func TestAuditLogRejectsTexts(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	for name, entry := range map[string]market.AuditEntry{
		"kind":       {Kind: "a text"},
		"operator":   {Kind: market.AuditDecision, Origin: market.Origin{Operator: "Ada Lovelace"}},
		"request id": {Kind: market.AuditDecision, Origin: market.Origin{RequestID: "a\nb"}},
		"subject":    {Kind: market.AuditDecision, SubjectKind: "task", Subject: "Clean my flat"},
		"kind alone": {Kind: market.AuditDecision, SubjectKind: "task"},
		"detail":     {Kind: market.AuditDecision, Detail: "because of spam"},
		"long":       {Kind: market.AuditDecision, Detail: strings.Repeat("a", 81)},
		"IPv4":       {Kind: market.AuditDecision, Origin: market.Origin{Network: netip.MustParsePrefix("203.0.113.7/32")}},
		"IPv6":       {Kind: market.AuditDecision, Origin: market.Origin{Network: netip.MustParsePrefix("2001:db8::/64")}},
	} {
		if err := s.Operators.WriteAudit(t.Context(), entry); market.KindOf(err) != market.KindInvalid {
			t.Errorf("%s: WriteAudit() = %v, want %s", name, err, market.KindInvalid)
		}
	}
	if got := auditLog(t, s, operators.AuditQuery{}); len(got) > 0 {
		t.Errorf("AuditLog() = %+v, want nothing", got)
	}
}

func TestAuditKindsAreStored(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	seen := map[market.AuditKind]bool{}
	for _, kind := range market.AuditKinds() {
		if seen[kind] {
			t.Errorf("kind %s is listed twice", kind)
		}
		seen[kind] = true
		if err := s.Operators.WriteAudit(t.Context(), market.AuditEntry{Kind: kind}); err != nil {
			t.Errorf("WriteAudit(%s) = %v", kind, err)
		}
	}
}

// Operators whose names are e-mail addresses can use sign-in links and can be signed out, and the log
// contains their names.
func TestAccessOfOperatorsWithAddresses(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	for i, name := range []string{"ada@example.org", "ada+market@example.org", strings.Repeat("a", 88) + "@example.org"} {
		link, session := common.Hash{byte(i), 1}, common.Hash{byte(i), 2}
		if err := s.Operators.SaveConsoleLink(t.Context(), link, market.Operator{Name: name, Role: market.RoleModerator}); err != nil {
			t.Errorf("SaveConsoleLink(%s) = %v", name, err)
			continue
		}
		if _, err := s.Operators.UseConsoleLink(t.Context(), link, session); err != nil {
			t.Fatal(err)
		}
		if ended, err := s.Operators.EndConsoleAccess(t.Context(), strings.ToUpper(name)); err != nil || ended != 1 {
			t.Errorf("EndConsoleAccess(%s) = %d, %v", name, ended, err)
		}
		if _, err := s.Operators.UseConsoleSession(t.Context(), session); market.KindOf(err) != market.KindUnauthorized {
			t.Errorf("the session of %s after its end = %v", name, err)
		}
	}
	var subjects []string
	for _, e := range auditLog(t, s, operators.AuditQuery{Kinds: []market.AuditKind{market.AuditConsoleLink}}) {
		subjects = append(subjects, e.Subject)
	}
	want := []string{strings.Repeat("a", 80), "ada:plus:market:at:example.org", "ada:at:example.org"}
	if diff := cmp.Diff(want, subjects); diff != "" {
		t.Errorf("subjects of the links (-want +got):\n%s", diff)
	}
}

// The service's role can add entries with the current time, but cannot change, delete or backdate entries.
func TestAuditLogIsAppendOnly(t *testing.T) {
	t.Parallel()
	owner := storetest.New(t)
	storetest.Execute(t, owner, `SELECT create_audit_partition(now() - interval '2 years'), create_audit_partition(now() + interval '1 month')`)
	name, address := storetest.Role(t, owner)
	if err := schema.Grant(t.Context(), storetest.URL(t, owner), name); err != nil {
		t.Fatal(err)
	}
	s := storetest.Open(t, address)
	if err := s.Operators.WriteAudit(t.Context(), market.AuditEntry{Kind: market.AuditDecision}); err != nil {
		t.Fatal(err)
	}
	db := storetest.DB(t, s)
	var partition string
	if err := db.Get(&partition, `SELECT audit_partition(now())`); err != nil {
		t.Fatal(err)
	}
	db.MustExec(`SELECT create_audit_partition(now() + interval '5 months')`)
	for _, statement := range []string{
		`UPDATE audit_log SET kind = 'x'`, `DELETE FROM audit_log`, `TRUNCATE audit_log`, `DROP TABLE audit_log`,
		`INSERT INTO audit_log (kind, created_at) VALUES ('x', now() - interval '1 day')`, `INSERT INTO audit_log (id, kind) VALUES (1, 'x')`,
		`UPDATE ` + partition + ` SET kind = 'x'`, `DELETE FROM ` + partition, `INSERT INTO ` + partition + ` (kind) VALUES ('x')`,
		`DELETE FROM audit_log_` + time.Now().UTC().AddDate(0, 0, 32).Format("2006_01"),
		`SELECT drop_audit_partitions(interval '29 days')`, `ALTER TABLE audit_log DETACH PARTITION ` + partition,
		`CREATE TRIGGER t BEFORE INSERT ON audit_log EXECUTE FUNCTION begin_events()`,
	} {
		if _, err := db.ExecContext(t.Context(), statement); err == nil {
			t.Errorf("the service's role can execute %s", statement)
		}
	}
	if got := auditLog(t, s, operators.AuditQuery{}); len(got) != 1 {
		t.Errorf("AuditLog() = %+v, want one entry", got)
	}
}

// ageAudit moves the log's first partition, with its entries, the given number of months into the past.
func ageAudit(t *testing.T, s *store.Store, months int) {
	t.Helper()
	storetest.Execute(t, s, fmt.Sprintf(`DO $$
		DECLARE
			former text := audit_partition(now());
			aged text := audit_partition(month_start(now(), -%[1]d));
		BEGIN
			EXECUTE format('UPDATE %%I SET created_at = month_start(now(), -%[1]d)', former);
			EXECUTE format('ALTER TABLE audit_log DETACH PARTITION %%I', former);
			EXECUTE format('ALTER TABLE %%I RENAME TO %%I', former, aged);
			EXECUTE format('ALTER TABLE audit_log ATTACH PARTITION %%I FOR VALUES FROM (MINVALUE) TO (%%L)', aged, month_start(now(), 1 - %[1]d));
		END $$`, months))
}

// Sweep drops the partitions that are older than the retention period, and creates the next month's partition.
func TestSweepAuditLog(t *testing.T) {
	t.Parallel()
	for months, left := range map[int]int{2: 1, 4: 0} {
		plain := storetest.New(t)
		s := storetest.Open(t, storetest.URL(t, plain), store.WithAuditRetention(100*24*time.Hour))
		if err := s.Operators.WriteAudit(t.Context(), market.AuditEntry{Kind: market.AuditSignIn}); err != nil {
			t.Fatal(err)
		}
		ageAudit(t, s, months)
		if err := s.Operators.WriteAudit(t.Context(), market.AuditEntry{Kind: market.AuditSignOut}); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := s.Sweep(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if got := auditLog(t, s, operators.AuditQuery{Kinds: []market.AuditKind{market.AuditSignIn}}); len(got) != left {
			t.Errorf("entries after %d months = %d, want %d", months, len(got), left)
		}
		if got := auditLog(t, s, operators.AuditQuery{Kinds: []market.AuditKind{market.AuditSignOut}}); len(got) != 1 {
			t.Errorf("entries of this month = %d, want 1", len(got))
		}
		var next bool
		if err := storetest.DB(t, s).Get(&next, `SELECT to_regclass(audit_partition(month_start(now(), 1))) IS NOT NULL`); err != nil || !next {
			t.Errorf("the next month has a partition = %v, %v", next, err)
		}
	}
}

// An act and its audit entry are one transaction: if the entry cannot be written, the act is rolled back.
func TestActIsUndoneWithoutItsAuditEntry(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent := storetest.Agent(t, s)
	before := agentKeyHash(t, s, agent.ID)
	ctx := market.WithOrigin(t.Context(), market.Origin{RequestID: "not an id"})
	if _, err := s.RotateKey(ctx, agent.ID, before, store.Key{Hash: storetest.Hash(t), Prefix: "tmk_prefix"}); market.KindOf(err) != market.KindInvalid {
		t.Fatalf("RotateKey() = %v, want %s", err, market.KindInvalid)
	}
	if after := agentKeyHash(t, s, agent.ID); after != before {
		t.Error("the key was replaced without an entry in the audit log")
	}
}

func agentKeyHash(t *testing.T, s *store.Store, id uuid.UUID) (hash common.Hash) {
	t.Helper()
	if err := storetest.DB(t, s).Get(&hash, `SELECT key_hash FROM agents WHERE id = $1`, id); err != nil {
		t.Fatal(err)
	}
	return hash
}

// A decision, an appeal and the decision on an appeal are rolled back if their audit entries cannot be written.
func TestModerationIsUndoneWithoutItsAuditEntry(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	task := storetest.Funded(t, s)
	without := market.WithOrigin(t.Context(), market.Origin{RequestID: "not an id"})
	visible := func() int { return storetest.BoardLength(t, s) }

	_, err := s.Moderation.Decide(without, storetest.Measure(storetest.TaskSubject(task), market.MeasureHide, "ada"))
	storetest.WantKind(t, "Decide()", err, market.KindInvalid)
	if visible() != 1 {
		t.Error("the task was hidden without an entry in the audit log")
	}
	d := storetest.Must(s.Moderation.Decide(t.Context(), storetest.Measure(storetest.TaskSubject(task), market.MeasureHide, "ada")))
	appeal := market.Appeal{ID: storetest.NewID(), DecisionID: d.ID, Statement: "It is a shop window."}
	_, err = s.Moderation.AddAppeal(without, appeal, task.AgentID)
	storetest.WantKind(t, "AddAppeal()", err, market.KindInvalid)
	if open := storetest.Must(s.Moderation.OpenAppeals(t.Context())); len(open) != 0 {
		t.Errorf("open appeals after AddAppeal() = %+v", open)
	}
	storetest.Must(s.Moderation.AddAppeal(t.Context(), appeal, task.AgentID))
	_, err = s.Moderation.DecideAppeal(without, appeal.ID, market.AppealReversed, "It is a shop.", "ben")
	storetest.WantKind(t, "DecideAppeal()", err, market.KindInvalid)
	if open := storetest.Must(s.Moderation.OpenAppeals(t.Context())); len(open) != 1 || visible() != 0 {
		t.Errorf("after DecideAppeal(): %d open appeals, %d tasks on the board", len(open), visible())
	}
	if entries := auditLog(t, s, operators.AuditQuery{Subject: task.ID.String(), Limit: 10}); len(entries) != 2 {
		t.Errorf("audit log = %+v, want the decision and the appeal", entries)
	}
}
