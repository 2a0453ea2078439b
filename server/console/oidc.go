package console

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"taskmarket/market"
	"taskmarket/store"
)

// OIDC configures sign-in through an OpenID Connect provider with the authorization code flow and PKCE. The
// provider must redirect to CallbackPath of the console.
type OIDC struct {
	Issuer       string // identifies the provider; its discovery document is below it
	ClientID     string
	ClientSecret string
	// NameClaim is the claim of the ID token with the operator's name. "email" is accepted only with the
	// claim email_verified.
	NameClaim string
	// RoleClaim is the claim with the operator's groups, a string or a list of strings. Roles maps each
	// group to its role.
	RoleClaim string
	Roles     map[string]market.OperatorRole
}

// CallbackPath is the path to which the provider returns the operator.
const CallbackPath = "/sign-in/callback"

// Limits of requests to the provider, and the maximum duration of a sign-in.
const (
	providerTimeout = 10 * time.Second
	providerRetry   = 5 * time.Second
	maxProviderBody = 1 << 20
	startLifetime   = 10 * time.Minute
)

// provider reads the provider's discovery document when it is first needed, so that the console also starts
// while the provider is down.
type provider struct {
	*OIDC

	redirect string
	client   *http.Client

	mu       sync.Mutex
	found    *oidc.Provider
	failed   error
	failedAt time.Time
}

func newProvider(o *OIDC, redirect string) *provider {
	return &provider{OIDC: o, redirect: redirect, client: &http.Client{
		Timeout: providerTimeout, Transport: boundedBodies{http.DefaultTransport},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// boundedBodies limits the size of responses.
type boundedBodies struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (b boundedBodies) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := b.next.RoundTrip(r)
	if err == nil {
		response.Body = http.MaxBytesReader(nil, response.Body, maxProviderBody)
	}
	return response, err
}

// discover returns the provider's endpoints and keys. After a failure, it returns the same error for
// providerRetry before it asks the provider again.
func (p *provider) discover(ctx context.Context) (*oidc.Provider, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.found == nil && time.Since(p.failedAt) >= providerRetry {
		// The keys are read later, also for other requests, so they do not use this request's context.
		p.found, p.failed = oidc.NewProvider(oidc.ClientContext(context.WithoutCancel(ctx), p.client), p.Issuer)
		if p.failed != nil {
			p.failedAt = time.Now()
		}
	}
	if p.found == nil {
		return nil, unreachable(p.failed)
	}
	return p.found, nil
}

func unreachable(cause error) error {
	return &market.Error{
		Kind: market.KindUnavailable, Message: "the identity provider does not respond as expected",
		Hint: "try again; if it fails again, find the cause in the log, and check that CONSOLE_OIDC_ISSUER is exactly the provider's issuer", RetryAfter: providerRetry, Cause: cause,
	}
}

func (p *provider) config(found *oidc.Provider) *oauth2.Config {
	endpoint := found.Endpoint()
	// Without a style, oauth2 repeats a failed request in the other style. The header is OpenID Connect's default.
	endpoint.AuthStyle = oauth2.AuthStyleInHeader
	var supported struct {
		Methods []string `json:"token_endpoint_auth_methods_supported"`
	}
	if err := found.Claims(&supported); err == nil && slices.Contains(supported.Methods, "client_secret_post") && !slices.Contains(supported.Methods, "client_secret_basic") {
		endpoint.AuthStyle = oauth2.AuthStyleInParams
	}
	return &oauth2.Config{
		ClientID: p.ClientID, ClientSecret: p.ClientSecret, Endpoint: endpoint, RedirectURL: p.redirect,
		Scopes: []string{oidc.ScopeOpenID, "profile", "email"},
	}
}

// attempt is a sign-in that one browser has started. Its seed is in the browser's cookie only, and all
// values of the protocol are derived from it, so nothing is stored on the server.
type attempt struct{ seed []byte }

func newAttempt() attempt {
	seed := make([]byte, tokenSize)
	rand.Read(seed) // never returns an error; it crashes the program instead
	return attempt{seed}
}

// attemptOf returns the attempt of a cookie, or false if the text cannot be one.
func attemptOf(cookie string) (attempt, bool) {
	seed, err := base64.RawURLEncoding.Strict().DecodeString(cookie)
	return attempt{seed}, err == nil && len(seed) == tokenSize
}

func (a attempt) cookie() string   { return base64.RawURLEncoding.EncodeToString(a.seed) }
func (a attempt) state() string    { return a.derive("state") }    // returned by the provider's redirect
func (a attempt) nonce() string    { return a.derive("nonce") }    // returned in the ID token
func (a attempt) verifier() string { return a.derive("verifier") } // proves to the provider that this console requested the code

func (a attempt) derive(use string) string {
	mac := hmac.New(sha256.New, a.seed)
	_, _ = io.WriteString(mac, use) // a hash never returns an error
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

func (c *Console) attemptCookieName() string { return c.cookieName() + "_attempt" }

// setAttempt stores the attempt in the browser; an empty value deletes it. SameSite is Lax, because the
// provider's redirect comes from another site.
func (c *Console) setAttempt(v *visit, value string) {
	age := int(startLifetime.Seconds())
	if value == "" {
		age = -1
	}
	http.SetCookie(v.w, &http.Cookie{ //nolint:gosec // Secure except over plain http, which is allowed on loopback only
		Name: c.attemptCookieName(), Value: value, Path: "/", MaxAge: age,
		HttpOnly: true, Secure: c.secure, SameSite: http.SameSiteLaxMode,
	})
}

// getProvider starts a sign-in and redirects to the provider.
func (c *Console) getProvider(v *visit) error {
	if c.provider == nil {
		return errNoPage
	}
	found, err := c.provider.discover(v.ctx)
	if err != nil {
		return err
	}
	a := newAttempt()
	c.setAttempt(v, a.cookie())
	v.redirect(c.provider.config(found).AuthCodeURL(a.state(), oidc.Nonce(a.nonce()), oauth2.S256ChallengeOption(a.verifier())))
	return nil
}

// getCallback signs in an operator that the provider has authenticated. It sends a page with a link to the
// console, not a redirect, because the browser sends the session's cookie only after navigation within the
// site.
func (c *Console) getCallback(v *visit) error {
	if c.provider == nil {
		return errNoPage
	}
	refuse := func(detail string, err error) error {
		c.note(v, market.AuditConsoleSignInRefused, detail)
		return err
	}
	a, ok := c.startedAttempt(v)
	c.setAttempt(v, "")
	query := v.r.URL.Query()
	if !ok || subtle.ConstantTimeCompare([]byte(query.Get("state")), []byte(a.state())) != 1 {
		return refuse("oidc_state", market.Errorf(market.KindInvalid, "this sign-in was not started in this browser, or it took too long").WithHint("open /sign-in and start again"))
	}
	if issuer, ok := query["iss"]; ok && !slices.Equal(issuer, []string{c.provider.Issuer}) { // RFC 9207
		return refuse("oidc_issuer", errNotAuthenticated)
	}
	if query.Has("error") || query.Get("code") == "" {
		return refuse("oidc_refused", market.Errorf(market.KindForbidden, "the identity provider did not sign you in").WithHint("open /sign-in and start again, or ask the provider's administrator for access"))
	}
	if err := c.limitExchanges(v); err != nil {
		return err
	}
	o, err := c.provider.authenticate(v.ctx, a, query.Get("code"))
	switch {
	case market.KindOf(err) == market.KindForbidden:
		c.Log.WarnContext(v.ctx, "a sign-in through the identity provider was refused", slog.Any("err", err))
		return refuse("oidc_token", err)
	case err != nil:
		return err
	}
	token, hash := NewToken()
	if err := c.Store.OpenConsoleSession(v.ctx, store.ConsoleSession{IDHash: hash, Operator: o}); err != nil {
		return err
	}
	v.setCookie(token, int(market.ConsoleSessionLifetime.Seconds()))
	return v.render("signed-in", o)
}

func (c *Console) startedAttempt(v *visit) (attempt, bool) {
	cookies := v.r.CookiesNamed(c.attemptCookieName())
	if len(cookies) != 1 {
		return attempt{}, false
	}
	return attemptOf(cookies[0].Value)
}

var errNotAuthenticated = market.Errorf(market.KindForbidden, "the identity provider's response is not valid for this console").
	WithHint("open /sign-in and start again; if it happens again, the cause is in the log or in the audit log")

func notAuthenticated(cause error) error {
	refusal := *errNotAuthenticated
	refusal.Cause = cause
	return &refusal
}

// authenticate exchanges the code for an ID token and returns its operator. It returns KindForbidden if the
// provider rejects the code, or if the token is not valid or grants no role, and KindUnavailable if the
// provider does not respond as expected.
func (p *provider) authenticate(ctx context.Context, a attempt, code string) (market.Operator, error) {
	found, err := p.discover(ctx)
	if err != nil {
		return market.Operator{}, err
	}
	tokens, err := p.config(found).Exchange(oidc.ClientContext(ctx, p.client), code, oauth2.VerifierOption(a.verifier()))
	if err != nil {
		if refused, ok := errors.AsType[*oauth2.RetrieveError](err); ok && refused.Response.StatusCode < http.StatusInternalServerError {
			return market.Operator{}, notAuthenticated(fmt.Errorf("exchange the code: status %d, %q", refused.Response.StatusCode, refused.ErrorCode))
		}
		return market.Operator{}, unreachable(err)
	}
	text, _ := tokens.Extra("id_token").(string)
	token, err := found.Verifier(&oidc.Config{ClientID: p.ClientID}).Verify(oidc.ClientContext(ctx, p.client), text)
	if err != nil {
		return market.Operator{}, notAuthenticated(err)
	}
	if subtle.ConstantTimeCompare([]byte(token.Nonce), []byte(a.nonce())) != 1 {
		return market.Operator{}, notAuthenticated(errors.New("the ID token's nonce is not the one of this sign-in"))
	}
	var claims map[string]any
	if err := token.Claims(&claims); err != nil {
		return market.Operator{}, notAuthenticated(err)
	}
	// A token for several audiences must have been issued to this client (OpenID Connect Core, 3.1.3.7).
	if azp, ok := claims["azp"]; (ok || len(token.Audience) > 1) && azp != p.ClientID {
		return market.Operator{}, notAuthenticated(errors.New("the ID token was issued to another client"))
	}
	return p.operator(claims)
}

// operator returns the operator that the claims name. The strongest role of the operator's groups counts. A
// name with market.CommandPrefix is rejected, because it would attribute acts to a system user.
func (p *provider) operator(claims map[string]any) (market.Operator, error) {
	name, _ := claims[p.NameClaim].(string)
	if err := market.CheckOperatorName(name); err != nil {
		return market.Operator{}, notAuthenticated(fmt.Errorf("the claim %s contains no valid operator name: %w", p.NameClaim, err))
	}
	if strings.HasPrefix(name, market.CommandPrefix) {
		return market.Operator{}, notAuthenticated(fmt.Errorf("the operator name in the claim %s begins with %q, which is reserved", p.NameClaim, market.CommandPrefix))
	}
	if p.NameClaim == "email" && claims["email_verified"] != true {
		return market.Operator{}, notAuthenticated(errors.New("the provider has not verified the e-mail address in the claim email"))
	}
	o := market.Operator{Name: name}
	for _, group := range texts(claims[p.RoleClaim]) {
		if role := p.Roles[group]; role != "" && !o.Role.Includes(role) {
			o.Role = role
		}
	}
	if o.Role == "" {
		return o, market.Errorf(market.KindForbidden, "you have no role in this console").
			WithHint("ask an operator to add one of your groups to CONSOLE_OIDC_OPERATORS or CONSOLE_OIDC_MODERATORS")
	}
	return o, nil
}

// texts returns the strings of a claim that is a string or a list of strings.
func texts(claim any) []string {
	switch claim := claim.(type) {
	case string:
		return []string{claim}
	case []any:
		var list []string
		for _, item := range claim {
			if text, ok := item.(string); ok {
				list = append(list, text)
			}
		}
		return list
	}
	return nil
}
