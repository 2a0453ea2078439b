package gate

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/golang-jwt/jwt/v5"

	"taskmarket/market"
)

// MinSessionKey is the minimum length of a session key in bytes.
const MinSessionKey = 32

// tokenIssuer is the issuer claim of session tokens.
const tokenIssuer = "taskmarket"

// SessionKeys sign the session tokens. Current signs new tokens; the other keys verify older tokens
// until they expire.
type SessionKeys struct {
	Current string
	Keys    map[string][]byte // secret keys by key id, at least 32 bytes each
}

func (k SessionKeys) check() error {
	if _, ok := k.Keys[k.Current]; !ok {
		return fmt.Errorf("the current session key %q is not among the keys", k.Current)
	}
	for id, key := range k.Keys {
		if len(key) < MinSessionKey {
			return fmt.Errorf("session key %q has %d bytes; the minimum is %d", id, len(key), MinSessionKey)
		}
	}
	return nil
}

// Session is a human's session in one browser.
type Session struct {
	IDHash    common.Hash // SHA-256 of the token's jti, as the database stores it
	CSRF      string
	ExpiresAt time.Time
}

// Sessions issues and reads session tokens. A token is a JWT whose jti is stored in the database,
// so that signing out can revoke it.
type Sessions struct {
	keys     SessionKeys
	audience string
	secure   bool
	now      func() time.Time
}

// cookieName adds the prefix __Host-, which binds the cookie to the host, if the service uses
// https. Browsers reject this prefix over plain http, which is allowed on loopback only.
func (s Sessions) cookieName() string {
	if s.secure {
		return "__Host-taskmarket_session"
	}
	return "taskmarket_session"
}

// Issue creates a token and a session for the human with the wallet. The caller stores the session.
func (s Sessions) Issue(wallet common.Address) (string, Session, error) {
	id := make([]byte, 32)
	rand.Read(id) // never returns an error; it crashes the program instead
	jti := base64.RawURLEncoding.EncodeToString(id)
	now := s.now()
	token := jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.RegisteredClaims{
		Issuer: tokenIssuer, Audience: jwt.ClaimStrings{s.audience}, Subject: wallet.Hex(), ID: jti,
		IssuedAt: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(now.Add(market.SessionLifetime)),
	})
	token.Header["kid"] = s.keys.Current
	signed, err := token.SignedString(s.keys.Keys[s.keys.Current])
	if err != nil {
		return "", Session{}, fmt.Errorf("sign session token: %w", err)
	}
	return signed, s.named(s.keys.Current, jti, now.Add(market.SessionLifetime)), nil
}

// read returns the session for a token. It rejects expired tokens, and tokens with another
// algorithm, key, issuer or audience. A token of another server can appear to be issued up to
// market.ClockSkew in the future.
func (s Sessions) read(token string) (Session, error) {
	var claims jwt.RegisteredClaims
	var kid string
	_, err := jwt.ParseWithClaims(token, &claims, func(t *jwt.Token) (any, error) {
		kid, _ = t.Header["kid"].(string)
		key, ok := s.keys.Keys[kid]
		if !ok || t.Header["crit"] != nil {
			return nil, jwt.ErrTokenUnverifiable
		}
		return key, nil
	}, jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Alg()}), jwt.WithExpirationRequired(), jwt.WithIssuedAt(),
		jwt.WithIssuer(tokenIssuer), jwt.WithAudience(s.audience), jwt.WithTimeFunc(s.now), jwt.WithLeeway(market.ClockSkew), jwt.WithStrictDecoding())
	if err != nil {
		return Session{}, &market.Error{Kind: market.KindUnauthorized, Message: "the session is not valid; sign in again", Cause: err}
	}
	return s.named(kid, claims.ID, claims.ExpiresAt.Time), nil
}

func (s Sessions) named(kid, jti string, expires time.Time) Session {
	mac := hmac.New(sha256.New, s.keys.Keys[kid])
	mac.Write([]byte("csrf\n" + jti))
	return Session{
		IDHash: sha256.Sum256([]byte(jti)), ExpiresAt: expires.UTC(),
		CSRF: base64.RawURLEncoding.EncodeToString(mac.Sum(nil)),
	}
}

// Cookie returns the Set-Cookie header that stores the token, or that deletes the cookie if token is "".
func (s Sessions) Cookie(token string) string {
	cookie := http.Cookie{ //nolint:gosec // Secure except over plain http, which is allowed on loopback only
		Name: s.cookieName(), Value: token, Path: "/", MaxAge: int(market.SessionLifetime.Seconds()),
		HttpOnly: true, Secure: s.secure, SameSite: http.SameSiteLaxMode,
	}
	if token == "" {
		cookie.MaxAge = -1
	}
	return cookie.String()
}
