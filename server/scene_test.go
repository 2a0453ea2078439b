package server_test

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"

	"taskmarket/chain/chaintest"
	"taskmarket/gen/client"
	"taskmarket/market"
	"taskmarket/store/moderation"
)

// unknownID is an id that no record has.
const unknownID = "0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80"

// scene is a market with a record of every kind and an account for every principal.
// testdata/authorisation.txt explains their names.
type scene struct {
	*rig
	owner, other, unverified                 *user
	assigned, applicant, stranger, validator *user
	revoked                                  string   // a key of the owner that was replaced
	ended                                    []string // credentials of a session that has been signed out

	// ids contains the values of path parameters, by record name and parameter name. Usernames are
	// also used in request bodies.
	ids map[string]map[string]string

	secretTexts secretTexts
}

func newScene(t *testing.T) *scene {
	t.Helper()
	r := newRig(t)
	s := &scene{rig: r, ids: map[string]map[string]string{"-": {}}, secretTexts: sentSecrets()}
	s.castAgents()
	s.assigned, s.applicant = r.human(r.net.Human), r.human(r.net.OtherHuman)
	s.validator = r.human(r.net.Validators[0])
	// The owner of the contracts has no special rights in the API.
	s.stranger = r.human(r.net.Owner)
	s.ended = s.credentials(s.human(s.assigned.signer))
	if got := s.do("POST", "/api/v1/auth/logout", "", s.ended...); got.status != 200 {
		t.Fatalf("logout = %d %s", got.status, got.body)
	}
	s.addUsers()
	s.addConversations()
	s.addTasks()
	s.addNested()
	s.addModeration()
	return s
}

// castAgents registers the agents and rotates their keys, so that a further rotation is refused.
func (s *scene) castAgents() {
	rotated := func(u *user) *user {
		fresh := s.withKey(s.rotate(u).APIKey)
		fresh.id, fresh.signer = u.id, u.signer
		return fresh
	}
	owner := s.verifiedAgent(s.net.Agent)
	s.revoked = owner.key
	s.owner, s.other = rotated(owner), rotated(s.verifiedAgent(s.net.OtherAgent))
	s.unverified = rotated(s.agent(newSigner(s.t)))
}

func (s *scene) addUsers() {
	for name, u := range map[string]*user{"agent": s.owner, "human": s.assigned, "newcomer": s.unverified} {
		s.ids[name] = map[string]string{"id": u.id.String(), "username": u.username(s.rig)}
	}
	s.ids["unknown"] = map[string]string{
		"id": unknownID, "appId": unknownID, "fileId": unknownID, "conversationId": unknownID, "username": "nobody-has-this",
		"noticeId": unknownID, "sessionId": unknownID,
	}
	s.ids["session"] = map[string]string{"sessionId": s.human(s.assigned.signer).session(s.rig).ID.String()}
}

func (s *scene) addConversations() {
	start := func(record string, from, to *user, sides ...string) {
		if s.ids[record] == nil {
			s.ids[record] = map[string]string{}
		}
		said := from.write(s.rig, "", to, s.secretTexts.to("a conversation, "+record, sides...))
		s.ids[record]["conversationId"] = said.ConversationID.String()
	}
	start("own", s.owner, s.assigned, "owner", "assigned")
	start("newcomer", s.applicant, s.unverified, "applicant")
	start("foreign", s.other, s.stranger, "other", "stranger")
}

// addTasks creates a task in every relevant status. The applicant has applied for each of the
// owner's funded tasks except "open"; only the application for the task "funded" has a stake.
func (s *scene) addTasks() {
	s.addTask("new", s.secretTask(), nil)
	s.addTask("open", s.funded(s.owner), nil)

	funded := s.funded(s.owner)
	staked := s.applied(s.applicant, funded.ID)
	s.addTask("funded", funded, s.owner, "owner")["appId"] = staked.ID.String()

	// The work is readable by other principals once it is submitted.
	s.addHired("active", "assigned")
	submitted := s.addHired("submitted", "owner", "assigned", "validator")
	s.submit(s.assigned, submitted, s.idOf("submitted", "fileId"))

	disputed := s.addHired("disputed", "assigned")
	s.submit(s.assigned, disputed)
	dispute, err := s.owner.DisputeTaskWithResponse(s.t.Context(), disputed, nil, client.DisputeTaskRequest{
		Reason: s.secretTexts.to("a dispute", "owner", "assigned", "validator"),
	})
	if err != nil || dispute.JSON200 == nil {
		s.t.Fatalf("dispute = %s, %v", answer(dispute), err)
	}
	s.send(s.owner.signer, dispute.JSON200.To, dispute.JSON200.DisputeTaskCalldata)

	s.end(s.addHired("ended", "assigned"))
	s.addCancelled()
	s.addForeign()
}

// secretTask creates a task that only its agent can read.
func (s *scene) secretTask() client.Task {
	created, err := s.owner.CreateTaskWithResponse(s.t.Context(), nil, client.CreateTaskRequest{
		Title: s.secretTexts.to("a new task", "owner"), Description: "Ten photos.", EscrowAmount: "1000000000000000000",
	})
	if err != nil || created.JSON201 == nil {
		s.t.Fatalf("create task = %s, %v", answer(created), err)
	}
	return *created.JSON201
}

// addTask names a task and returns its record. If uploader is not nil, it uploads a file that only
// the readers can read.
func (s *scene) addTask(name string, task client.Task, uploader *user, readers ...string) map[string]string {
	record := s.ids[name]
	if record == nil {
		record = map[string]string{}
		s.ids[name] = record
	}
	record["id"] = task.ID.String()
	if uploader != nil {
		content := s.secretTexts.to("a file, "+name, readers...)
		up := s.upload(uploader, task.ID, content, content)
		if up.JSON201 == nil {
			s.t.Fatalf("upload to %s = %s", name, answer(up))
		}
		record["fileId"] = up.JSON201.ID.String()
	}
	return record
}

// addHired creates a task that is assigned to a human, with an applicant who was not chosen and a
// file for the readers.
func (s *scene) addHired(name string, readers ...string) uuid.UUID {
	task := s.funded(s.owner)
	s.addTask(name, task, nil)
	s.appliesFor(name)
	s.hire(s.owner, s.assigned, task.ID)
	s.addTask(name, task, s.assigned, readers...)
	return task.ID
}

// appliesFor makes the applicant apply for the task without a stake.
func (s *scene) appliesFor(name string) {
	got, err := s.applicant.ApplyForTaskWithResponse(s.t.Context(), s.idOf(name, "id"), nil, client.ApplyForTaskRequest{
		ApplicationMessage: s.secretTexts.to("an application, "+name, "owner", "applicant"),
	})
	if err != nil || got.JSON201 == nil {
		s.t.Fatalf("apply for %s = %s, %v", name, answer(got), err)
	}
	s.ids[name]["appId"] = got.JSON201.Application.ID.String()
}

// end submits the work and makes the agent and the validators approve it.
func (s *scene) end(id uuid.UUID) {
	s.submit(s.assigned, id)
	onChain := s.onChain(id)
	s.net.Approve(s.t, s.owner.signer, onChain)
	s.net.Decide(s.t, onChain, s.workHash(id), 0, true)
	s.settle()
}

func (s *scene) addCancelled() {
	task := s.funded(s.owner)
	s.addTask("cancelled", task, nil)
	s.appliesFor("cancelled")
	s.net.Cancel(s.t, s.owner.signer, s.onChain(task.ID))
	s.settle()
}

// addForeign creates the other agent's task, with work submitted by the stranger.
func (s *scene) addForeign() {
	s.net.Send(s.t, s.net.Owner, s.net.Contracts.TransferToken(s.stranger.signer.Address(), chaintest.Tokens(1)))
	task := s.funded(s.other)
	application, _ := s.hire(s.other, s.stranger, task.ID)
	record := s.addTask("foreign", task, s.stranger, "other", "stranger", "validator")
	record["appId"] = application.String()
	s.submit(s.stranger, task.ID, s.idOf("foreign", "fileId"))
}

// addModeration makes all users except the unverified agent report the owner's profile, hides a task of the
// owner, and makes the owner appeal.
func (s *scene) addModeration() {
	for _, u := range []*user{s.other, s.assigned, s.applicant, s.stranger, s.validator} {
		kind := market.PrincipalHuman
		if u == s.other {
			kind = market.PrincipalAgent
		}
		_, err := s.store.Moderation.AddReport(s.t.Context(), moderation.NewReport{
			ID: uuid.Must(uuid.NewV7()), Reporter: market.Principal{Kind: kind, ID: s.userID(u)}, Kind: market.SubjectProfile,
			Subject: s.ids["agent"]["username"], Category: market.ReportSpam,
		})
		if err != nil {
			s.t.Fatal(err)
		}
	}
	notice := s.decide(market.SubjectTask, s.idOf("cancelled", "id"), market.MeasureHide).ID
	s.ids["notice"] = map[string]string{"noticeId": notice.String()}
	_, err := s.store.Moderation.AddAppeal(s.t.Context(), market.Appeal{
		ID: uuid.Must(uuid.NewV7()), DecisionID: notice, Statement: s.secretTexts.to("an appeal", "owner"),
	}, s.owner.id)
	if err != nil {
		s.t.Fatal(err)
	}
}

// userID returns the id of an agent or a human.
func (s *scene) userID(u *user) uuid.UUID {
	if u.id != uuid.Nil {
		return u.id
	}
	return s.humanID(u)
}

// addNested pairs the ids of tasks with ids of records that belong to other tasks or do not exist.
func (s *scene) addNested() {
	pair := func(name, task, nested string) {
		s.ids[name] = maps.Clone(s.ids[nested])
		s.ids[name]["id"] = s.ids[task]["id"]
	}
	pair("misplaced", "funded", "active")
	pair("crossed", "funded", "foreign")
	pair("smuggled", "foreign", "funded")
	pair("missing", "funded", "unknown")
}

// in returns the scene for a subtest.
func (s *scene) in(t *testing.T) *scene {
	t.Helper()
	here, r := *s, *s.rig
	r.t, here.rig = t, &r
	return &here
}

func (s *scene) idOf(record, parameter string) uuid.UUID {
	return uuid.MustParse(s.ids[record][parameter])
}

// onChain returns the task's id in the escrow contract.
func (s *scene) onChain(id uuid.UUID) uint64 {
	number, err := strconv.ParseUint(*s.task(s.owner, id).EscrowTaskID, 10, 64)
	if err != nil {
		s.t.Fatal(err)
	}
	return number
}

// request is a request to an operation on one of the scene's records.
type request struct{ method, path, query, kind, body string }

// bodies contains the request body of each operation. A body can be sent repeatedly without harm,
// or is refused because of its content, never because of the caller.
var bodies = map[string]string{
	"registerAgent":       `{"wallet_address":"0x00000000000000000000000000000000000000a1","name":"N","username":"nobody-yet"}`,
	"recoverAPIKey":       `{"wallet_address":"0x00000000000000000000000000000000000000a1"}`,
	"verifyAgent":         `{"post_url":"https://no-network.example/@a/1"}`,
	"verifyAgentMe":       `{"tweet_url":"https://no-network.example/@a/1"}`,
	"verifyHuman":         `{"post_url":"https://no-network.example/@a/1"}`,
	"loginWithEthereum":   `{"message":"","signature":""}`,
	"changeAgentUsername": `{"username":"admin"}`,
	"changeHumanMe":       `{"is_available":true}`,
	"createTask":          `{"title":"T","description":"D","escrow_amount":"10000000000000000"}`,
	"confirmTaskFunding":  `{"tx_hash":"0x` + strings.Repeat("ab", common.HashLength) + `"}`,
	"confirmApplication":  `{"tx_hash":"0x` + strings.Repeat("ab", common.HashLength) + `"}`,
	"approveTask":         `{}`,
	"rejectApplication":   `{"reason":"No."}`,
	"applyForTask":        `{"application_message":"Me."}`,
	"submitWork":          `{"note":"` + draftNote + `","file_ids":[]}`,
	"disputeTask":         `{"reason":"` + draftReason + `"}`,
	"answerDispute":       `{"response":"Yes."}`,
	"postTaskMessage":     `{"content":"` + taskMessage + `"}`,
	"postDirectMessage":   `{"content":"Hello."}`,
	"startConversation":   `{"username":"{username}","content":"Hello."}`,
	"reviewTask":          `{"rating":5}`,
	"createReport":        `{"subject_type":"profile","subject":"{username}","category":"spam"}`,
	"appealNotice":        `{"statement":"No."}`,
	"eraseAccount":        `{"username":"not-mine"}`,
	"postVerdict":         `{"approved":true,"reason":"Yes.","signature":"0x` + strings.Repeat("11", 65) + `"}`,
}

// queries contains the required query string of each operation.
var queries = map[string]string{
	"getSiweMessage":  "?address=0x00000000000000000000000000000000000000a1",
	"searchLocations": "?q=Hamb",
	"streamEvents":    "?follow=false", // ends the response after the stored events
}

// good returns a request with a record that fits the operation's path.
func (s *scene) good(d documented) request {
	s.t.Helper()
	switch {
	case strings.Contains(d.template, "{conversationId}"):
		return s.request(d, "own")
	case strings.Contains(d.template, "{noticeId}"):
		return s.request(d, "notice")
	case strings.Contains(d.template, "/tasks/{id}"):
		return s.request(d, "funded")
	case strings.Contains(d.template, "{sessionId}"):
		return s.request(d, "session")
	case strings.Contains(d.template, "{"), d.id == "startConversation", d.id == "createReport":
		return s.request(d, "agent")
	}
	return s.request(d, "-")
}

// request builds the operation's request for the record. It fails the test if the record has no
// value for a path parameter.
func (s *scene) request(d documented, name string) request {
	s.t.Helper()
	record, known := s.ids[name]
	if !known {
		s.t.Fatalf("%s: there is no record %q", d.id, name)
	}
	path, body := d.template, bodies[d.id]
	for parameter, value := range record {
		path = strings.ReplaceAll(path, "{"+parameter+"}", value)
		body = strings.ReplaceAll(body, "{"+parameter+"}", value)
	}
	if strings.ContainsAny(path, "{}") {
		s.t.Fatalf("%s: record %q does not fill %s", d.id, name, path)
	}
	made := request{d.method, path, queries[d.id], "application/json", body}
	if d.id == "uploadTaskFile" {
		kind, bytes := form(s.t, [3]string{"file", "a.txt", "A."})
		made.kind, made.body = kind, string(bytes)
	}
	return made
}

// ask sends the request with the given headers.
func (s *scene) ask(r request, headers ...string) reply {
	s.t.Helper()
	if r.body != "" {
		headers = append([]string{"Content-Type", r.kind}, headers...)
	}
	return s.do(r.method, r.path+r.query, r.body, headers...)
}

// secretTexts maps each secret text to its permitted readers, as named in the authorisation table.
type secretTexts map[string][]string

// Secret texts that all callers send in their requests.
const (
	whisperStart = "whisper: "
	draftNote    = whisperStart + "the note of a draft" // only its author's export contains this text
	draftReason  = whisperStart + "the reason of a draft"
	taskMessage  = whisperStart + "a message about a task"
)

// sentSecrets returns the secret texts in request bodies, with their readers.
func sentSecrets() secretTexts {
	sides := []string{"owner", "assigned", "other", "stranger"}
	return secretTexts{draftNote: {"assigned"}, draftReason: sides, taskMessage: sides}
}

// to returns a new text that only the given readers may receive.
func (w secretTexts) to(what string, readers ...string) string {
	text := whisperStart + what + "."
	w[text] = readers
	return text
}

// heard records which secret texts each principal received.
type heard map[string]map[string]bool

// listen finds the secret texts in a response to the principal, and returns those that the
// principal may not read.
func (h heard) listen(w secretTexts, principal string, got reply) (leaked []string) {
	told := got.body + got.header.Get("Content-Disposition")
	if !strings.Contains(told, whisperStart) {
		return nil
	}
	if principal == "nocsrf" { // reads need no CSRF token, so this principal can read like the assigned human
		principal = "assigned"
	}
	for text, readers := range w {
		if !strings.Contains(told, text) {
			continue
		}
		if h[text] == nil {
			h[text] = make(map[string]bool)
		}
		if h[text][principal] = true; !slices.Contains(readers, principal) {
			leaked = append(leaked, text)
		}
	}
	return leaked
}

// missed returns the permitted readers that did not receive their text.
func (h heard) missed(w secretTexts) (missed []string) {
	for text, readers := range w {
		for _, reader := range readers {
			if !h[text][reader] {
				missed = append(missed, reader+" of "+text)
			}
		}
	}
	return missed
}

// leakedWallets returns the humans whose wallet is in a response to a principal that may not read it. The
// permitted readers are the human, the agents of tasks that the human applied for, and the validators of tasks
// that the human was hired for. Agents' wallets are public to authenticated users, because they are on the
// chain with each task.
func (s *scene) leakedWallets(principal string, got reply) (leaked []string) {
	if principal == "nocsrf" { // reads need no CSRF token
		principal = "assigned"
	}
	for human, readers := range map[string]struct {
		user    *user
		allowed []string
	}{
		"assigned":  {s.assigned, []string{"assigned", "owner", "validator"}},
		"applicant": {s.applicant, []string{"applicant", "owner"}},
		"stranger":  {s.stranger, []string{"stranger", "other", "validator"}},
	} {
		wallet := strings.ToLower(readers.user.signer.Address().Hex())
		if !slices.Contains(readers.allowed, principal) && strings.Contains(strings.ToLower(got.body), wallet) {
			leaked = append(leaked, human)
		}
	}
	return leaked
}

// stoppedClock is a clock that advances only when a test advances it.
type stoppedClock struct{ nanoseconds atomic.Int64 }

func stopped(at time.Time) *stoppedClock {
	c := &stoppedClock{}
	c.nanoseconds.Store(at.UnixNano())
	return c
}

func (c *stoppedClock) time() time.Time { return time.Unix(0, c.nanoseconds.Load()) }

func (c *stoppedClock) advance(d time.Duration) { c.nanoseconds.Add(int64(d)) }
