package store

import (
	"context"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

type agentRow struct {
	userRow
	KeyPrefix    string      `db:"key_prefix"`
	KeyRotatedAt pg.NullTime `db:"key_rotated_at"`
}

func (r agentRow) agent() market.Agent {
	return market.Agent{
		ID: r.ID, Username: r.Username, Name: r.Name, Bio: r.Bio, Wallet: r.Wallet,
		APIKeyPrefix: r.KeyPrefix, KeyRotatedAt: r.KeyRotatedAt.Pointer(),
		VerificationCode: r.VerificationCode, CodeAccount: pg.Text(r.CodeAccount), CodeExpiresAt: r.CodeExpiresAt.Time,
		Link: r.link(), LinkedCode: pg.Text(r.LinkedCode), CreatedAt: r.CreatedAt.Time,
	}
}

// RegisterAgent records an agent, its API key's SHA-256, and uses up the
// challenge that its wallet signed for this profile. A refusal uses up nothing:
// KindWalletRegistered, KindUsernameTaken, KindChallengeMismatch,
// KindChallengeExpired.
func (s *Store) RegisterAgent(ctx context.Context, a market.Agent, keyHash, challenge, profile common.Hash) error {
	return s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		// First, so that a repeated registration learns that it went through.
		if err := s.checkFree(ctx, tx, a.Wallet, a.Username); err != nil {
			return err
		}
		err := s.consume(ctx, tx, Challenge{Hash: challenge, Purpose: PurposeRegister, Wallet: a.Wallet, Profile: profile})
		if err != nil {
			return err
		}
		return s.insertAgent(ctx, tx, a, keyHash)
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

// AgentByKey returns who holds the API key with the SHA-256 keyHash;
// KindUnauthorized for nobody.
func (s *Store) AgentByKey(ctx context.Context, keyHash common.Hash) (market.Principal, error) {
	var row struct {
		ID       uuid.UUID      `db:"id"`
		Username string         `db:"username"`
		Wallet   common.Address `db:"wallet"`
		Verified bool           `db:"verified"`
	}
	err := s.db.Get(ctx, nil, &row, `
		SELECT u.id, u.username, u.wallet, u.verified_at IS NOT NULL AS verified
		FROM agents a
		JOIN users u ON u.id = a.id
		WHERE a.key_hash = $1`, keyHash)
	err = pg.Translate(err, "select an agent by its key")
	if market.KindOf(err) == market.KindNotFound {
		return market.Principal{}, invalidKey(err)
	}
	return market.Principal{
		Kind: market.PrincipalAgent, ID: row.ID, Username: row.Username, Wallet: row.Wallet, Verified: row.Verified,
	}, err
}

// Agent returns an agent's own record.
func (s *Store) Agent(ctx context.Context, id uuid.UUID) (market.Agent, error) {
	var row agentRow
	err := s.db.Get(ctx, nil, &row, `
		SELECT `+userColumns+`, a.key_prefix, a.key_rotated_at
		FROM agents a
		JOIN users u ON u.id = a.id
		WHERE a.id = $1`, id)
	if err != nil {
		return market.Agent{}, pg.Translate(err, fmt.Sprintf("select agent %s", id))
	}
	return row.agent(), nil
}
