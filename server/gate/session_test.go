package gate_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"taskmarket/market"
	"taskmarket/server/gate"
)

func TestForgedSessionTokensAreRefused(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	human := r.human()
	token := strings.TrimPrefix(human.cookie, "taskmarket_session=")
	var claims jwt.RegisteredClaims
	parsed, _, err := jwt.NewParser().ParseUnverified(token, &claims)
	if err != nil {
		t.Fatalf("parse own token: %v", err)
	}
	key := sessionKey
	forge := func(method jwt.SigningMethod, signKey any, change func(*jwt.RegisteredClaims, map[string]any)) string {
		copied := claims
		forged := jwt.NewWithClaims(method, &copied)
		forged.Header["kid"] = parsed.Header["kid"]
		change(&copied, forged.Header)
		text, err := forged.SignedString(signKey)
		if err != nil {
			t.Fatalf("forge: %v", err)
		}
		return text
	}
	same := func(*jwt.RegisteredClaims, map[string]any) {}
	forged := map[string]string{
		"alg none":  forge(jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, same),
		"HS512":     forge(jwt.SigningMethodHS512, key, same),
		"HS384":     forge(jwt.SigningMethodHS384, key, same),
		"other key": forge(jwt.SigningMethodHS256, []byte(strings.Repeat("x", 32)), same),
		"empty key": forge(jwt.SigningMethodHS256, []byte{}, same),
		"no expiry": forge(jwt.SigningMethodHS256, key, func(c *jwt.RegisteredClaims, _ map[string]any) { c.ExpiresAt = nil }),
		"expired":   forge(jwt.SigningMethodHS256, key, func(c *jwt.RegisteredClaims, _ map[string]any) { c.ExpiresAt = jwt.NewNumericDate(time.Unix(1, 0)) }),
		"issued in the future": forge(jwt.SigningMethodHS256, key, func(c *jwt.RegisteredClaims, _ map[string]any) {
			c.IssuedAt = jwt.NewNumericDate(time.Now().Add(time.Hour))
		}),
		"issued two minutes in the future": forge(jwt.SigningMethodHS256, key, func(c *jwt.RegisteredClaims, _ map[string]any) {
			c.IssuedAt = jwt.NewNumericDate(time.Now().Add(2 * market.ClockSkew))
		}),
		"valid from the future": forge(jwt.SigningMethodHS256, key, func(c *jwt.RegisteredClaims, _ map[string]any) {
			c.NotBefore = jwt.NewNumericDate(time.Now().Add(2 * market.ClockSkew))
		}),
		"other issuer":   forge(jwt.SigningMethodHS256, key, func(c *jwt.RegisteredClaims, _ map[string]any) { c.Issuer = "x" }),
		"other audience": forge(jwt.SigningMethodHS256, key, func(c *jwt.RegisteredClaims, _ map[string]any) { c.Audience = jwt.ClaimStrings{"x"} }),
		"unknown jti":    forge(jwt.SigningMethodHS256, key, func(c *jwt.RegisteredClaims, _ map[string]any) { c.ID = "x" }),
		"unknown kid":    forge(jwt.SigningMethodHS256, key, func(_ *jwt.RegisteredClaims, h map[string]any) { h["kid"] = "../k1" }),
		"no kid":         forge(jwt.SigningMethodHS256, key, func(_ *jwt.RegisteredClaims, h map[string]any) { delete(h, "kid") }),
		"crit":           forge(jwt.SigningMethodHS256, key, func(_ *jwt.RegisteredClaims, h map[string]any) { h["crit"] = []string{"exp"} }),
		"truncated":      token[:len(token)-1],
		"empty":          "",
	}
	if got := r.do("GET", "/api/v1/auth/session", "", "Cookie", "taskmarket_session="+forge(jwt.SigningMethodHS256, key, same)); got.status != 200 {
		t.Fatalf("the valid token = %d %s", got.status, got.body)
	}
	for name, text := range forged {
		if got := r.do("GET", "/api/v1/auth/session", "", "Cookie", "taskmarket_session="+text); got.status != http.StatusUnauthorized {
			t.Errorf("%s = %d %s", name, got.status, got.body)
		}
	}
}

func TestSessionKeysMustBeLong(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for name, keys := range map[string]gate.SessionKeys{
		"none":  {},
		"short": {Current: "a", Keys: map[string][]byte{"a": []byte(strings.Repeat("x", 31))}},
		"other": {Current: "b", Keys: map[string][]byte{"a": []byte(strings.Repeat("x", 32))}},
	} {
		o := gateOptions(t, r.store, r.url)
		o.Sessions = keys
		if _, err := gate.New(o); err == nil {
			t.Errorf("New() with %s keys succeeded", name)
		}
	}
}
