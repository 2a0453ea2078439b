package console

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/market"
	"taskmarket/server/gate"
	"taskmarket/store/operators"
)

// The headers of the identity proxy.
const (
	HeaderOperator = "X-Console-Operator" // the operator's name
	HeaderSecret   = "X-Console-Secret"   // the secret that the proxy shares with the console
)

const tokenSize = 32

// NewToken returns a random token for a sign-in link or a session, and the hash under which the
// database stores it.
func NewToken() (token string, hash common.Hash) {
	raw := make([]byte, tokenSize)
	rand.Read(raw) // never returns an error; it crashes the program instead
	return base64.RawURLEncoding.EncodeToString(raw), sha256.Sum256(raw)
}

// hashToken returns the hash of a token. It returns false for text that cannot be a token.
func hashToken(token string) (common.Hash, bool) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(raw) != tokenSize {
		return common.Hash{}, false
	}
	return sha256.Sum256(raw), true
}

// SignInURL returns the address of a sign-in link.
func SignInURL(origin *url.URL, token string) string {
	return origin.JoinPath("sign-in").String() + "?token=" + token
}

// identity returns the name that the identity proxy sent, or "" if the request has none of its
// headers. It rejects the headers if no proxy is configured, if they come from another peer, or if the
// secret or the name is missing, repeated or invalid: ignoring them would hide a wrong configuration.
func (c *Console) identity(r *http.Request) (string, error) {
	names, secrets := r.Header.Values(HeaderOperator), r.Header.Values(HeaderSecret)
	if len(names)+len(secrets) == 0 {
		return "", nil
	}
	refused := market.Errorf(market.KindInvalid, "the request has an identity header that is not accepted").
		WithHint("see \"Console\" in docs/operations.md")
	if c.Proxy == nil || len(names) != 1 || len(secrets) != 1 || !c.fromProxy(r) ||
		subtle.ConstantTimeCompare([]byte(secrets[0]), []byte(c.Proxy.Secret)) != 1 || market.CheckOperatorName(names[0]) != nil {
		return "", refused
	}
	return names[0], nil
}

// fromProxy reports whether the request came through a unix socket or from the address of a trusted proxy.
func (c *Console) fromProxy(r *http.Request) bool {
	if gate.OverSocket(r) {
		return true
	}
	address := peer(r)
	return slices.ContainsFunc(c.TrustedProxies, func(n netip.Prefix) bool { return n.Contains(address) })
}

// admit finds the session of the visit. On GET, it opens one for an operator named by the proxy.
func (c *Console) admit(v *visit) error {
	role, ok := market.OperatorRole(""), false
	if v.named != "" {
		if role, ok = c.Proxy.Roles[v.named]; !ok {
			c.note(v, market.AuditConsoleSignInRefused, "unknown_operator")
			return market.Errorf(market.KindForbidden, "you have no role in this console").WithHint("ask an operator to add you to CONSOLE_OPERATORS or CONSOLE_MODERATORS")
		}
	}
	signedOut := market.Errorf(market.KindUnauthorized, "sign in first").
		WithHint("open /sign-in, which lists the ways to sign in")
	for _, cookie := range c.sessionCookies(v) {
		hash, ok := hashToken(cookie.Value)
		if !ok {
			continue
		}
		o, err := c.Store.Operators.UseConsoleSession(v.ctx, hash)
		switch {
		case market.KindOf(err) == market.KindUnauthorized:
		case err != nil:
			return err
		case o.ByProxy && o.Name == v.named:
			o.Role = role // the configuration may have changed since the sign-in
			v.begin(o, cookie.Value)
			return nil
		case !o.ByProxy && v.named == "":
			v.begin(o, cookie.Value)
			return nil
		}
	}
	if v.named == "" || v.r.Method != http.MethodGet {
		return signedOut
	}
	token, hash := NewToken()
	o := market.Operator{Name: v.named, Role: role, ByProxy: true}
	if err := c.Store.Operators.OpenConsoleSession(v.ctx, operators.ConsoleSession{IDHash: hash, Operator: o}); err != nil {
		return err
	}
	v.setCookie(token, int(market.ConsoleSessionLifetime.Seconds()))
	v.begin(o, token)
	return nil
}

// begin sets the visit's operator, also for the audit log, and the CSRF token.
func (v *visit) begin(o market.Operator, token string) {
	sum := sha256.Sum256([]byte("csrf\n" + token))
	v.leave()
	v.operator, v.csrf = o, base64.RawURLEncoding.EncodeToString(sum[:])
	by := market.OriginOf(v.ctx)
	by.Operator = o.Name
	v.ctx = market.WithOrigin(v.ctx, by)
}

// cookieName adds the prefix __Host-, which binds the cookie to the host, over https.
func (c *Console) cookieName() string {
	if c.secure {
		return "__Host-taskmarket_console"
	}
	return "taskmarket_console"
}

// maxSessionCookies is the number of session cookies of a request that are looked up. A browser sends one over
// https, because the prefix __Host- forbids other paths and domains, and over plain http perhaps a second one
// that another program on the same host has set. A client that is not a browser can send hundreds.
const maxSessionCookies = 2

// sessionCookies returns the first session cookies of the request.
func (c *Console) sessionCookies(v *visit) []*http.Cookie {
	cookies := v.r.CookiesNamed(c.cookieName())
	return cookies[:min(len(cookies), maxSessionCookies)]
}

func (v *visit) setCookie(token string, maxAge int) {
	http.SetCookie(v.w, &http.Cookie{ //nolint:gosec // Secure except over plain http, which is allowed on loopback only
		Name: v.console.cookieName(), Value: token, Path: "/", MaxAge: maxAge,
		HttpOnly: true, Secure: v.console.secure, SameSite: http.SameSiteStrictMode,
	})
}

// getSignIn shows a form with the token of a link. Opening the link does not sign in, because programs
// that preview links would use it up.
func (c *Console) getSignIn(v *visit) error {
	token := v.r.URL.Query().Get("token")
	if _, ok := hashToken(token); token != "" && !ok {
		return market.Errorf(market.KindInvalid, "this sign-in link is incomplete or damaged").WithHint("copy it again, or create a new one with `taskmarketd admin sign-in`")
	}
	return v.render("sign-in", token)
}

func (c *Console) postSignIn(v *visit) error {
	link, ok := hashToken(v.r.PostFormValue("token"))
	if !ok {
		return market.Errorf(market.KindInvalid, "this sign-in link is incomplete or damaged").WithHint("create a new one with `taskmarketd admin sign-in`")
	}
	token, hash := NewToken()
	if _, err := c.Store.Operators.UseConsoleLink(v.ctx, link, hash); err != nil {
		if market.KindOf(err) == market.KindUnauthorized {
			return c.refuseLink(v, err)
		}
		return err
	}
	v.setCookie(token, int(market.ConsoleSessionLifetime.Seconds()))
	v.redirect("/")
	return nil
}

// refuseLink returns the error for a link that is not valid: err, or KindRateLimited above the limit of such
// attempts of the network. Attempts are counted after the link has been looked up, so that strangers cannot lock
// out operators, who may share a network with them, for example that of a TLS proxy.
func (c *Console) refuseLink(v *visit, err error) error {
	if network := market.OriginOf(v.ctx).Network; network.IsValid() {
		attempts, failed := c.badLinks.Get(v.ctx, network.String())
		if failed != nil {
			return failed
		}
		if attempts.Reached {
			wait := max(time.Second, time.Until(time.Unix(attempts.Reset, 0)).Round(time.Second))
			return c.limited(v, wait, "create a new link with `taskmarketd admin sign-in`; a valid link is still accepted")
		}
	}
	c.note(v, market.AuditConsoleSignInRefused, "link")
	return err
}

func (c *Console) limited(v *visit, wait time.Duration, hint string) error {
	c.note(v, market.AuditConsoleSignInRefused, "rate_limit")
	return &market.Error{Kind: market.KindRateLimited, Message: "too many attempts to sign in", Hint: hint, RetryAfter: wait}
}

func (c *Console) postSignOut(v *visit) error {
	for _, cookie := range c.sessionCookies(v) {
		hash, ok := hashToken(cookie.Value)
		if !ok {
			continue
		}
		if err := c.Store.Operators.EndConsoleSession(v.ctx, hash); err != nil {
			return err
		}
	}
	v.setCookie("", -1)
	v.redirect("/sign-in")
	return nil
}
