package server_test

import (
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"

	"taskmarket/chain/chaintest"
	"taskmarket/gen/client"
	"taskmarket/market"
	"taskmarket/server"
	"taskmarket/server/screening"
)

// decide imposes a measure as the moderator ada.
func (r *rig) decide(kind market.SubjectKind, subject uuid.UUID, measure market.Measure) market.Decision {
	r.t.Helper()
	d, err := r.store.Moderation.Decide(r.t.Context(), market.Decision{
		ID: uuid.Must(uuid.NewV7()), Subject: market.Subject{Kind: kind, ID: subject}, Measure: measure, Territory: "worldwide",
		Facts: "The text asks for a passport.", Clause: "3.1 Identity documents", DecidedBy: "ada",
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return d
}

func (r *rig) report(by *user, kind client.SubjectType, subject string) *client.CreateReportResponse {
	r.t.Helper()
	got, err := by.CreateReportWithResponse(r.t.Context(), nil, client.ReportRequest{
		SubjectType: kind, Subject: subject, Category: "fraud", Comment: new("a comment for moderators"),
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return got
}

func (r *rig) notices(u *user) []client.Notice {
	r.t.Helper()
	got, err := u.ListNoticesWithResponse(r.t.Context(), nil)
	if err != nil || got.JSON200 == nil {
		r.t.Fatalf("list notices = %s, %v", answer(got), err)
	}
	return got.JSON200.Notices
}

// onBoard reports whether the public board, a human's list and a search contain the task.
func (r *rig) onBoard(human *user, task uuid.UUID) []bool {
	r.t.Helper()
	var found []bool
	for _, query := range []string{"/api/v1/board", "/api/v1/tasks/", "/api/v1/tasks/?q=passport+selfie+photos+harbour+or+harbour"} {
		found = append(found, strings.Contains(r.do("GET", query, "", r.credentials(human)...).body, task.String()))
	}
	return found
}

// A report leads to a decision, a notice with reasons, an appeal, and a decision by another person.
// The author never learns who reported the task.
func TestReportToAppeal(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	task := r.funded(agent)
	reported := r.report(human, "task", task.ID.String())
	if reported.JSON201 == nil || reported.JSON201.SubjectID != task.ID {
		t.Fatalf("report = %s", answer(reported))
	}
	if again := r.report(human, "task", task.ID.String()); again.JSON409 == nil || again.JSON409.Error != "already_exists" {
		t.Errorf("second report = %s", answer(again))
	}
	if own := r.report(agent, "task", task.ID.String()); own.JSON404 == nil {
		t.Errorf("report of an own task = %s", answer(own))
	}
	r.decide(market.SubjectTask, task.ID, market.MeasureHide)
	if found := r.onBoard(human, task.ID); slices.Contains(found, true) {
		t.Errorf("lists with the hidden task = %v", found)
	}
	read := r.do("GET", "/api/v1/tasks/"+task.ID.String()+"/", "", r.credentials(human)...)
	if read.status != http.StatusForbidden {
		t.Errorf("hidden task for another user = %d %s", read.status, read.body)
	}
	notices := r.notices(agent)
	if len(notices) != 1 || notices[0].Measure != "hide" || notices[0].Facts == "" || notices[0].Clause == "" ||
		notices[0].Territory != "worldwide" || notices[0].Automation != "none" || len(r.notices(human)) != 0 {
		t.Fatalf("notices = %+v", notices)
	}
	if feed := r.feed(agent)[0]; feed.Kind != "measure_imposed" || feed.RelatedID == nil || *feed.RelatedID != task.ID {
		t.Errorf("feed = %+v", feed)
	}
	for _, path := range []string{"/api/v1/notices", "/api/v1/activity", "/api/v1/tasks/" + task.ID.String() + "/"} {
		body := r.do("GET", path, "", r.credentials(agent)...).body
		for _, secret := range []string{r.humanID(human).String(), human.username(r), "a comment for moderators", `"ada"`} {
			if strings.Contains(body, secret) {
				t.Errorf("GET %s shows the reporter or the moderator: %s", path, body)
			}
		}
	}
	r.appealAndReverse(agent, human, notices[0])
	if found := r.onBoard(human, task.ID); slices.Contains(found, false) {
		t.Errorf("lists after the reversal = %v", found)
	}
}

// appealAndReverse appeals as the agent; another moderator reverses the measure.
func (r *rig) appealAndReverse(agent, other *user, notice client.Notice) {
	r.t.Helper()
	body := client.AppealRequest{Statement: "It is a photo of my own passport office."}
	foreign, err := other.AppealNoticeWithResponse(r.t.Context(), notice.ID, nil, body)
	if err != nil || foreign.JSON404 == nil {
		r.t.Errorf("appeal of another user = %s, %v", answer(foreign), err)
	}
	appealed, err := agent.AppealNoticeWithResponse(r.t.Context(), notice.ID, nil, body)
	if err != nil || appealed.JSON201 == nil || appealed.JSON201.Appeal == nil || appealed.JSON201.Appeal.Status != "open" {
		r.t.Fatalf("appeal = %s, %v", answer(appealed), err)
	}
	twice, err := agent.AppealNoticeWithResponse(r.t.Context(), notice.ID, nil, body)
	if err != nil || twice.JSON409 == nil {
		r.t.Errorf("second appeal = %s, %v", answer(twice), err)
	}
	open, err := r.store.Moderation.OpenAppeals(r.t.Context())
	if err != nil || len(open) != 1 {
		r.t.Fatalf("open appeals = %+v, %v", open, err)
	}
	if _, err := r.store.Moderation.DecideAppeal(r.t.Context(), open[0].Appeal.ID, market.AppealReversed, "The agent is right.", "ben"); err != nil {
		r.t.Fatal(err)
	}
	if after := r.notices(agent)[0]; after.Appeal.Status != "reversed" || *after.Appeal.Reasons != "The agent is right." || after.EndedAt == nil {
		r.t.Errorf("notice after the appeal = %+v", after)
	}
}

// A task that matches a rule is put on hold when it is created: the response shows the hold, no other user sees
// the task, and its agent can cancel it.
func TestHeldTaskIsInvisible(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	created, err := agent.CreateTaskWithResponse(t.Context(), nil, client.CreateTaskRequest{
		Title: "Harbour photos", Description: "Upload a selfie holding your passport.", EscrowAmount: "1000000000000000000",
	})
	if err != nil || created.JSON201 == nil {
		t.Fatalf("create = %s, %v", answer(created), err)
	}
	task := *created.JSON201
	if task.Visibility != "held" || task.Hold == nil || task.Hold.Rule != "identity" {
		t.Fatalf("created task: visibility %s, hold %+v", task.Visibility, task.Hold)
	}
	_, receipt := r.net.Post(t, agent.signer, chaintest.Tokens(1), common.HexToHash(task.TermsHash))
	confirmed, err := agent.ConfirmTaskFundingWithResponse(t.Context(), task.ID, client.ConfirmRequest{TxHash: receipt.TxHash.Hex()})
	if err != nil || confirmed.JSON200 == nil || confirmed.JSON200.Visibility != "held" {
		t.Fatalf("confirm-create of a held task = %s, %v", answer(confirmed), err)
	}
	if found := r.onBoard(human, task.ID); slices.Contains(found, true) {
		t.Errorf("lists with the held task = %v", found)
	}
	if read := r.do("GET", "/api/v1/tasks/"+task.ID.String()+"/", "", r.credentials(human)...); read.status != http.StatusForbidden {
		t.Errorf("held task for another user = %d", read.status)
	}
	cancelled, err := agent.CancelTaskWithResponse(t.Context(), task.ID)
	if err != nil || cancelled.JSON200 == nil {
		t.Errorf("cancel a held task = %s, %v", answer(cancelled), err)
	}
	r.decide(market.SubjectTask, task.ID, market.MeasureNone)
	if found := r.onBoard(human, task.ID); slices.Contains(found, false) {
		t.Errorf("lists with the shown task = %v", found)
	}
	if shown := r.task(human, task.ID); shown.Visibility != "shown" || shown.Hold != nil {
		t.Errorf("shown task = %s, %+v", shown.Visibility, shown.Hold)
	}
}

// A task is offered for funding only while other users can see it: not while a rule holds it or a measure
// hides or removes it.
func TestOnlyAShownTaskIsFundable(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	want := func(when string, task client.Task, actions string) {
		t.Helper()
		if task.Fundable != (actions == "fund") {
			t.Errorf("%s: visibility %s, fundable %v", when, task.Visibility, task.Fundable)
		}
		r.wantNext(when, task.ID, map[*user]string{agent: actions})
	}
	created, err := agent.CreateTaskWithResponse(t.Context(), nil, client.CreateTaskRequest{
		Title: "Harbour photos", Description: "Upload a selfie holding your passport.", EscrowAmount: "1000000000000000000",
	})
	if err != nil || created.JSON201 == nil {
		t.Fatalf("create = %s, %v", answer(created), err)
	}
	task := *created.JSON201
	want("created and held", task, "")
	want("held", r.task(agent, task.ID), "")
	r.decide(market.SubjectTask, task.ID, market.MeasureNone)
	want("released", r.task(agent, task.ID), "fund")
	for _, measure := range []market.Measure{market.MeasureHide, market.MeasureRemove} {
		r.decide(market.SubjectTask, task.ID, measure)
		want(string(measure), r.task(agent, task.ID), "")
	}
	_, receipt := r.net.Post(t, agent.signer, chaintest.Tokens(1), common.HexToHash(task.TermsHash))
	late, err := agent.ConfirmTaskFundingWithResponse(t.Context(), task.ID, client.ConfirmRequest{TxHash: receipt.TxHash.Hex()})
	if err != nil || late.JSON200 == nil || late.JSON200.Status != "funded" {
		t.Errorf("a posting for the removed task = %s, %v", answer(late), err)
	}
	r.wantNext("funded", task.ID, map[*user]string{agent: "cancel, upload_file"})
}

// Applicants see a placeholder instead of the texts of a removed task, including in lists, and can withdraw.
// The agent still sees the texts.
func TestRemovedTaskIsReadWithoutItsTexts(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, applicant := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	task := r.funded(agent)
	r.applied(applicant, task.ID)
	r.decide(market.SubjectTask, task.ID, market.MeasureRemove)
	list, err := applicant.ListTasksWithResponse(t.Context(), &client.ListTasksParams{Scope: new(client.TaskScopeMine)})
	if err != nil || list.JSON200 == nil || len(list.JSON200.Tasks) != 1 {
		t.Fatalf("list = %s, %v", answer(list), err)
	}
	for what, got := range map[string]client.Task{"list": list.JSON200.Tasks[0], "task": r.task(applicant, task.ID)} {
		if got.Title != market.RemovedText || got.Description != market.RemovedText || len(got.Skills) > 0 || got.Location != nil || got.Visibility != "removed" {
			t.Errorf("%s = %+v", what, got)
		}
	}
	for what, params := range map[string]client.ListTasksParams{"title": {Q: new(task.Title)}, "description": {Q: new(task.Description)}} {
		params.Scope = new(client.TaskScopeMine)
		found, err := applicant.ListTasksWithResponse(t.Context(), &params)
		if err != nil || found.JSON200 == nil || len(found.JSON200.Tasks) > 0 {
			t.Errorf("search for the %s = %s, %v", what, answer(found), err)
		}
	}
	if own := r.task(agent, task.ID); own.Title != task.Title || own.Description != task.Description {
		t.Errorf("the agent's task = %+v", own)
	}
	r.wantNext("removed", task.ID, map[*user]string{applicant: "withdraw"})
}

// screenOf returns the screen of a file with this content.
func screenOf(tb testing.TB, text string) *screening.Screen {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "screening.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		tb.Fatal(err)
	}
	screen, err := screening.New(path)
	if err != nil {
		tb.Fatal(err)
	}
	return screen
}

// A sanctioned wallet cannot register, create a task or apply, but an existing account can sign in.
func TestSanctionedWallets(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, known := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	text := strings.Join([]string{r.net.Agent.Address().Hex(), r.net.Human.Address().Hex(), r.net.OtherHuman.Address().Hex()}, `","`)
	strict := r.replica(func(o *server.Options) { o.Screen = screenOf(t, `{"sanctioned_wallets": ["`+text+`"]}`) })
	task := r.funded(r.verifiedAgent(r.net.OtherAgent))
	want := func(what string, got reply) {
		t.Helper()
		if got.status != http.StatusForbidden || !strings.Contains(got.body, "sanctions list") {
			t.Errorf("%s = %d %s", what, got.status, got.body)
		}
	}
	json := []string{"Content-Type", "application/json"}
	want("register", strict.do("POST", "/api/v1/agents/register", `{"wallet_address":"`+r.net.OtherHuman.Address().Hex()+`","name":"N","username":"new-agent"}`, json...))
	want("create a task", strict.do("POST", "/api/v1/tasks/", bodies["createTask"], append(json, r.credentials(agent)...)...))
	want("apply", strict.do("POST", "/api/v1/tasks/"+task.ID.String()+"/applications", bodies["applyForTask"], append(json, r.credentials(known)...)...))
	if again := strict.human(r.net.Human); again == nil {
		t.Error("an existing account cannot sign in")
	}
}

// An instance can forbid categories and countries, and require a declaration of age.
func TestInstanceRulesApply(t *testing.T) {
	t.Parallel()
	screen := screenOf(t, `{"minimum_age": 18, "forbidden_categories": ["gambling"], "forbidden_countries": ["PT"], "terms_url": "https://market.example/terms"}`)
	r, instance := newRig(t, func(o *server.Options) { o.Screen = screen }), screen.Instance()
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	config, err := r.anonymous().GetInstanceConfigWithResponse(t.Context(), nil)
	if err != nil || config.JSON200 == nil || *config.JSON200.TermsURL != instance.TermsURL || config.JSON200.MinimumAge != 18 ||
		!slices.Equal(config.JSON200.ForbiddenCategories, instance.Categories) || !slices.Equal(config.JSON200.ForbiddenCountries, instance.Countries) {
		t.Errorf("config = %s, %v", answer(config), err)
	}
	for field, change := range map[string]func(*client.CreateTaskRequest){
		"skills":   func(b *client.CreateTaskRequest) { b.Skills = &[]string{"gambling"} },
		"location": func(b *client.CreateTaskRequest) { b.Location = new("Lisbon") },
	} {
		body := client.CreateTaskRequest{Title: "T", Description: "D", EscrowAmount: "1000000000000000000"}
		change(&body)
		got, err := agent.CreateTaskWithResponse(t.Context(), nil, body)
		if err != nil || got.JSON400 == nil || (*got.JSON400.Details)[0].Field != field || (*got.JSON400.Details)[0].Code != "forbidden" {
			t.Errorf("task with a forbidden %s = %s, %v", field, answer(got), err)
		}
	}
	named, err := agent.CreateTaskWithResponse(t.Context(), nil, client.CreateTaskRequest{
		Title: "Test a site", Description: "It offers gamb1ing.", EscrowAmount: "1000000000000000000", Remote: new(true),
	})
	if err != nil || named.JSON201 == nil || named.JSON201.Hold == nil || named.JSON201.Hold.Rule != screening.RuleCategory {
		t.Errorf("task that names a forbidden category = %s, %v", answer(named), err)
	}
	task := r.funded(agent)
	if task.Visibility != "held" || task.Hold == nil || task.Hold.Rule != screening.RuleLocation {
		t.Errorf("task without a location: visibility %s, hold %+v", task.Visibility, task.Hold)
	}
	r.decide(market.SubjectTask, task.ID, market.MeasureNone)
	apply := func() *client.ApplyForTaskResponse {
		t.Helper()
		got, err := human.ApplyForTaskWithResponse(t.Context(), task.ID, nil, client.ApplyForTaskRequest{ApplicationMessage: "Me."})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if got := apply(); got.JSON400 == nil || got.JSON400.Details == nil || (*got.JSON400.Details)[0].Field != "location" {
		t.Errorf("application without a location = %s", answer(got))
	}
	moved, err := human.ChangeHumanMeWithResponse(t.Context(), client.ChangeHumanRequest{Location: new("Graz")})
	if err != nil || moved.JSON200 == nil {
		t.Fatalf("location = %s, %v", answer(moved), err)
	}
	if got := apply(); got.JSON400 == nil || got.JSON400.Error != "declaration_required" {
		t.Errorf("application without a declaration = %s", answer(got))
	}
	declared, err := human.ChangeHumanMeWithResponse(t.Context(), client.ChangeHumanRequest{IsAdult: new(client.ChangeHumanRequestIsAdultTrue)})
	if err != nil || declared.JSON200 == nil || declared.JSON200.AdultAt == nil {
		t.Fatalf("declaration = %s, %v", answer(declared), err)
	}
	if got := apply(); got.JSON201 == nil {
		t.Errorf("application with a declaration = %s", answer(got))
	}
}

// Texts that users write after the creation of a task are stored even if a rule matches them. The rule reports each of
// them once: a message itself, the other texts with their author's profile.
func TestTextsThatARuleMatchesAreReported(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	const forbidden = "Which documents? Send me a photo of your p@ss-port."
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	task := r.active(agent, human)
	texts := map[string]uuid.UUID{} // the titles of the reported texts and their authors
	reports := func(kind market.SubjectKind, id uuid.UUID) []market.Report {
		t.Helper()
		list, err := r.store.Moderation.OpenReports(t.Context(), market.Subject{Kind: kind, ID: id})
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	wantMessage := func(id uuid.UUID) {
		t.Helper()
		list := reports(market.SubjectMessage, id)
		if len(list) != 1 || list[0].Rule != "identity" || list[0].ReporterKind != "" || !strings.Contains(list[0].SubjectText, forbidden) {
			t.Errorf("reports of the message: %+v", list)
		}
	}
	r.sendsFine(agent, human, task.ID)
	if list, more, err := r.store.Moderation.Queue(t.Context(), 1); err != nil || len(list) != 0 || more {
		t.Fatalf("cases after harmless texts: %+v, %v", list, err)
	}

	wantMessage(agent.tell(r, task.ID, forbidden).ID)
	wantMessage(human.tell(r, task.ID, forbidden).ID)
	wantMessage(human.write(r, "", agent, forbidden).ID)

	file := r.upload(agent, task.ID, "send me a photo of your passport.txt", "x")
	if list := reports(market.SubjectFile, file.JSON201.ID); len(list) != 1 || list[0].Rule != "identity" {
		t.Errorf("reports of the name of a file: %+v", list)
	}

	other := r.funded(agent)
	applied, err := human.ApplyForTaskWithResponse(t.Context(), other.ID, nil, client.ApplyForTaskRequest{ApplicationMessage: forbidden})
	if err != nil || applied.JSON201 == nil {
		t.Fatalf("apply = %s, %v", answer(applied), err)
	}
	texts["application"] = human.id
	for range 2 { // clients send whole profiles
		if got := r.do("PATCH", "/api/v1/humans/me", `{"bio":"`+forbidden+`"}`, r.credentials(human)...); got.status != http.StatusOK {
			t.Fatalf("change the profile = %d %s", got.status, got.body)
		}
	}
	texts["profile"] = human.id
	rejected, err := agent.RejectApplicationWithResponse(t.Context(), other.ID, applied.JSON201.Application.ID, client.RejectApplicationRequest{Reason: new(forbidden)})
	if err != nil || rejected.JSON200 == nil {
		t.Fatalf("reject = %s, %v", answer(rejected), err)
	}
	texts["reason of a rejection"] = agent.id
	submitted, err := human.SubmitWorkWithResponse(t.Context(), task.ID, nil, client.SubmitWorkRequest{Note: forbidden, FileIds: []uuid.UUID{}})
	if err != nil || submitted.JSON201 == nil {
		t.Fatalf("submit = %s, %v", answer(submitted), err)
	}
	texts["submitted work"] = human.id
	r.send(human.signer, submitted.JSON201.To, submitted.JSON201.SubmitTaskCalldata)
	disputed, err := agent.DisputeTaskWithResponse(t.Context(), task.ID, nil, client.DisputeTaskRequest{Reason: forbidden})
	if err != nil || disputed.JSON200 == nil {
		t.Fatalf("dispute = %s, %v", answer(disputed), err)
	}
	texts["reason of a dispute"] = agent.id
	r.send(agent.signer, disputed.JSON200.To, disputed.JSON200.DisputeTaskCalldata)
	if got := human.answers(r, task, forbidden); got.JSON201 == nil {
		t.Fatalf("respond = %s", answer(got))
	}
	texts["response to a dispute"] = human.id

	for title, author := range texts {
		found := 0
		for _, report := range reports(market.SubjectProfile, author) {
			if strings.HasPrefix(report.SubjectText, title+"\n\n") && strings.Contains(report.SubjectText, forbidden) &&
				report.Rule == "identity" && strings.Contains(report.Comment, "A rule matched the "+title+".") {
				found++
			}
		}
		if found != 1 {
			t.Errorf("%d reports of the %s", found, title)
		}
	}
	if shown := agent.messages(r, task.ID); shown.Total != 4 || shown.Messages[len(shown.Messages)-1].Content != forbidden && shown.Messages[0].Content != forbidden {
		t.Errorf("messages: %+v", shown)
	}
	if got := human.exported(r); strings.Contains(got, "A rule matched") {
		t.Error("the export contains the reports")
	}
}

// sendsFine writes texts that no rule matches.
func (r *rig) sendsFine(agent, human *user, task uuid.UUID) {
	r.t.Helper()
	agent.tell(r, task, "Please photograph the door at 10:00.")
	human.tell(r, task, "I am there, the door is open. Which documents do you need?")
	human.write(r, "", agent, "Hello, I have a question about the harbour.")
	if got := r.do("PATCH", "/api/v1/humans/me", `{"display_name":"Mara Lind","bio":"I take photos."}`, r.credentials(human)...); got.status != http.StatusOK {
		r.t.Fatalf("change the profile = %d %s", got.status, got.body)
	}
}

// The texts of a registration and of reviews are screened too.
func TestProfilesAndReviewsThatARuleMatchesAreReported(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	body := client.RegisterAgentRequest{
		WalletAddress: r.net.OtherAgent.Address().Hex(), Name: "Harbour", Username: "harbour", Bio: new("I sell c0caine."),
	}
	r.sign(r.net.OtherAgent, &body)
	registered, err := r.anonymous().RegisterAgentWithResponse(t.Context(), body)
	if err != nil || registered.JSON201 == nil {
		t.Fatalf("register = %s, %v", answer(registered), err)
	}
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	task := r.submitted(agent, human)
	r.net.Approve(t, agent.signer, 1)
	r.net.Decide(t, 1, common.HexToHash(*task.WorkHash), 0, true)
	r.settle()
	if got := agent.review(r, task.ID, 5, new("Brought me co-caine.")); got.JSON201 == nil {
		t.Fatalf("review = %s", answer(got))
	}
	for title, author := range map[string]uuid.UUID{"profile": registered.JSON201.AgentID, "review": agent.id} {
		list, err := r.store.Moderation.OpenReports(t.Context(), market.Subject{Kind: market.SubjectProfile, ID: author})
		if err != nil || len(list) != 1 || list[0].Rule != "drugs" || !strings.HasPrefix(list[0].SubjectText, title+"\n\n") {
			t.Errorf("reports of the %s: %+v, %v", title, list, err)
		}
	}
	cases, _, err := r.store.Moderation.Queue(t.Context(), 1)
	if err != nil || len(cases) != 2 || cases[0].Reports != 1 {
		t.Errorf("cases: %+v, %v", cases, err)
	}
}

// A wallet can be an agent and a human. A measure on one of them also restricts the other, even if that account is
// created later.
func TestSuspensionReachesTheOtherAccountOfTheWallet(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	suspend := func(account uuid.UUID) (lift func()) {
		d := r.decide(market.SubjectProfile, account, market.MeasureSuspend)
		return func() {
			_, err := r.store.Moderation.Lift(t.Context(), d.ID, "ada")
			must(t, err)
		}
	}
	agent := r.verifiedAgent(r.net.Agent)
	lift := suspend(agent.id)
	human := r.human(r.net.Agent)
	change := func() int {
		return r.do("PATCH", "/api/v1/humans/me", `{"bio":"New text."}`, r.credentials(human)...).status
	}
	if got := change(); got != http.StatusForbidden {
		t.Errorf("a change of the profile while the wallet's agent is suspended = %d", got)
	}
	lift()
	if got := change(); got != http.StatusOK {
		t.Errorf("a change of the profile after the measure = %d", got)
	}
	lift = suspend(human.id)
	create := func() int {
		return r.do("POST", "/api/v1/tasks/", bodies["createTask"], r.credentials(agent)...).status
	}
	if got := create(); got != http.StatusForbidden {
		t.Errorf("a new task while the wallet's human is suspended = %d", got)
	}
	lift()
	if got := create(); got != http.StatusCreated {
		t.Errorf("a new task after the measure = %d", got)
	}
}
