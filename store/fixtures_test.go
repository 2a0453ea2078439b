package store_test

import (
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

// funded returns a funded task of a new agent.
func funded(t *testing.T, s *store.Store) market.Task {
	t.Helper()
	return escrowed(t, s, storetest.Task(t, s, storetest.Agent(t, s)), genesis, nil)
}

func newApplication(task market.Task, human market.Human) market.Application {
	return market.Application{
		ID: newID(), TaskID: task.ID, HumanID: human.ID, HumanUsername: human.Username, HumanWallet: human.Wallet,
		HumanVerified: human.Link != nil, Message: "I am near.", StakeAmount: market.RequiredStake(task.Amount),
		Status: market.ApplicationNew,
	}
}

func newFile(task market.Task, uploader market.Principal) market.File {
	return market.File{
		ID: newID(), TaskID: task.ID, Filename: "photo.jpg", ContentType: "image/jpeg", Size: 12345, SHA256: newHash(),
		UploaderKind: uploader.Kind, UploaderID: uploader.ID,
	}
}

func addFile(t *testing.T, s *store.Store, task market.Task, uploader market.Principal) market.File {
	t.Helper()
	f := newFile(task, uploader)
	if err := s.AddFile(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	return f
}

func newTask(s *store.Store, agent market.Agent) market.Task {
	deadline := time.Now().UTC().Add(time.Hour).Truncate(time.Second)
	task := market.Task{
		ID: newID(), AgentID: agent.ID, AgentName: agent.Name, AgentUsername: agent.Username, AgentWallet: agent.Wallet,
		AgentVerified: agent.Link != nil, Title: "Count the benches", Description: "In the park by the river.",
		Skills: []string{"counting", "walking"}, Location: "Graz", Amount: storetest.Token(2), FeeBasisPoints: 250,
		Deadline: &deadline, ChainID: s.Deployment().ChainID, EscrowAddress: s.Deployment().Escrow,
		Visibility: market.VisibilityShown, Status: market.StatusNew, Finality: market.FinalityFinal,
	}
	task.TermsHash = task.Terms().Hash()
	return task
}

// earned returns a new claim for an agent that has earned the given total amount.
func earned(agent market.Agent, amount int64) store.NewClaim {
	return store.NewClaim{
		ID: newID(), AgentID: agent.ID, Standing: market.Standing{Karma: amount, Fees: big.NewInt(1_000_000)},
		Rate: big.NewInt(1), Budget: big.NewInt(10_000),
	}
}

func newVerdict(task market.Task, validator market.Human, approved bool) market.Verdict {
	return market.Verdict{
		ID: newID(), TaskID: task.ID, Round: task.Escrow.Round().Number, Validator: validator.Wallet, HumanID: validator.ID,
		Approved: approved, Reason: "It is what was asked for.", WorkHash: task.Escrow.WorkHash, Signature: random(65),
	}
}

// measure returns a decision of a moderator with a complete statement of reasons.
func measure(subject market.Subject, m market.Measure, moderator string) market.Decision {
	return market.Decision{
		ID: newID(), Subject: subject, Measure: m, Territory: "worldwide", Facts: "The text asks for a passport.",
		Clause: "3.1 No identity documents", DecidedBy: moderator,
	}
}

func taskSubject(task market.Task) market.Subject {
	return market.Subject{Kind: market.SubjectTask, ID: task.ID}
}

func report(reporter market.Principal, kind market.SubjectKind, subject string) store.NewReport {
	return store.NewReport{ID: newID(), Reporter: reporter, Kind: kind, Subject: subject, Category: market.ReportFraud, Comment: "Look."}
}

// loginChallenge issues a challenge to the wallet and returns its hash.
func loginChallenge(t *testing.T, s *store.Store, wallet common.Address) common.Hash {
	t.Helper()
	c := store.Challenge{Hash: newHash(), Purpose: store.PurposeLogin, Wallet: wallet, ExpiresAt: time.Now().Add(time.Minute)}
	saveChallenge(t, s, c)
	return c.Hash
}

func newSession() store.Session {
	return store.Session{IDHash: newHash(), ExpiresAt: time.Now().UTC().Add(time.Hour).Truncate(time.Millisecond)}
}

func newcomer(wallet common.Address) market.Human {
	name := newName()
	return market.Human{
		ID: newID(), Username: name, Name: name, Wallet: wallet, Remote: true,
		VerificationCode: newHash().Hex(), CodeExpiresAt: time.Now().UTC().Add(time.Hour).Truncate(time.Millisecond),
	}
}

func saveChallenge(t *testing.T, s *store.Store, c store.Challenge) {
	t.Helper()
	if err := s.SaveChallenge(t.Context(), c); err != nil {
		t.Fatal(err)
	}
}

func approval(t *testing.T, task market.Task) []storetest.Tx {
	t.Helper()
	of := storetest.Of(task)
	return []storetest.Tx{storetest.Approve(t, of), storetest.Decide(t, of, true)}
}

// finish mines one block that contains the task's transactions from the posting to the submission,
// and then the steps, which end the task.
func finish(t *testing.T, c *storetest.Chain, task market.Task, human market.Human, steps ...storetest.Tx) {
	t.Helper()
	of := storetest.Of(task)
	c.Mine(t, append([]storetest.Tx{
		storetest.Post(t, task, false), storetest.Stake(t, of, human.Wallet), storetest.Accept(t, of, human.Wallet),
		storetest.Submit(t, of, storetest.Hash(t)),
	}, steps...)...)
}

// hired runs a task from the posting to the approved payment and returns it.
func hired(t *testing.T, s *store.Store, c *storetest.Chain, agent market.Agent, human market.Human, amount *big.Int) market.Task {
	t.Helper()
	task := storetest.Task(t, s, agent, func(task *market.Task) { task.Amount = amount })
	finish(t, c, task, human, approval(t, task)...)
	return ok(s.Task(t.Context(), task.ID))
}
