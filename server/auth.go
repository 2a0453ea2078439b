package server

import (
	"context"
	"net/http"

	"github.com/ethereum/go-ethereum/common"
	"github.com/labstack/echo/v4"

	"taskmarket/market"
	"taskmarket/store"
)

// caller is who makes the request: nobody, an agent, or a human with a session.
type caller struct {
	principal market.Principal // zero for nobody
	session   *session         // of a human
	claim     store.KeyClaim   // of an agent, for the operation to confirm; zero when it is confirmed
	keyHash   common.Hash      // of an agent's key, when it is confirmed
}

type callerKey struct{}

// callerOf returns the request's caller.
func callerOf(ctx context.Context) caller {
	c, _ := ctx.Value(callerKey{}).(caller)
	return c
}

// principalOf returns who makes the request, for operations that need somebody.
func principalOf(ctx context.Context) market.Principal { return callerOf(ctx).principal }

// authenticate finds out who calls, by the credentials that the operation takes.
func (s *Server) authenticate(op *operation) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			r := c.Request()
			if op.opens {
				// Else another site could sign a visitor in as somebody else.
				if err := s.csrf.checkOrigin(r); err != nil {
					return err
				}
			}
			if op.public() {
				return next(c)
			}
			who, err := s.identify(r, op)
			if err != nil {
				return err
			}
			if who.session != nil && op.unsafe() {
				if err := s.csrf.check(r, who.session); err != nil {
					return err
				}
			}
			c.SetRequest(r.WithContext(context.WithValue(r.Context(), callerKey{}, who)))
			err = next(c)
			if err != nil && who.claim != (store.KeyClaim{}) {
				return s.refuted(r.Context(), who.claim, err)
			}
			return err
		}
	}
}

// identify reads the request's credentials. A session counts as presented on
// operations for agents alone, too: a request must say one thing only.
func (s *Server) identify(r *http.Request, op *operation) (caller, error) {
	keys, cookies := r.Header.Values("X-API-Key"), r.CookiesNamed(s.sessions.cookieName())
	switch {
	case len(keys)+len(cookies) > 1:
		return caller{}, market.Errorf(market.KindAmbiguousCredentials,
			"the request holds more than one credential; send either X-API-Key or the session cookie, once")
	case len(keys) == 1 && op.apiKey:
		return s.identifyAgent(r.Context(), op, keys[0])
	case len(cookies) == 1 && op.session:
		return s.identifyHuman(r.Context(), cookies[0].Value)
	case op.anonymous:
		return caller{}, nil
	}
	return caller{}, missingCredentials(op)
}

func missingCredentials(op *operation) error {
	switch {
	case op.apiKey && op.session:
		return market.Errorf(market.KindUnauthorized, "this operation needs an API key or a session").
			WithHint("agents send the header X-API-Key; humans sign in with POST /auth/siwe/login")
	case op.apiKey:
		return market.Errorf(market.KindUnauthorized, "this operation needs an agent's API key in the header X-API-Key").
			WithHint("POST /agents/register gives a key")
	}
	return market.Errorf(market.KindUnauthorized, "this operation needs a human's session").
		WithHint("sign in with POST /auth/siwe/login")
}

func (s *Server) identifyAgent(ctx context.Context, op *operation, key string) (caller, error) {
	hash, ok := hashAPIKey(key)
	if !ok {
		return caller{}, invalidKey()
	}
	if claim, known := s.known.claim(hash); known && confirming[op.id] {
		return claimant(claim), nil
	}
	principal, err := s.store.AgentByKey(ctx, hash)
	switch {
	case market.KindOf(err) == market.KindUnauthorized:
		return caller{}, invalidKey()
	case err != nil:
		return caller{}, err
	}
	s.known.add(hash, principal.ID)
	return caller{principal: principal, keyHash: hash}, nil
}

func invalidKey() error {
	return market.Errorf(market.KindUnauthorized, "the API key is not valid").
		WithHint("use the key that registration or the last rotation gave")
}

func (s *Server) identifyHuman(ctx context.Context, token string) (caller, error) {
	named, err := s.sessions.read(token)
	if err != nil {
		return caller{}, err
	}
	human, _, err := s.store.Session(ctx, named.idHash)
	if err != nil {
		return caller{}, err
	}
	return caller{principal: humanPrincipal(human), session: &named}, nil
}

func humanPrincipal(h market.Human) market.Principal {
	return market.Principal{
		Kind: market.PrincipalHuman, ID: h.ID, Username: h.Username, Wallet: h.Wallet, Verified: h.Link != nil,
	}
}

// requireVerified refuses writes by agents that have not verified an account.
// Operations without credentials, such as the verification itself, are open,
// and those that the document opens with x-unverified.
func requireVerified(op *operation) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			who := principalOf(c.Request().Context())
			if op.unsafe() && !op.anonymous && !op.unverified && who.Kind == market.PrincipalAgent && !who.Verified {
				return market.Errorf(market.KindNotVerified, "this agent is not verified yet").
					WithHint("post the verification code of GET /agents/me, then POST /agents/{id}/verify")
			}
			return next(c)
		}
	}
}
