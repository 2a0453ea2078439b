package gate

import (
	"context"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"taskmarket/market"
	"taskmarket/server/device"
	"taskmarket/store"
)

// caller is the sender of the request: an anonymous client, an agent, or a human with a session.
type caller struct {
	Principal  market.Principal // zero for an anonymous client
	Session    *Session         // a human's session; nil for other callers
	Credential common.Hash      // hash of the agent's API key, or the session's IDHash; zero for an anonymous client
	Network    string           // the client's IPv4 address or IPv6 /48
	Recorded   netip.Prefix     // the client's network in sessions and the audit log: an IPv4 /24 or an IPv6 /48; zero if it is unknown
	Device     market.Device    // the client's browser

	charge       func() error               // see Charge; nil for reads
	chargeSignIn func(common.Address) error // see ChargeSignIn; nil for reads
	bucket       store.Bucket               // the caller's bucket, if the operation's limit is shared
}

// CallerOf returns the request's caller.
func CallerOf(ctx context.Context) caller {
	if r := requestOf(ctx); r != nil {
		return r.caller
	}
	return caller{}
}

// PrincipalOf returns the request's principal. It is zero on public operations.
func PrincipalOf(ctx context.Context) market.Principal {
	if r := requestOf(ctx); r != nil {
		return r.caller.Principal
	}
	return market.Principal{}
}

// Charge counts the request against its client network's limit on requests without a valid proof. Repeated
// calls count the same request only once. Charge returns KindRateLimited above the limit.
// Handlers call it when a proof is wrong, before checks that cost calls to a node, and before they create
// an account. A request with the signature of an existing account's key is not counted, so that other
// clients of a network cannot lock the account out. Only operations that may change state can be charged.
func Charge(ctx context.Context) error { return CallerOf(ctx).charge() }

// ChargeSignIn counts a sign-in against the wallet's limit, and returns KindRateLimited above it. Without this
// limit, a wallet could fill the audit log from many addresses. Call it only after the wallet has proven that
// it signed an unused message, so that no other client can use up its limit.
func ChargeSignIn(ctx context.Context, wallet common.Address) error {
	return CallerOf(ctx).chargeSignIn(wallet)
}

// authenticate identifies the caller by the credentials that the operation accepts.
func (g *Gate) authenticate(op *Operation) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			caller, err := g.admit(c, op)
			r := c.Request()
			state := requestOf(r.Context())
			if state == nil { // without Edge, in tests
				state = &request{}
				r = r.WithContext(context.WithValue(r.Context(), requestKey{}, state))
			}
			address := c.RealIP()
			networks := clientNetworks(address)
			caller.Network, caller.Recorded = networks[len(networks)-1], market.AuditNetwork(parseAddress(address))
			if op.unsafe() { // reads do not open sessions, record acts or carry proofs
				caller.Device = device.Of(r.UserAgent())
				caller.charge = sync.OnceValue(func() error { return g.unproven.take(c, networks...) })
				caller.chargeSignIn = func(wallet common.Address) error { return g.signIns.take(c, wallet.Hex()) }
				r = r.WithContext(market.WithOrigin(r.Context(), market.Origin{Network: caller.Recorded, RequestID: state.auditID}))
			}
			if caller.Principal.ID != uuid.Nil {
				r = r.WithContext(store.WithCaller(r.Context(), store.Caller{
					Account: caller.Principal.ID, Kind: caller.Principal.Kind, Credential: caller.Credential, RefusedTo: op.refusedTo,
				}))
			}
			state.caller = caller
			c.SetRequest(r)
			if err != nil {
				return g.refuse(c, err)
			}
			return next(c)
		}
	}
}

// admit returns the caller, which is anonymous on public operations, or the error that rejects the
// request.
func (g *Gate) admit(c echo.Context, op *Operation) (caller, error) {
	if op.opens {
		// Sign-in has no session yet, but must reject requests from other sites, which could
		// otherwise sign a user in to an attacker's account.
		if err := g.csrf.checkOrigin(c.Request()); err != nil {
			return caller{}, err
		}
	}
	if op.Public() {
		return caller{}, nil
	}
	return g.identify(c, op)
}

// refuse returns the error for a request that was rejected with err. Most of these requests do not
// reach the operation's rate limit. A request with a credential fault therefore counts against one
// limit per client network for all operations. Above that limit, refuse returns KindRateLimited.
func (g *Gate) refuse(c echo.Context, err error) error {
	if slices.Contains(credentialFaults, market.KindOf(err)) {
		if limited := g.refusals.take(c, clientNetworks(c.RealIP())...); limited != nil {
			return limited
		}
	}
	return err
}

// credentialFaults lists the errors that count against the limit for refused requests. Server
// errors do not count.
var credentialFaults = []market.Kind{market.KindUnauthorized, market.KindAmbiguousCredentials, market.KindCSRF}

// identify reads the request's credentials. A request must contain exactly one: an API key and a
// session cookie both count, even if the operation accepts only one of the two kinds.
func (g *Gate) identify(c echo.Context, op *Operation) (caller, error) {
	r := c.Request()
	keys, cookies := r.Header.Values("X-API-Key"), r.CookiesNamed(g.Sessions.cookieName())
	switch {
	case len(keys)+len(cookies) > 1:
		return caller{}, market.Errorf(market.KindAmbiguousCredentials,
			"the request contains more than one credential; send either X-API-Key or the session cookie, once")
	case len(keys) == 1 && op.APIKey:
		return g.identifyAgent(c, op, keys[0])
	case len(cookies) == 1 && op.session:
		return g.identifyHuman(c, op, cookies[0].Value)
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
			WithHint("get a key with POST /agents/register")
	}
	return market.Errorf(market.KindUnauthorized, "this operation needs a human's session").
		WithHint("sign in with POST /auth/siwe/login")
}

// identifyAgent finds the agent with a key. All texts that are not the key of an agent are refused alike.
func (g *Gate) identifyAgent(c echo.Context, op *Operation, key string) (caller, error) {
	hash, ok := HashAPIKey(key)
	if !ok {
		return caller{}, invalidKey()
	}
	leave, err := g.enter(c)
	if err != nil {
		return caller{}, err
	}
	defer leave()
	confirmed, err := g.confirm(c, op, store.Credential{Kind: market.PrincipalAgent, Hash: hash}, true)
	if market.KindOf(err) == market.KindUnauthorized {
		return caller{}, invalidKey()
	}
	return confirmed, err
}

const (
	// maxSuspects is the number of keys that are looked up at the same time for networks above the limit on refused
	// requests. Their guesses leave the database to others, also at exits, which are never refused because of load. A
	// valid key of such a network is still found, unless guesses keep both look-ups busy for maxSuspectWait.
	maxSuspects = 2
	// maxSuspectWait is how long such a key waits for the look-up.
	maxSuspectWait = time.Second
)

// enter returns a function to call after the look-up of a key. It returns KindRateLimited if the client's network
// is above the limit on refused requests, and too many keys of such networks are being looked up.
func (g *Gate) enter(c echo.Context) (leave func(), err error) {
	networks := clientNetworks(c.RealIP())
	if !g.refusals.exhausted(g.local, networks...) {
		return func() {}, nil
	}
	ctx, cancel := context.WithTimeout(c.Request().Context(), maxSuspectWait)
	defer cancel()
	if g.suspects.Acquire(ctx, 1) == nil {
		return func() { g.suspects.Release(1) }, nil
	}
	if err := g.refusals.take(c, networks...); err != nil {
		return nil, err
	}
	return nil, invalidKey() // the limit has just permitted another refusal
}

func invalidKey() error {
	return market.Errorf(market.KindUnauthorized, "the API key is not valid").
		WithHint("use the key that registration, or the last rotation or recovery, returned")
}

// identifyHuman finds the human with a session. A request that another site may have sent takes no token of the
// human's limit.
func (g *Gate) identifyHuman(c echo.Context, op *Operation, cookie string) (caller, error) {
	session, err := g.Sessions.read(cookie)
	if err != nil {
		return caller{}, err
	}
	var forged error
	if op.unsafe() {
		forged = g.csrf.check(c.Request(), &session)
	}
	credential := store.Credential{Kind: market.PrincipalHuman, Hash: session.IDHash, Network: market.AuditNetwork(parseAddress(c.RealIP()))}
	confirmed, err := g.confirm(c, op, credential, forged == nil)
	if err != nil {
		return caller{}, err
	}
	confirmed.Session = &session
	return confirmed, forged
}

// confirm finds the principal with a credential. If the operation's limit is shared and counted for each
// principal, and takes is true, the same statement takes a token.
func (g *Gate) confirm(c echo.Context, op *Operation, credential store.Credential, takes bool) (caller, error) {
	var token *store.TokenRequest
	if takes && op.Rate.Shared && op.Rate.ByPrincipal {
		token = &store.TokenRequest{Key: bucketKey(op.id, ""), Interval: op.Rate.interval(), Burst: op.Rate.Burst, Now: g.sharedNow()}
	}
	principal, bucket, err := g.store.Authenticate(c.Request().Context(), credential, token)
	if err != nil {
		return caller{}, err
	}
	return caller{Principal: principal, Credential: credential.Hash, bucket: bucket}, nil
}

// requireVerified rejects agents without a verified account unless x-unverified in openapi.yaml
// allows them. It has no effect on public operations, which have no caller.
func requireVerified(op *Operation) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			principal := PrincipalOf(c.Request().Context())
			if principal.Kind == market.PrincipalAgent && !principal.Verified && !op.opensTo(principal, c.Param("username")) {
				return market.Errorf(market.KindNotVerified, "this agent is not verified yet").
					WithHint("publish your verification code in a public post, then verify with the URL of that post")
			}
			return next(c)
		}
	}
}

// requireGoodState rejects accounts in the states that x-refused-to in openapi.yaml lists. Operations
// that move money list no states.
func requireGoodState(op *Operation) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if state := PrincipalOf(c.Request().Context()).State; slices.Contains(op.refusedTo, state) {
				return state.Refusal()
			}
			return next(c)
		}
	}
}

// opensTo reports whether an unverified agent may call the operation for the user with the
// username.
func (o *Operation) opensTo(principal market.Principal, username string) bool {
	return o.unverified == accessAllowed || o.unverified == accessOwn && strings.EqualFold(username, principal.Username)
}
