package store

import (
	"context"
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

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
