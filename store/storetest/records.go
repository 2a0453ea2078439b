package storetest

import (
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"taskmarket/market"
	"taskmarket/store"
)

// Token returns n tokens in wei.
func Token(n int64) *big.Int {
	return new(big.Int).Mul(big.NewInt(n), big.NewInt(1_000_000_000_000_000_000))
}

// Agent inserts a verified agent with a random username and wallet. The options modify the agent
// before it is inserted.
func Agent(tb testing.TB, s *store.Store, options ...func(*market.Agent)) market.Agent {
	tb.Helper()
	username := "agent-" + randomHex(tb)[:8]
	a := market.Agent{
		ID: newID(tb), Username: username, Name: username, Wallet: wallet(tb),
		APIKeyPrefix: "tmk_" + randomHex(tb)[:6], VerificationCode: randomHex(tb), CodeExpiresAt: tomorrow(), Link: link(tb),
	}
	for _, option := range options {
		option(&a)
	}
	db := DB(tb, s)
	insertUser(tb, db, market.PrincipalAgent, user{a.ID, a.Username, a.Name, a.Bio, a.Wallet, a.VerificationCode, a.CodeExpiresAt, a.Link})
	insert(tb, db, `INSERT INTO agents (id, key_hash, key_prefix) VALUES ($1, $2, $3)`,
		a.ID, common.HexToHash(randomHex(tb)), a.APIKeyPrefix)
	return a
}

// Human inserts a verified human with a random username and wallet. The options modify the human
// before the insertion.
func Human(tb testing.TB, s *store.Store, options ...func(*market.Human)) market.Human {
	tb.Helper()
	username := "human-" + randomHex(tb)[:8]
	h := market.Human{
		ID: newID(tb), Username: username, Name: username, Wallet: wallet(tb), Remote: true,
		VerificationCode: randomHex(tb), CodeExpiresAt: tomorrow(), Link: link(tb),
	}
	for _, option := range options {
		option(&h)
	}
	db := DB(tb, s)
	insertUser(tb, db, market.PrincipalHuman, user{h.ID, h.Username, h.Name, h.Bio, h.Wallet, h.VerificationCode, h.CodeExpiresAt, h.Link})
	insert(tb, db, `INSERT INTO humans (id, skills, remote, available) VALUES ($1, $2, $3, $4)`,
		h.ID, pq.StringArray(append([]string{}, h.Skills...)), h.Remote, h.Available)
	return h
}

// Task inserts a new task by the agent, not yet funded, with an amount of 1 token and no deadline.
// The options modify the task before its terms hash is computed.
func Task(tb testing.TB, s *store.Store, agent market.Agent, options ...func(*market.Task)) market.Task {
	tb.Helper()
	task := market.Task{
		ID: newID(tb), AgentID: agent.ID, AgentUsername: agent.Username, AgentWallet: agent.Wallet,
		Title: "Photograph a shop window", Description: "Stand in front of it and take one picture.",
		Remote: true, Amount: Token(1), FeeBasisPoints: 500, Status: market.StatusNew,
		ChainID: s.Deployment().ChainID, EscrowAddress: s.Deployment().Escrow,
	}
	for _, option := range options {
		option(&task)
	}
	task.TermsHash = task.Terms().Hash()
	insert(tb, DB(tb, s), `
		INSERT INTO tasks (id, agent_id, title, description, skills, remote, amount, fee_basis_points,
		                   deadline, terms_hash, chain_id, escrow)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
		task.ID, task.AgentID, task.Title, task.Description, pq.StringArray(append([]string{}, task.Skills...)), task.Remote,
		task.Amount.String(), task.FeeBasisPoints, task.Deadline, task.TermsHash, task.ChainID, task.EscrowAddress)
	return task
}

// Application inserts a new application without a stake. The options modify the application before
// it is inserted.
func Application(tb testing.TB, s *store.Store, task market.Task, human market.Human, options ...func(*market.Application)) market.Application {
	tb.Helper()
	a := market.Application{
		ID: newID(tb), TaskID: task.ID, HumanID: human.ID, HumanUsername: human.Username, HumanWallet: human.Wallet,
		Message: "I live next door.", StakeAmount: market.RequiredStake(task.Amount), Status: market.ApplicationNew,
	}
	for _, option := range options {
		option(&a)
	}
	insert(tb, DB(tb, s), `
		INSERT INTO applications (id, task_id, human_id, message, stake_amount, chain_id, escrow)
		VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		a.ID, a.TaskID, a.HumanID, a.Message, a.StakeAmount.String(), task.ChainID, task.EscrowAddress)
	return a
}

type user struct {
	id                      uuid.UUID
	username, name, bio     string
	wallet                  common.Address
	verificationCode        string
	verificationCodeExpires time.Time
	link                    *market.SocialLink
}

func insertUser(tb testing.TB, db *sqlx.DB, kind market.PrincipalKind, u user) {
	tb.Helper()
	insert(tb, db, `
		INSERT INTO users (id, kind, username, name, bio, wallet, verification_code, code_expires_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		u.id, string(kind), u.username, u.name, u.bio, u.wallet, u.verificationCode, u.verificationCodeExpires)
	if u.link == nil {
		return
	}
	insert(tb, db, `
		UPDATE users
		SET social_network = $2, social_handle = $3, social_account_id = $4, social_post_id = $5, verified_at = $6, social_posted_at = $7
		WHERE id = $1`,
		u.id, u.link.Network, u.link.Handle, u.link.AccountID, u.link.PostID, u.link.VerifiedAt, u.link.PostedAt)
}

func insert(tb testing.TB, db *sqlx.DB, statement string, args ...any) {
	tb.Helper()
	if _, err := db.ExecContext(tb.Context(), statement, args...); err != nil {
		tb.Fatalf("insert a fixture: %v", err)
	}
}

func newID(tb testing.TB) uuid.UUID {
	tb.Helper()
	id, err := uuid.NewV7()
	if err != nil {
		tb.Fatalf("create an id: %v", err)
	}
	return id
}

func wallet(tb testing.TB) common.Address {
	tb.Helper()
	return common.HexToAddress(randomHex(tb) + randomHex(tb) + randomHex(tb)[:8])
}

func link(tb testing.TB) *market.SocialLink {
	tb.Helper()
	handle, now := randomHex(tb), time.Now().UTC().Truncate(time.Millisecond)
	return &market.SocialLink{
		Network: "social.test", Handle: handle, AccountID: handle, PostID: handle,
		PostedAt: now, VerifiedAt: now,
	}
}

func tomorrow() time.Time { return time.Now().UTC().Add(24 * time.Hour).Truncate(time.Millisecond) }
