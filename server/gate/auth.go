package gate

import (
	"context"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/labstack/echo/v4"

	"taskmarket/market"
	"taskmarket/store"
)

// caller is who makes the request: nobody, an agent, or a human with a session.
type caller struct {
	Principal market.Principal // zero for nobody
	Session   *Session         // of a human
	CachedKey store.CachedKey  // of an agent, for the operation to confirm; zero when it is confirmed
	KeyHash   common.Hash      // of an agent's key, when it is confirmed
}

type callerKey struct{}

// CallerOf returns the request's caller.
func CallerOf(ctx context.Context) caller {
	c, _ := ctx.Value(callerKey{}).(caller)
	return c
}

// PrincipalOf returns who makes the request, for operations that need somebody.
func PrincipalOf(ctx context.Context) market.Principal { return CallerOf(ctx).Principal }

// authenticate finds out who calls, by the credentials that the operation takes.
func (g *Gate) authenticate(op *Operation) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			who, err := g.admit(c, op)
			if err != nil {
				return g.refuse(c, err)
			}
			r := c.Request()
			c.SetRequest(r.WithContext(context.WithValue(r.Context(), callerKey{}, who)))
			err = next(c)
			if err != nil && g.refuted(r.Context(), who.CachedKey) {
				return g.refuse(c, invalidKey())
			}
			return err
		}
	}
}

// admit returns who makes the request, nobody on public operations, or why it
// is refused.
func (g *Gate) admit(c echo.Context, op *Operation) (caller, error) {
	if op.opens {
		// Else another site could sign a visitor in as somebody else.
		if err := g.csrf.checkOrigin(c.Request()); err != nil {
			return caller{}, err
		}
	}
	if op.Public() {
		return caller{}, nil
	}
	who, err := g.identify(c, op)
	if err == nil && who.Session != nil && op.unsafe() {
		err = g.csrf.check(c.Request(), who.Session)
	}
	return who, err
}

// refuse returns the answer to a request that admit refuses with err. Such a
// request reaches no operation's bucket, so it counts for its client's address,
// in one bucket for all operations; with that empty it is told nothing else.
func (g *Gate) refuse(c echo.Context, err error) error {
	if slices.Contains(credentialFaults, market.KindOf(err)) {
		if limited := g.refusals.take(c, clientNetwork(c.RealIP())); limited != nil {
			return limited
		}
	}
	return err
}

// credentialFaults are the refusals of admit; other errors are failures.
var credentialFaults = []market.Kind{market.KindUnauthorized, market.KindAmbiguousCredentials, market.KindCSRF}

// identify reads the request's credentials. A session counts as presented on
// operations for agents alone, too: a request must say one thing only.
func (g *Gate) identify(c echo.Context, op *Operation) (caller, error) {
	r := c.Request()
	keys, cookies := r.Header.Values("X-API-Key"), r.CookiesNamed(g.Sessions.cookieName())
	switch {
	case len(keys)+len(cookies) > 1:
		return caller{}, market.Errorf(market.KindAmbiguousCredentials,
			"the request holds more than one credential; send either X-API-Key or the session cookie, once")
	case len(keys) == 1 && op.APIKey:
		return g.identifyAgent(c, op, keys[0])
	case len(cookies) == 1 && op.session:
		return g.identifyHuman(r.Context(), cookies[0].Value)
	}
	return caller{}, missingCredentials(op)
}

func missingCredentials(op *Operation) error {
	switch {
	case op.APIKey && op.session:
		return market.Errorf(market.KindUnauthorized, "this operation needs an API key or a session").
			WithHint("agents send the header X-API-Key; humans sign in with POST /auth/siwe/login")
	case op.APIKey:
		return market.Errorf(market.KindUnauthorized, "this operation needs an agent's API key in the header X-API-Key").
			WithHint("POST /agents/register gives a key")
	}
	return market.Errorf(market.KindUnauthorized, "this operation needs a human's session").
		WithHint("sign in with POST /auth/siwe/login")
}

// identifyAgent looks a key up. One that this server has not seen may be a
// guess: it is not looked up while its address has too many refusals.
func (g *Gate) identifyAgent(c echo.Context, op *Operation, key string) (caller, error) {
	hash, ok := HashAPIKey(key)
	if !ok {
		return caller{}, invalidKey()
	}
	claim, verified, known := g.known.claim(hash)
	if verified && confirming[op.id] {
		return claimant(claim), nil
	}
	if !known {
		if err := g.refusals.peek(c, clientNetwork(c.RealIP())); err != nil {
			return caller{}, err
		}
	}
	principal, err := g.store.AgentByKey(c.Request().Context(), hash)
	switch {
	case market.KindOf(err) == market.KindUnauthorized:
		g.known.forget(hash)
		return caller{}, invalidKey()
	case err != nil:
		return caller{}, err
	}
	g.known.add(hash, principal)
	return caller{Principal: principal, KeyHash: hash}, nil
}

func invalidKey() error {
	return market.Errorf(market.KindUnauthorized, "the API key is not valid").
		WithHint("use the key that registration or the last rotation gave")
}

func (g *Gate) identifyHuman(ctx context.Context, token string) (caller, error) {
	named, err := g.Sessions.read(token)
	if err != nil {
		return caller{}, err
	}
	human, _, err := g.store.Session(ctx, named.IDHash)
	if err != nil {
		return caller{}, err
	}
	return caller{Principal: humanPrincipal(human), Session: &named}, nil
}

func humanPrincipal(h market.Human) market.Principal {
	return market.Principal{
		Kind: market.PrincipalHuman, ID: h.ID, Username: h.Username, Wallet: h.Wallet, Verified: h.Link != nil,
	}
}

// requireVerified refuses agents that have not verified an account, except as
// x-unverified of the document says. Public operations have no caller.
func requireVerified(op *Operation) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			who := PrincipalOf(c.Request().Context())
			if who.Kind == market.PrincipalAgent && !who.Verified && !op.opensTo(who, c.Param("username")) {
				return market.Errorf(market.KindNotVerified, "this agent is not verified yet").
					WithHint("post the verification code of GET /agents/me, then POST /agents/{id}/verify")
			}
			return next(c)
		}
	}
}

// opensTo reports whether an agent that is not verified may call the operation
// about the user with the name.
func (o *Operation) opensTo(who market.Principal, username string) bool {
	return o.unverified == accessAllowed || o.unverified == accessOwn && strings.EqualFold(username, who.Username)
}

// Credential is the hash by which the caller was found.
func (c caller) Credential() common.Hash {
	if c.Session != nil {
		return c.Session.IDHash
	}
	return c.KeyHash
}
