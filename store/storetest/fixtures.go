package storetest

import (
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/moderation"
)

// Funded returns a funded task of a new agent.
func Funded(t *testing.T, s *store.Store) market.Task {
	t.Helper()
	return Escrowed(t, s, Task(t, s, Agent(t, s)), Genesis, nil)
}

// NewApplication returns an application that is not stored.
func NewApplication(task market.Task, human market.Human) market.Application {
	return market.Application{
		ID: NewID(), TaskID: task.ID, HumanID: human.ID, HumanUsername: human.Username, HumanWallet: human.Wallet,
		HumanVerified: human.Link != nil, Message: "I am near.", StakeAmount: market.RequiredStake(task.Amount),
		Status: market.ApplicationNew,
	}
}

// NewFile returns the record of a file that is not stored.
func NewFile(task market.Task, uploader market.Principal) market.File {
	return market.File{
		ID: NewID(), TaskID: task.ID, Filename: "photo.jpg", ContentType: "image/jpeg", Size: 12345, SHA256: NewHash(),
		UploaderKind: uploader.Kind, UploaderID: uploader.ID,
	}
}

// AddFile stores the record of a file.
func AddFile(t *testing.T, s *store.Store, task market.Task, uploader market.Principal) market.File {
	t.Helper()
	f := NewFile(task, uploader)
	if err := s.AddFile(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	return f
}

// NewTask returns a task that is not stored.
func NewTask(s *store.Store, agent market.Agent) market.Task {
	deadline := time.Now().UTC().Add(time.Hour).Truncate(time.Second)
	task := market.Task{
		ID: NewID(), AgentID: agent.ID, AgentName: agent.Name, AgentUsername: agent.Username, AgentWallet: agent.Wallet,
		AgentVerified: agent.Link != nil, Title: "Count the benches", Description: "In the park by the river.",
		Skills: []string{"counting", "walking"}, Location: "Graz", Amount: Token(2), FeeBasisPoints: 250,
		Deadline: &deadline, ChainID: s.Deployment().ChainID, EscrowAddress: s.Deployment().Escrow,
		Visibility: market.VisibilityShown, Status: market.StatusNew, Finality: market.FinalityFinal,
	}
	task.TermsHash = task.Terms().Hash()
	return task
}

// Earned returns a new claim for an agent that has earned the given total amount.
func Earned(agent market.Agent, amount int64) store.NewClaim {
	return store.NewClaim{
		ID: NewID(), AgentID: agent.ID, Standing: market.Standing{Karma: amount, Fees: big.NewInt(1_000_000)},
		Rate: big.NewInt(1), Budget: big.NewInt(10_000),
	}
}

// NewVerdict returns a validator's verdict on the task's work.
func NewVerdict(task market.Task, validator market.Human, approved bool) market.Verdict {
	return market.Verdict{
		ID: NewID(), TaskID: task.ID, Round: task.Escrow.Round().Number, Validator: validator.Wallet, HumanID: validator.ID,
		Approved: approved, Reason: "It is what was asked for.", WorkHash: task.Escrow.WorkHash, Signature: RandomBytes(65),
	}
}

// Measure returns a decision of a moderator with a complete statement of reasons.
func Measure(subject market.Subject, m market.Measure, moderator string) market.Decision {
	return market.Decision{
		ID: NewID(), Subject: subject, Measure: m, Territory: "worldwide", Facts: "The text asks for a passport.",
		Clause: "3.1 No identity documents", DecidedBy: moderator,
	}
}

// TaskSubject returns the task as a subject of moderation.
func TaskSubject(task market.Task) market.Subject {
	return market.Subject{Kind: market.SubjectTask, ID: task.ID}
}

// NewReport returns a report that is not stored.
func NewReport(reporter market.Principal, kind market.SubjectKind, subject string) moderation.NewReport {
	return moderation.NewReport{ID: NewID(), Reporter: reporter, Kind: kind, Subject: subject, Category: market.ReportFraud, Comment: "Look."}
}

// NewLogin issues a challenge to the wallet and returns its hash.
func NewLogin(t *testing.T, s *store.Store, wallet common.Address) common.Hash {
	t.Helper()
	c := store.Challenge{Hash: NewHash(), Purpose: store.PurposeLogin, Wallet: wallet, ExpiresAt: time.Now().Add(time.Minute)}
	SaveChallenge(t, s, c)
	return c.Hash
}

// NewSession returns a session that is not stored.
func NewSession() store.Session {
	return store.Session{IDHash: NewHash(), ExpiresAt: time.Now().UTC().Add(time.Hour).Truncate(time.Millisecond)}
}

// Newcomer returns a human that is not stored.
func Newcomer(wallet common.Address) market.Human {
	name := NewName()
	return market.Human{
		ID: NewID(), Username: name, Name: name, Wallet: wallet, Remote: true,
		VerificationCode: NewHash().Hex(), CodeExpiresAt: time.Now().UTC().Add(time.Hour).Truncate(time.Millisecond),
	}
}

// SaveChallenge stores a challenge.
func SaveChallenge(t *testing.T, s *store.Store, c store.Challenge) {
	t.Helper()
	if err := s.SaveChallenge(t.Context(), c); err != nil {
		t.Fatal(err)
	}
}

// Approval returns the transactions that approve the task's work.
func Approval(t *testing.T, task market.Task) []Tx {
	t.Helper()
	of := Of(task)
	return []Tx{Approve(t, of), Decide(t, of, true)}
}

// Finish mines one block that contains the task's transactions from the posting to the submission,
// and then the steps, which end the task.
func Finish(t *testing.T, c *Chain, task market.Task, human market.Human, steps ...Tx) {
	t.Helper()
	of := Of(task)
	c.Mine(t, append([]Tx{
		Post(t, task, false), Stake(t, of, human.Wallet), Accept(t, of, human.Wallet),
		Submit(t, of, Hash(t)),
	}, steps...)...)
}

// Hired runs a task from the posting to the approved payment and returns it.
func Hired(t *testing.T, s *store.Store, c *Chain, agent market.Agent, human market.Human, amount *big.Int) market.Task {
	t.Helper()
	task := Task(t, s, agent, func(task *market.Task) { task.Amount = amount })
	Finish(t, c, task, human, Approval(t, task)...)
	return Must(s.Task(t.Context(), task.ID))
}

// AgentPrincipal returns the agent as a caller.
func AgentPrincipal(a market.Agent) market.Principal {
	return market.Principal{Kind: market.PrincipalAgent, ID: a.ID, Username: a.Username, Wallet: a.Wallet, Verified: a.Link != nil}
}

// HumanPrincipal returns the human as a caller.
func HumanPrincipal(h market.Human) market.Principal {
	return market.Principal{Kind: market.PrincipalHuman, ID: h.ID, Username: h.Username, Wallet: h.Wallet, Verified: h.Link != nil}
}
