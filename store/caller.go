package store

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// Credential identifies a caller.
type Credential struct {
	Kind    market.PrincipalKind // agent for an API key, human for a session
	Hash    common.Hash          // SHA-256 of the key, or the IDHash of the session
	Network netip.Prefix         // the client's network, which a session records; zero if it is unknown
}

// Authenticate returns the principal with the credential, or KindUnauthorized if the key was replaced, or if the
// session has ended, has expired or was not used for market.SessionIdle. The principal's state includes the
// restrictions of the other account of its wallet. The time and network of a use of a session are recorded at
// most once per market.SessionInterval.
//
// With a token request, the same statement takes a token like Take, from the principal's bucket: token.Key is the
// start of its key, and the principal's kind and id are the rest. A credential that is not valid takes no token.
func (s *Store) Authenticate(ctx context.Context, c Credential, token *TokenRequest) (market.Principal, Bucket, error) {
	query, args := c.statements().plain, c.args()
	if token != nil {
		if err := token.check(); err != nil {
			return market.Principal{}, Bucket{}, err
		}
		query, args = c.statements().taking, append(token.args(), args...)
	}
	var row struct {
		callerRow
		takenRow
	}
	err := s.db.Get(ctx, nil, &row, query, args...)
	principal, err := row.principal(c.Kind, err)
	if err != nil || token == nil {
		return principal, Bucket{}, err
	}
	return principal, token.bucket(row.takenRow), nil
}

func (c Credential) statements() *callerStatements {
	if c.Kind == market.PrincipalAgent {
		return agentStatements
	}
	return humanStatements
}

func (c Credential) args() []any {
	if c.Kind == market.PrincipalAgent {
		return []any{c.Hash}
	}
	return []any{c.Hash, nullNetwork(c.Network)}
}

// callerStatements select a callerRow by a credential.
type callerStatements struct {
	plain  string // the arguments are those of the credential
	taking string // also takes a token; the arguments are those of a TokenRequest and then those of the credential
}

// callerColumns are columns of the caller (u) and the other account of its wallet (o).
const callerColumns = `
	u.id, u.kind, u.username, u.wallet, u.verified_at IS NOT NULL AS verified, wallet_state(u.account_state, o.account_state) AS account_state`

var (
	agentStatements = newCallerStatements(`
		caller AS (
			SELECT ` + callerColumns + `
			FROM agents a
			JOIN users u ON u.id = a.id
			LEFT JOIN users o ON o.wallet = u.wallet AND o.kind = 'human'
			WHERE a.key_hash = $hash)`)

	humanStatements = newCallerStatements(`
		caller AS (
			SELECT ` + callerColumns + `
			FROM sessions s
			JOIN users u ON u.id = s.human_id
			LEFT JOIN users o ON o.wallet = u.wallet AND o.kind = 'agent'
			WHERE s.id_hash = $hash AND ` + liveSession + `),
		used AS (
			UPDATE sessions s SET last_used_at = now(), network = $network::cidr
			WHERE s.id_hash = $hash AND coalesce(s.last_used_at, s.created_at) <= now() - ` + pg.Interval(market.SessionInterval) + `
			  AND ` + liveSession + `)`)
)

// newCallerStatements returns the statements for a common table expression, caller, that selects callerColumns.
func newCallerStatements(caller string) *callerStatements {
	return &callerStatements{
		plain: "WITH " + strings.NewReplacer("$hash", "$1", "$network", "$2").Replace(caller) + " SELECT * FROM caller",
		taking: "WITH " + strings.NewReplacer("$hash", "$5", "$network", "$6").Replace(caller) +
			", bucket AS (SELECT $1::text || kind || ':' || id AS key FROM caller), " + takenToken +
			" SELECT c.*, " + takenColumns + " FROM caller c CROSS JOIN bucket b LEFT JOIN taken t ON true",
	}
}

type callerRow struct {
	ID       uuid.UUID            `db:"id"`
	Kind     market.PrincipalKind `db:"kind"`
	Username string               `db:"username"`
	Wallet   common.Address       `db:"wallet"`
	Verified bool                 `db:"verified"`
	State    market.AccountState  `db:"account_state"`
}

// principal returns the caller, or KindUnauthorized if no row was found.
func (r callerRow) principal(kind market.PrincipalKind, err error) (market.Principal, error) {
	err = pg.Translate(err, "select the "+string(kind)+" with a credential")
	switch {
	case err == nil:
		return market.Principal{Kind: r.Kind, ID: r.ID, Username: r.Username, Wallet: r.Wallet, Verified: r.Verified, State: r.State}, nil
	case market.KindOf(err) != market.KindNotFound:
		return market.Principal{}, err
	case kind == market.PrincipalAgent:
		return market.Principal{}, invalidKey(err)
	}
	return market.Principal{}, endedSession(err)
}

// Caller is the account that sends a request. Between the check of its credential and the request's
// transaction, for example while the body arrives, the account can be erased or suspended.
type Caller struct {
	Account    uuid.UUID
	Kind       market.PrincipalKind
	Credential common.Hash           // SHA-256 of an agent's key, or the IDHash of a human's session
	RefusedTo  []market.AccountState // states of the account in which the request is refused
}

type callerKey struct{}

// WithCaller returns a context for a request of the caller. A transaction with this context returns
// KindUnauthorized if the credential is no longer valid, and KindRestricted if the account's state is in
// RefusedTo. An erasure and a measure on the account wait until the transaction ends.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// callerOf returns the caller of the request; the zero value if it has none.
func callerOf(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}

// callerParameters returns the parameters of the function caller_state for the context; nil without a caller.
func callerParameters(ctx context.Context) (account, credential any) {
	if c := callerOf(ctx); c.Account != uuid.Nil {
		return c.Account, c.Credential
	}
	return nil, nil
}

// admitCaller returns the errors of WithCaller. The transaction can be nil.
func (s *Store) admitCaller(ctx context.Context, tx *sqlx.Tx) error {
	c := callerOf(ctx)
	if c.Account == uuid.Nil {
		return nil
	}
	var state *market.AccountState
	account, credential := callerParameters(ctx)
	if err := s.db.Get(ctx, tx, &state, `SELECT caller_state($1, $2, $3)`, account, c.Kind, credential); err != nil {
		return pg.Translate(err, fmt.Sprintf("check the account %s again", c.Account))
	}
	switch {
	case state == nil && c.Kind == market.PrincipalAgent:
		return invalidKey(nil)
	case state == nil:
		return endedSession(nil)
	case slices.Contains(c.RefusedTo, *state):
		return state.Refusal()
	}
	return nil
}
