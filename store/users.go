package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// userColumns are the columns that agents and humans share.
const userColumns = `
	u.id, u.username, u.name, u.bio, u.wallet, u.verification_code, u.code_account, u.code_expires_at,
	u.social_network, u.social_handle, u.social_account_id, u.social_post_id, u.social_posted_at, u.linked_code,
	u.verified_at, u.created_at`

type userRow struct {
	ID               uuid.UUID      `db:"id"`
	Username         string         `db:"username"`
	Name             string         `db:"name"`
	Bio              string         `db:"bio"`
	Wallet           common.Address `db:"wallet"`
	VerificationCode string         `db:"verification_code"`
	CodeAccount      *string        `db:"code_account"`
	CodeExpiresAt    pg.NullTime    `db:"code_expires_at"`
	SocialNetwork    *string        `db:"social_network"`
	SocialHandle     *string        `db:"social_handle"`
	SocialAccountID  *string        `db:"social_account_id"`
	SocialPostID     *string        `db:"social_post_id"`
	SocialPostedAt   pg.NullTime    `db:"social_posted_at"`
	LinkedCode       *string        `db:"linked_code"`
	VerifiedAt       pg.NullTime    `db:"verified_at"`
	CreatedAt        pg.NullTime    `db:"created_at"`
}

// link converts the columns that describe the linked social account. A check constraint guarantees
// that a verified user has values in all of them.
func (r userRow) link() *market.SocialLink {
	if r.VerifiedAt.IsZero() {
		return nil
	}
	return &market.SocialLink{
		Network: *r.SocialNetwork, Handle: *r.SocialHandle, AccountID: *r.SocialAccountID,
		PostID: *r.SocialPostID, PostedAt: r.SocialPostedAt.Time, VerifiedAt: r.VerifiedAt.Time,
	}
}

// CheckFree returns KindWalletRegistered if the wallet has an agent, and KindUsernameTaken if any
// user has the username or one that looks like it, or if it is reserved for its former user.
func (s *Store) CheckFree(ctx context.Context, wallet common.Address, username string) error {
	return s.checkFree(ctx, nil, wallet, username)
}

func (s *Store) checkFree(ctx context.Context, tx *sqlx.Tx, wallet common.Address, username string) error {
	var taken struct {
		Wallet   bool `db:"wallet"`
		Username bool `db:"username"`
	}
	err := s.db.Get(ctx, tx, &taken, `
		SELECT EXISTS (SELECT 1 FROM users WHERE kind = 'agent' AND wallet = $1) AS wallet,
		       EXISTS (SELECT 1 FROM users WHERE lower(username) COLLATE "C" = lower($2) COLLATE "C")
		       OR EXISTS (SELECT 1 FROM users WHERE lower(former_username) COLLATE "C" = lower($2) COLLATE "C")
		       OR EXISTS (SELECT 1 FROM usernames WHERE skeleton = username_skeleton($2)
		                  AND (released_at IS NULL OR released_at > now() - `+pg.Interval(market.UsernameReserve)+`)) AS username`,
		wallet, username)
	switch {
	case err != nil:
		return pg.Translate(err, "select a wallet and a username")
	case taken.Wallet:
		return pg.Duplicate("users_wallet_idx", nil)
	case taken.Username:
		return pg.Duplicate("users_username_idx", nil)
	}
	return nil
}

// newUser contains the columns of table users that are set at registration.
type newUser struct {
	ID               uuid.UUID
	Kind             market.PrincipalKind
	Username         string
	Name             string
	Bio              string
	Wallet           common.Address
	VerificationCode string
	CodeExpiresAt    time.Time
}

// insertUser inserts a user. It returns false if the wallet already has a user of this kind.
func (s *Store) insertUser(ctx context.Context, tx *sqlx.Tx, u newUser) (bool, error) {
	n, err := s.db.Exec(ctx, tx, `
		INSERT INTO users (id, kind, username, name, bio, wallet, verification_code, code_expires_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		ON CONFLICT (kind, wallet) DO NOTHING`,
		u.ID, u.Kind, u.Username, u.Name, u.Bio, u.Wallet, u.VerificationCode, u.CodeExpiresAt)
	return n == 1, pg.Translate(err, fmt.Sprintf("insert user %s", u.Username))
}

// SetVerificationCode replaces the code that the user's next verification post must contain. If
// account is empty, the code can link any account.
func (s *Store) SetVerificationCode(ctx context.Context, kind market.PrincipalKind, id uuid.UUID, code, account string, expires time.Time) error {
	return s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		n, err := s.db.Exec(ctx, tx, `
			UPDATE users
			SET verification_code = $3, code_account = nullif($4, ''), code_expires_at = $5, updated_at = now()
			WHERE id = $1 AND kind = $2`, id, kind, code, account, expires)
		if err != nil {
			return pg.Translate(err, fmt.Sprintf("set the code of %s %s", kind, id))
		}
		if n == 0 {
			return market.Errorf(market.KindNotFound, "%s %s was not found", kind, id)
		}
		return nil
	})
}

// LinkSocial links the social account to the user and replaces an earlier link. It returns
// KindVerificationFailed if the code has expired or is not the user's current one, if the link of a
// limited or suspended user would be replaced, or if a limited, suspended or reported user of this kind
// has erased a link to the account, and KindSocialAccountTaken if the account is linked to another user
// of this kind or the post to any other user. It consumes an agent's code, because linking an agent
// requires no credentials, whereas a human has a session. The expiry of a consumed code is in 1970, so
// that the code has expired by the clock of every server.
func (s *Store) LinkSocial(ctx context.Context, kind market.PrincipalKind, id uuid.UUID, code string, link market.SocialLink) error {
	return s.link(ctx, kind, id, link, `
		    linked_code = CASE WHEN kind = 'agent' AND code_account IS NULL THEN verification_code END,
		    code_expires_at = CASE WHEN kind = 'agent' THEN to_timestamp(0) ELSE code_expires_at END
		WHERE id = $1 AND kind = $2 AND verification_code = $9 AND code_expires_at > now() - `+pg.Interval(market.ClockSkew), code)
}

// DisplaceSocial links the agent to the account whose post contains the code of the current link
// and is older than the linked post. It returns KindVerificationFailed for any other code and for a
// post that is not older. It also returns the errors of LinkSocial.
func (s *Store) DisplaceSocial(ctx context.Context, id uuid.UUID, code string, link market.SocialLink) error {
	return s.link(ctx, market.PrincipalAgent, id, link, `
		    linked_code = linked_code
		WHERE id = $1 AND kind = $2 AND linked_code = $9 AND social_posted_at > $7`, code)
}

// ErrLinkChanged is the cause of an error from LinkSocial or DisplaceSocial if the user's code or
// link has changed since the caller read it.
var ErrLinkChanged = errors.New("the code or the link has changed")

// link sets the user's social account if the conditions in the rest of the statement hold.
// Parameter $9 is the code.
func (s *Store) link(ctx context.Context, kind market.PrincipalKind, id uuid.UUID, link market.SocialLink, rest, code string) error {
	return s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		if err := s.checkRelink(ctx, tx, id, link); err != nil {
			return err
		}
		n, err := s.db.Exec(ctx, tx, `
			UPDATE users
			SET social_network = $3, social_handle = $4, social_account_id = $5, social_post_id = $6,
			    social_posted_at = $7, verified_at = $8, updated_at = now(),`+rest,
			id, kind, link.Network, link.Handle, link.AccountID, link.PostID, link.PostedAt, link.VerifiedAt, code)
		if err != nil {
			return pg.Translate(err, fmt.Sprintf("link %s %s to a social account", kind, id))
		}
		if n == 0 {
			return market.Errorf(market.KindVerificationFailed, "the verification code in the post is outdated").
				WithHint("retry the request; if it is rejected again, read your profile for the current code").
				WithCause(ErrLinkChanged)
		}
		return nil
	})
}

// accountHash is the hash of the network and the id of a social account, as barred_links contains it.
const accountHash = `sha256(convert_to(%s || ' ' || %s, 'UTF8'))`

// checkRelink returns KindVerificationFailed if the link would replace the account of a limited or
// suspended user, who could then verify a new user with the freed account, or if the account is barred:
// another user of this kind has erased a link to it, and evades is true for that user. That refusal has the
// same text for a measure and an open report, so that it does not reveal a report.
func (s *Store) checkRelink(ctx context.Context, tx *sqlx.Tx, id uuid.UUID, link market.SocialLink) error {
	var row struct {
		Frees  bool `db:"frees"`
		Barred bool `db:"barred"`
	}
	err := s.db.Get(ctx, tx, &row, `
		SELECT n.account_state IN ('limited', 'suspended') AND n.verified_at IS NOT NULL AND (n.social_network, n.social_account_id) <> ($2, $3) AS frees,
		       EXISTS (
			       SELECT FROM barred_links b
			       JOIN users u ON u.id = b.user_id
			       WHERE b.account_hash = `+fmt.Sprintf(accountHash, "$2::text", "$3::text")+`
			         AND u.id <> n.id AND u.kind = n.kind AND `+evades+`) AS barred
		FROM users n
		WHERE n.id = $1
		FOR NO KEY UPDATE OF n`, id, link.Network, link.AccountID)
	switch {
	case err == nil && row.Frees:
		return market.Errorf(market.KindVerificationFailed, "moderators have restricted this user, so the linked account cannot be replaced for now").
			WithHint("read the reasons with GET /notices, and appeal with POST /notices/{noticeId}/appeal")
	case err == nil && row.Barred:
		return market.Errorf(market.KindVerificationFailed, "a deleted profile was linked to this account, so no other user can be linked to it for now").
			WithHint("retry later, or use another account; if a measure is in force against the deleted profile, appeal as that user")
	}
	return pg.Translate(err, fmt.Sprintf("select the linked account of %s", id))
}
