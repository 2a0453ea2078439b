package console_test

import (
	"context"
	"html"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"taskmarket/market"
	"taskmarket/store/moderation"
	"taskmarket/store/operators"
	"taskmarket/store/storetest"
)

// statement returns the form of a decision without the CSRF token.
func statement(measure string) url.Values {
	return url.Values{"measure": {measure}, "facts": {"It asks\r\nfor passports."}, "clause": {"3.1 Identity documents"}, "territory": {"worldwide"}}
}

// measure limits an account on behalf of a moderator.
func (r *rig) measure(moderator string, account uuid.UUID) market.Decision {
	r.t.Helper()
	d, err := r.store.Moderation.Decide(r.t.Context(), market.Decision{
		ID: uuid.Must(uuid.NewV7()), Subject: market.Subject{Kind: market.SubjectProfile, ID: account}, Measure: market.MeasureLimit,
		Territory: "worldwide", Facts: "Spam.", Clause: "2", DecidedBy: moderator,
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return d
}

func (r *rig) appeal(d market.Decision) market.Appeal {
	r.t.Helper()
	a := market.Appeal{ID: uuid.Must(uuid.NewV7()), DecisionID: d.ID, Statement: "<b>No\u202e</b> https://evil.example"}
	if _, err := r.store.Moderation.AddAppeal(r.t.Context(), a, d.AuthorID); err != nil {
		r.t.Fatal(err)
	}
	return a
}

func (r *rig) report(kind market.SubjectKind, subject, comment string) {
	r.t.Helper()
	_, err := r.store.Moderation.AddReport(r.t.Context(), moderation.NewReport{
		ID: uuid.Must(uuid.NewV7()), Reporter: market.Principal{Kind: market.PrincipalHuman, ID: storetest.Human(r.t, r.store).ID},
		Kind: kind, Subject: subject, Category: market.ReportFraud, Comment: comment,
	})
	if err != nil {
		r.t.Fatal(err)
	}
}

// send sends a confirmed form with the CSRF token.
func (b *browser) send(path string, form url.Values) reply {
	b.t.Helper()
	form.Set("csrf", b.csrf())
	form.Set("confirmed", "yes")
	return b.do(http.MethodPost, path, form)
}

// A report leads to a decision, an appeal, and a decision on the appeal by another person. Each act is in
// the audit log with the operator's name.
func TestModeration(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	human := storetest.Human(t, r.store)
	r.report(market.SubjectProfile, human.Username, "He asks for passports.")
	page := "/moderation/profile/" + human.ID.String()
	ada, ben := r.signedIn("ada", market.RoleModerator), r.signedIn("ben", market.RoleModerator)
	if got := ada.get("/moderation"); !strings.Contains(got.body, `href="`+page+`"`) || !strings.Contains(got.body, "<dt>Open reports</dt><dd>1</dd>") {
		t.Fatalf("the queue = %d %s", got.status, got.body)
	}
	if got := ada.get(page); got.status != http.StatusOK || !strings.Contains(got.body, "He asks for passports.") {
		t.Fatalf("the case = %d %s", got.status, got.body)
	}
	if got := ada.send(page+"/decide", statement("suspend")); got.status != http.StatusSeeOther || got.header.Get("Location") != page+"?done=decided" {
		t.Fatalf("decide = %d %s", got.status, got.body)
	}
	decisions, err := r.store.Moderation.SubjectDecisions(t.Context(), market.Subject{Kind: market.SubjectProfile, ID: human.ID})
	if err != nil || len(decisions) != 1 || decisions[0].Facts != "It asks\nfor passports." || decisions[0].DecidedBy != "ada" {
		t.Fatalf("decisions = %+v, %v", decisions, err)
	}
	if got := ada.send(page+"/decide", statement("hide")); got.status != http.StatusConflict && got.status != http.StatusBadRequest || !strings.Contains(got.body, "not more severe") {
		t.Errorf("a milder measure = %d %s", got.status, got.body)
	}
	a := r.appeal(decisions[0].Decision)
	if got := ben.get("/moderation"); !strings.Contains(got.body, "<dt>Open appeals</dt><dd>1</dd>") {
		t.Errorf("the queue has no appeal: %s", got.body)
	}
	got := ada.get(page)
	if !strings.Contains(got.body, "another person must decide") || strings.Contains(got.body, "/appeals/") || strings.Contains(got.body, "<b>") || strings.ContainsRune(got.body, '\u202e') {
		t.Errorf("the case for the first person = %s", got.body)
	}
	outcome := url.Values{"outcome": {"reversed"}, "reasons": {"You are right."}}
	decide := "/appeals/" + a.ID.String() + "/decide"
	for _, name := range []string{"ada", "cli:ada", "ADA", "Ada@example.org"} {
		if got := r.signedIn(name, market.RoleOperator).send(decide, outcome); got.status != http.StatusForbidden {
			t.Errorf("the appeal decided by %s = %d", name, got.status)
		}
	}
	if got := ben.send(decide, outcome); got.status != http.StatusSeeOther || got.header.Get("Location") != page+"?done=reversed" {
		t.Fatalf("decide the appeal = %d %s", got.status, got.body)
	}
	if got := ben.send(decide, outcome); got.status < http.StatusBadRequest {
		t.Errorf("decide the appeal twice = %d", got.status)
	}
	acts := r.acts()
	for _, want := range []string{"report_read ada ", "decision ada ", "appeal_decision ben "} {
		if !slices.Contains(acts, want+human.ID.String()) {
			t.Errorf("acts = %q, want %q", acts, want)
		}
	}
}

var hiddenField = regexp.MustCompile(`(?s)<textarea name="([a-z]+)" hidden>\n(.*?)</textarea>`)

// No form of the console changes anything before the operator has confirmed it. The question names the author,
// and its form sends the same fields again.
func TestActionsAreConfirmed(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	human := storetest.Human(t, r.store)
	r.report(market.SubjectProfile, human.Username, "He asks for passports.")
	b := r.session("ada", market.RoleOperator)
	page, subject := "/moderation/profile/"+human.ID.String(), market.Subject{Kind: market.SubjectProfile, ID: human.ID}
	unconfirmed := func(path string, form url.Values) reply {
		t.Helper()
		form.Set("csrf", b.csrf())
		form.Set("about", "profile of mallory")
		return b.do(http.MethodPost, path, form)
	}
	asked := unconfirmed(page+"/decide", statement("limit"))
	if asked.status != http.StatusOK || !strings.Contains(asked.body, "Impose the measure “limit” on the profile of "+human.Username) {
		t.Fatalf("the question = %d %s", asked.status, asked.body)
	}
	if decisions, err := r.store.Moderation.SubjectDecisions(t.Context(), subject); err != nil || len(decisions) != 0 {
		t.Fatalf("decisions before the confirmation = %v, %v", decisions, err)
	}
	form := url.Values{}
	for _, field := range hiddenField.FindAllStringSubmatch(asked.body, -1) {
		form.Set(field[1], html.UnescapeString(field[2]))
	}
	if got := b.send(page+"/decide", form); got.status != http.StatusSeeOther {
		t.Fatalf("the confirmed decision = %d %s", got.status, got.body)
	}
	decisions, err := r.store.Moderation.SubjectDecisions(t.Context(), subject)
	if err != nil || len(decisions) != 1 || decisions[0].Measure != market.MeasureLimit || decisions[0].Facts != "It asks\nfor passports." {
		t.Fatalf("decisions = %+v, %v", decisions, err)
	}
	a := r.appeal(decisions[0].Decision)
	for path, form := range map[string]url.Values{
		page + "/decide": {"measure": {"none"}}, "/decisions/" + decisions[0].ID.String() + "/lift": {},
		"/appeals/" + a.ID.String() + "/decide":            {"outcome": {"reversed"}, "reasons": {"No."}},
		"/accounts/" + human.ID.String() + "/end-sessions": {},
	} {
		if got := unconfirmed(path, form); got.status != http.StatusOK || !strings.Contains(got.body, `name="confirmed" value="yes"`) || !strings.Contains(got.body, " of "+human.Username+"?") && !strings.Contains(got.body, " of "+human.Username+" needs") {
			t.Errorf("POST %s without a confirmation = %d %s", path, got.status, got.body)
		}
	}
	if decisions, err = r.store.Moderation.SubjectDecisions(t.Context(), subject); err != nil || len(decisions) != 1 || decisions[0].EndedAt != nil {
		t.Errorf("decisions = %+v, %v", decisions, err)
	}
}

// The queue, the case and the audit log name accounts by their usernames, with the id beside them.
func TestAccountsAreNamed(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	human := storetest.Human(t, r.store)
	r.report(market.SubjectProfile, human.Username, "He asks for passports.")
	b := r.session("ada", market.RoleOperator)
	page := "/moderation/profile/" + human.ID.String()
	if got := b.get("/moderation"); !strings.Contains(got.body, ">profile of "+human.Username+"</a>") {
		t.Errorf("the queue = %s", got.body)
	}
	if got := b.get(page); !regexp.MustCompile(`>human [a-z0-9-]*[a-z][a-z0-9-]*</a> <code class="quiet">`).MatchString(got.body) || regexp.MustCompile(`>human [0-9a-f]{8}-[0-9a-f]{4}-`).MatchString(got.body) {
		t.Errorf("the report names no reporter: %s", got.body)
	}
	if got := b.send(page+"/decide", statement("limit")); got.status != http.StatusSeeOther {
		t.Fatalf("decide = %d %s", got.status, got.body)
	}
	if got := b.get("/audit"); !strings.Contains(got.body, `<a href="`+page+`">`+human.Username+"</a>") {
		t.Errorf("the audit log = %s", got.body)
	}
}

// A measure is lifted once. A statement that is not valid changes nothing, and stays in the form.
func TestModerationStatements(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	human := storetest.Human(t, r.store)
	page := "/moderation/profile/" + human.ID.String()
	b := r.signedIn("ada", market.RoleModerator)
	for name, change := range map[string][2]string{
		"no clause": {"clause", ""}, "blank facts": {"facts", " \r\n"}, "long facts": {"facts", strings.Repeat("x", market.MaxFacts+1)},
		"a measure for tasks": {"measure", "remove"}, "no measure": {"measure", ""}, "nothing to close": {"measure", "none"},
		"a zero byte": {"facts", "a\x00b"}, "invalid UTF-8": {"facts", "\xff"}, "two lines": {"clause", "a\nb"},
	} {
		form := statement("limit")
		form.Set(change[0], change[1])
		if got := b.send(page+"/decide", form); got.status < 400 || got.status >= 500 || !strings.Contains(got.body, `role="alert"`) {
			t.Errorf("%s = %d", name, got.status)
		}
	}
	form := statement("limit")
	form.Del("clause")
	if got := b.send(page+"/decide", form); !strings.Contains(got.body, "It asks\nfor passports.</textarea>") {
		t.Errorf("the form lost its text: %s", got.body)
	}
	form = statement("limit")
	form.Set("facts", strings.Repeat("😀", market.MaxFacts))
	if got := b.send(page+"/decide", form); got.status != http.StatusSeeOther {
		t.Fatalf("the longest statement = %d %s", got.status, got.body)
	}
	decisions, err := r.store.Moderation.SubjectDecisions(t.Context(), market.Subject{Kind: market.SubjectProfile, ID: human.ID})
	if err != nil || len(decisions) != 1 {
		t.Fatalf("decisions = %d, %v", len(decisions), err)
	}
	lift := "/decisions/" + decisions[0].ID.String() + "/lift"
	if got := b.send(lift, url.Values{}); got.status != http.StatusSeeOther || got.header.Get("Location") != page+"?done=lifted" {
		t.Errorf("lift = %d %s", got.status, got.body)
	}
	if got := b.send(lift, url.Values{}); got.status < 400 || got.status >= 500 {
		t.Errorf("lift twice = %d", got.status)
	}
	for path, want := range map[string]int{
		"/moderation/wallet/" + someID: 404, "/moderation/task/" + someID: 404, "/moderation/task/x": 404, page: 200, "/accounts?q=%00": 400,
	} {
		if got := b.get(path); got.status != want {
			t.Errorf("GET %s = %d, want %d", path, got.status, want)
		}
	}
}

// The text of a subject is shown without active content, and links in it are plain text.
func TestModeratedTextsAreInert(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	const hostile = "<a href=\"https://evil.example\">pay</a>\nhttps://evil.example/\u202egnp <script>alert(1)</script></pre>"
	task := storetest.Task(t, r.store, storetest.Agent(t, r.store), func(task *market.Task) { task.Title, task.Description = hostile[:30], hostile })
	got := r.signedIn("ada", market.RoleModerator).get("/moderation/task/" + task.ID.String())
	if got.status != http.StatusOK || !strings.Contains(got.body, "&lt;a href=") || strings.Contains(got.body, `href="https:`) ||
		strings.Contains(got.body, "<script") || strings.ContainsRune(got.body, '\u202e') || strings.Count(got.body, "</pre>") != 1 {
		t.Errorf("the case = %d %s", got.status, got.body)
	}
}

// from returns a browser that connects from the address.
func (r *rig) from(address string) *browser {
	b := r.browser()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	b.client.Transport = &http.Transport{DialContext: func(ctx context.Context, network, to string) (net.Conn, error) {
		return dialer.DialContext(ctx, network, to)
	}}
	r.t.Cleanup(b.client.CloseIdleConnections)
	return b
}

// untilLimited repeats an attempt of a network that has used up its limit since began, until the attempt is
// refused, and returns the refusal. It fails the test if more attempts pass than the network gained in that time.
func untilLimited(t *testing.T, began time.Time, attempt func() reply) reply {
	t.Helper()
	for passed := 1; ; passed++ {
		got := attempt()
		if got.status == http.StatusTooManyRequests {
			return got
		}
		if passed > market.ConsoleSignIns*int(1+time.Since(began)/market.ConsoleSignInPeriod) {
			t.Fatalf("attempt %d above the limit of the network = %d %s", passed, got.status, got.body)
		}
	}
}

// Sign-ins with links that are not valid are limited for each network. A malformed token does not count. A valid
// link signs in above the limit, also from a network that has reached it.
func TestSignInsAreLimited(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	attempt := func(address string, form url.Values) reply {
		return r.from(address).do(http.MethodPost, "/sign-in", form)
	}
	invented := token("/sign-in?token=" + strings.Repeat("A", 43))
	for range 2 * market.ConsoleSignIns {
		if got := attempt("127.0.1.1", url.Values{"token": {"x"}}); got.status != http.StatusBadRequest {
			t.Fatalf("a malformed token = %d", got.status)
		}
	}
	for _, network := range []string{"127.0.1.", "127.0.3.", "127.0.4.", "127.0.5."} {
		began := time.Now()
		for range market.ConsoleSignIns {
			if got := attempt(network+"1", invented); got.status != http.StatusUnauthorized {
				t.Fatalf("an invented token = %d %s", got.status, got.body)
			}
		}
		if got := untilLimited(t, began, func() reply { return attempt(network+"2", invented) }); got.header.Get("Retry-After") == "" {
			t.Fatalf("an invented token above the limit of the network = %d %v", got.status, got.header)
		}
	}
	for _, address := range []string{"127.0.1.2", "127.0.2.1"} {
		if got := attempt(address, token(r.link("ada", market.RoleModerator))); got.status != http.StatusSeeOther {
			t.Errorf("a valid link from %s = %d %s", address, got.status, got.body)
		}
	}
	if seen := r.refused.take(); !slices.Contains(seen, "console_sign_in_refused rate_limit ") {
		t.Errorf("refusals = %q", seen)
	}
}

// A moderator downloads a file only while a report of it is open, and the read is recorded.
func TestReportedFilesAreDownloads(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := storetest.Agent(t, r.store)
	task := storetest.Task(t, r.store, agent)
	file := market.File{
		ID: uuid.Must(uuid.NewV7()), TaskID: task.ID, Filename: "x\".html", ContentType: "text/html", Size: 3,
		UploaderKind: market.PrincipalAgent, UploaderID: agent.ID,
	}
	if err := r.store.AddFile(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	if err := r.files.WriteAll(t.Context(), file.ID.String(), []byte("<b>"), nil); err != nil {
		t.Fatal(err)
	}
	b := r.signedIn("ada", market.RoleModerator)
	page := "/moderation/file/" + file.ID.String()
	if got := b.get(page + "/content"); got.status != http.StatusForbidden || strings.Contains(got.body, "<b>") {
		t.Errorf("a file without a report = %d %s", got.status, got.body)
	}
	storetest.DB(t, r.store).MustExec(`
		INSERT INTO reports (id, reporter_id, reporter_kind, subject_kind, subject_id, author_id, category)
		VALUES ($1, $2, 'human', 'file', $3, $4, 'fraud')`, uuid.Must(uuid.NewV7()), storetest.Human(t, r.store).ID, file.ID, agent.ID)
	if got := b.get(page); !strings.Contains(got.body, `href="`+page+`/content"`) {
		t.Errorf("the case has no download: %s", got.body)
	}
	got := b.get(page + "/content")
	if got.status != http.StatusOK || got.body != "<b>" || got.header.Get("Content-Type") != "application/octet-stream" ||
		!strings.HasPrefix(got.header.Get("Content-Disposition"), `attachment; filename="x_.html"`) ||
		got.header.Get("Content-Security-Policy") != "sandbox; default-src 'none'" || got.header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("the download = %d %v %q", got.status, got.header, got.body)
	}
	entries, err := r.store.Operators.AuditLog(t.Context(), operators.AuditQuery{Subject: file.ID.String(), Limit: 1})
	if err != nil || len(entries) != 1 || entries[0].Kind != market.AuditReportRead || entries[0].Detail != "content" || entries[0].Operator != "ada" {
		t.Errorf("the audit log has %+v, %v", entries, err)
	}
	if err := r.files.Delete(t.Context(), file.ID.String()); err != nil {
		t.Fatal(err)
	}
	if got := b.get(page + "/content"); got.status != http.StatusNotFound {
		t.Errorf("a file without content = %d", got.status)
	}
}

// The page of a message shows its text, also the copy of a decision, only while a report or an appeal is open. Each
// read is recorded. Without a report, no measure can be imposed on it.
func TestPrivateMessagesAreWithheld(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := storetest.Agent(t, r.store), storetest.Human(t, r.store)
	by := market.Principal{Kind: market.PrincipalAgent, ID: agent.ID, Username: agent.Username, Wallet: agent.Wallet, Verified: true}
	conversation, err := r.store.OpenConversation(t.Context(), by, human.Username)
	if err != nil {
		t.Fatal(err)
	}
	message := market.DirectMessage{ID: uuid.Must(uuid.NewV7()), ConversationID: conversation, Content: "Send your passport."}
	if _, err := r.store.AddDirectMessage(t.Context(), message, by); err != nil {
		t.Fatal(err)
	}
	page := "/moderation/message/" + message.ID.String()
	b, ben := r.signedIn("ada", market.RoleModerator), r.signedIn("ben", market.RoleModerator)
	read := func(when string, b *browser, want bool) {
		t.Helper()
		before := len(r.acts())
		got := b.get(page)
		acts := r.acts()[before:]
		recorded := slices.ContainsFunc(acts, func(act string) bool { return strings.HasPrefix(act, "report_read ") })
		if len(acts) == 0 {
			t.Errorf("%s: the view of the case is not recorded", when)
		}
		if got.status != http.StatusOK || strings.Contains(got.body, message.Content) != want || recorded != want {
			t.Errorf("%s: the case = %d, recorded %t, %s", when, got.status, recorded, got.body)
		}
	}
	read("without a report", b, false)
	if got := b.send(page+"/decide", statement("hide")); got.status != http.StatusForbidden || strings.Contains(got.body, message.Content) {
		t.Errorf("decide without a report = %d %s", got.status, got.body)
	}
	storetest.DB(t, r.store).MustExec(`
		INSERT INTO reports (id, reporter_id, reporter_kind, subject_kind, subject_id, author_id, category)
		VALUES ($1, $2, 'human', 'message', $3, $4, 'fraud')`, uuid.Must(uuid.NewV7()), human.ID, message.ID, agent.ID)
	read("reported", b, true)
	if got := b.send(page+"/decide", statement("hide")); got.status != http.StatusSeeOther {
		t.Fatalf("decide = %d %s", got.status, got.body)
	}
	read("hidden", ben, false)
	decisions, err := r.store.Moderation.SubjectDecisions(t.Context(), market.Subject{Kind: market.SubjectMessage, ID: message.ID})
	if err != nil || len(decisions) != 1 {
		t.Fatalf("decisions = %d, %v", len(decisions), err)
	}
	r.appeal(decisions[0].Decision)
	read("under appeal", ben, true)
}

// The case of a held task shows what the terms forbid. The queue has pages, and a report by a user with a
// linked account comes before those by users without one.
func TestQueueHasPages(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := storetest.Agent(t, r.store)
	held, db := storetest.Task(t, r.store, agent), storetest.DB(t, r.store)
	db.MustExec(`UPDATE tasks SET visibility = 'held', hold_rule = 'identity', hold_due_at = now() WHERE id = $1`, held.ID)
	b := r.signedIn("ada", market.RoleModerator)
	if got := b.get("/moderation/task/" + held.ID.String()); !strings.Contains(got.body, "held by the rule identity: Identity documents are forbidden.") {
		t.Errorf("the case = %s", got.body)
	}
	task, reporter := storetest.Task(t, r.store, agent), storetest.Human(t, r.store, func(h *market.Human) { h.Link = nil })
	insert := func(reporter market.Human, subject uuid.UUID) {
		t.Helper()
		db.MustExec(`
			INSERT INTO reports (id, reporter_id, reporter_kind, subject_kind, subject_id, author_id, category)
			VALUES ($1, $2, 'human', 'task', $3, $4, 'spam')`, uuid.Must(uuid.NewV7()), reporter.ID, subject, agent.ID)
	}
	for range 201 { // reports of records that no longer exist are listed, too
		insert(reporter, uuid.Must(uuid.NewV7()))
	}
	verified := storetest.Human(t, r.store)
	insert(verified, task.ID)
	first, second := b.get("/moderation"), b.get("/moderation?page=2")
	if !strings.Contains(first.body, task.ID.String()) || !strings.Contains(first.body, held.ID.String()) || !strings.Contains(first.body, `href="/moderation?page=2"`) {
		t.Errorf("the first page = %d %s", first.status, first.body)
	}
	if rows := strings.Count(second.body, `href="/moderation/task/`); second.status != http.StatusOK || rows != 3 || strings.Contains(second.body, "page=3") {
		t.Errorf("the second page = %d with %d rows", second.status, rows)
	}
	for _, page := range []string{"0", "-1", "x", "51"} {
		if got := b.get("/moderation?page=" + page); got.status != http.StatusBadRequest {
			t.Errorf("page %s = %d", page, got.status)
		}
	}
}
