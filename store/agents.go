package store

import (
	"context"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store/internal/auditlog"
	"taskmarket/store/internal/pg"
)

type agentRow struct {
	userRow
	UsernameChanged bool        `db:"username_changed"`
	KeyPrefix       string      `db:"key_prefix"`
	KeyRotatedAt    pg.NullTime `db:"key_rotated_at"`
}

func (r agentRow) agent() market.Agent {
	return market.Agent{
		ID: r.ID, Username: r.Username, UsernameChanged: r.UsernameChanged, Name: r.Name, Bio: r.Bio, Wallet: r.Wallet,
		APIKeyPrefix: r.KeyPrefix, KeyRotatedAt: r.KeyRotatedAt.Pointer(),
		VerificationCode: r.VerificationCode, CodeAccount: pg.Text(r.CodeAccount), CodeExpiresAt: r.CodeExpiresAt.Time,
		Link: r.link(), LinkedCode: pg.Text(r.LinkedCode), CreatedAt: r.CreatedAt.Time,
	}
}

// RegisterAgent inserts an agent with the SHA-256 of its API key and consumes the challenge that
// the agent's wallet signed for this profile. Errors are KindWalletRegistered, KindUsernameTaken,
// KindChallengeMismatch and KindChallengeExpired. A rejected registration does not consume the
// challenge.
func (s *Store) RegisterAgent(ctx context.Context, a market.Agent, keyHash, challenge, profile common.Hash) error {
	return s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		// Check this before the challenge, so that a repeated registration returns
		// KindWalletRegistered.
		if err := s.checkFree(ctx, tx, a.Wallet, a.Username); err != nil {
			return err
		}
		err := s.consumeChallenge(ctx, tx, Challenge{Hash: challenge, Purpose: PurposeRegister, Wallet: a.Wallet, Profile: profile})
		if err != nil {
			return err
		}
		if err := s.insertAgent(ctx, tx, a, keyHash); err != nil {
			return err
		}
		return auditlog.Add(ctx, s.db, tx, market.AuditEntry{Kind: market.AuditRegistration, Account: a.ID})
	})
}

func (s *Store) insertAgent(ctx context.Context, tx *sqlx.Tx, a market.Agent, keyHash common.Hash) error {
	created, err := s.insertUser(ctx, tx, newUser{
		ID: a.ID, Kind: market.PrincipalAgent, Username: a.Username, Name: a.Name, Bio: a.Bio,
		Wallet: a.Wallet, VerificationCode: a.VerificationCode, CodeExpiresAt: a.CodeExpiresAt,
	})
	if err != nil {
		return err
	}
	if !created {
		return pg.Duplicate("users_wallet_idx", nil)
	}
	_, err = s.db.Exec(ctx, tx, `INSERT INTO agents (id, key_hash, key_prefix) VALUES ($1, $2, $3)`,
		a.ID, keyHash, a.APIKeyPrefix)
	return pg.Translate(err, fmt.Sprintf("insert agent %s", a.ID))
}

// Agent returns an agent's profile, including the fields that only the agent can read.
func (s *Store) Agent(ctx context.Context, id uuid.UUID) (market.Agent, error) {
	var row agentRow
	err := s.db.Get(ctx, nil, &row, `
		SELECT `+userColumns+`, u.former_username IS NOT NULL AS username_changed, a.key_prefix, a.key_rotated_at
		FROM agents a
		JOIN users u ON u.id = a.id
		WHERE a.id = $1`, id)
	if err != nil {
		return market.Agent{}, pg.Translate(err, fmt.Sprintf("select agent %s", id))
	}
	return row.agent(), nil
}

// ChangeAgentUsername changes an agent's username and returns the agent. It does nothing if the
// agent already has this username. It returns KindAlreadyExists if the agent has changed its
// username before, KindUsernameTaken if another user has the username or one that looks like it,
// or if the username is reserved for its former user, and KindRestricted for a suspended agent.
func (s *Store) ChangeAgentUsername(ctx context.Context, id uuid.UUID, username string) (market.Agent, error) {
	err := s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		n, err := s.db.Exec(ctx, tx, `
			UPDATE users
			SET username = $2, former_username = username, updated_at = now()
			WHERE id = $1 AND kind = 'agent' AND username <> $2 AND former_username IS NULL
			  AND account_state <> 'suspended'`, id, username)
		if err != nil {
			return pg.Translate(err, fmt.Sprintf("change the username of agent %s", id))
		}
		if n == 1 {
			return nil
		}
		var current struct {
			Username string              `db:"username"`
			State    market.AccountState `db:"account_state"`
		}
		if err := s.db.Get(ctx, tx, &current, `SELECT username, account_state FROM users WHERE id = $1`, id); err != nil {
			return pg.Translate(err, fmt.Sprintf("select the username of agent %s", id))
		}
		switch {
		case current.Username == username:
			return nil
		case current.State == market.AccountSuspended:
			return current.State.Refusal()
		}
		return market.Errorf(market.KindAlreadyExists, "this agent has already changed its username; it can be changed only once")
	})
	if err != nil {
		return market.Agent{}, err
	}
	return s.Agent(ctx, id)
}

// Key contains the parts of an API key that are stored in the database.
type Key struct {
	Hash   common.Hash // SHA-256 of the key
	Prefix string      // the first characters of the key, for display
}

// lockedKey is an agent's key, read while the agent's row is locked.
type lockedKey struct {
	ID          uuid.UUID   `db:"id"`
	Hash        common.Hash `db:"key_hash"`
	RotatedAt   pg.NullTime `db:"key_rotated_at"`   // time of the last replacement, by rotation or recovery
	RecoveredAt pg.NullTime `db:"key_recovered_at"` // time of the last replacement by recovery
	Now         pg.NullTime `db:"now"`
}

// RotateKey replaces the API key whose SHA-256 is old and returns the time of the replacement. It
// returns KindUnauthorized if old is no longer the agent's key, and KindRotationTooSoon if the last
// replacement is too recent.
func (s *Store) RotateKey(ctx context.Context, agentID uuid.UUID, old common.Hash, fresh Key) (at time.Time, err error) {
	err = s.db.TxFor(ctx, agentID, func(tx *sqlx.Tx) error {
		var current lockedKey
		err := s.db.Get(ctx, tx, &current, `
			SELECT id, key_hash, key_rotated_at, key_recovered_at, clock_timestamp() AS now
			FROM agents
			WHERE id = $1
			FOR UPDATE`, agentID)
		if err != nil {
			return pg.Translate(err, fmt.Sprintf("lock the key of agent %s", agentID))
		}
		if current.Hash != old {
			return invalidKey(nil)
		}
		if err := market.CheckRotation(current.RotatedAt.Pointer(), current.Now.Time); err != nil {
			return err
		}
		at, err = s.replaceKey(ctx, tx, current, fresh, false)
		return err
	})
	return at, err
}

// RecoverKey consumes the challenge that the wallet signed, replaces the API key of the wallet's
// agent, and returns the time of the replacement. Errors are KindChallengeMismatch,
// KindChallengeExpired, KindNotFound for a wallet without an agent, and KindRotationTooSoon if the
// last recovery is too recent. An earlier rotation does not delay a recovery, because it could have
// been made with a stolen key. A rejected recovery does not consume the challenge. Without a valid
// challenge, the result does not reveal whether the wallet has an agent.
func (s *Store) RecoverKey(ctx context.Context, wallet common.Address, challenge common.Hash, fresh Key) (at time.Time, err error) {
	err = s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		err := s.consumeChallenge(ctx, tx, Challenge{Hash: challenge, Purpose: PurposeRecover, Wallet: wallet})
		if err != nil {
			return err
		}
		var current lockedKey
		err = s.db.Get(ctx, tx, &current, `
			SELECT a.id, a.key_hash, a.key_rotated_at, a.key_recovered_at, clock_timestamp() AS now
			FROM agents a
			JOIN users u ON u.id = a.id
			WHERE u.kind = 'agent' AND u.wallet = $1
			FOR UPDATE OF a`, wallet)
		if err = pg.Translate(err, "lock the key of the agent of "+wallet.Hex()); market.KindOf(err) == market.KindNotFound {
			return pg.Refusal(market.KindNotFound, "this wallet has no agent", err).
				WithHint("register one with POST /agents/register")
		}
		if err != nil {
			return err
		}
		if err := market.CheckRotation(current.RecoveredAt.Pointer(), current.Now.Time); err != nil {
			return err
		}
		at, err = s.replaceKey(ctx, tx, current, fresh, true)
		return err
	})
	return at, err
}

// replaceKey replaces the key of an agent whose row is locked.
func (s *Store) replaceKey(ctx context.Context, tx *sqlx.Tx, current lockedKey, fresh Key, byWallet bool) (time.Time, error) {
	var at pg.NullTime
	err := s.db.Get(ctx, tx, &at, `
		UPDATE agents
		SET key_hash = $2, key_prefix = $3, key_rotated_at = clock_timestamp(),
			key_recovered_at = CASE WHEN $4 THEN clock_timestamp() ELSE key_recovered_at END
		WHERE id = $1
		RETURNING key_rotated_at`, current.ID, fresh.Hash, fresh.Prefix, byWallet)
	if err != nil {
		return time.Time{}, pg.Translate(err, fmt.Sprintf("replace the key of agent %s", current.ID))
	}
	kind := market.AuditKeyRotation
	if byWallet {
		kind = market.AuditKeyRecovery
	}
	return at.Time, auditlog.Add(ctx, s.db, tx, market.AuditEntry{Kind: kind, Account: current.ID})
}

func invalidKey(cause error) error {
	return pg.Refusal(market.KindUnauthorized, "this API key is not valid", cause)
}
