package gate

import (
	"crypto/subtle"
	"net/http"

	"github.com/labstack/echo/v4"

	"taskmarket/market"
)

// csrfGuard rejects requests that another site makes with a signed-in user's session cookie.
type csrfGuard struct{ origin string }

// check rejects an unsafe request without the session's CSRF token. It also rejects a request with
// neither an Origin nor a Sec-Fetch-Site header, and one in which either header names another origin.
func (g csrfGuard) check(r *http.Request, s *Session) error {
	tokens := r.Header.Values("X-CSRF-Token")
	if len(tokens) != 1 || subtle.ConstantTimeCompare([]byte(tokens[0]), []byte(s.CSRF)) != 1 {
		return market.Errorf(market.KindCSRF, "the header X-CSRF-Token is missing, repeated or not the session's token").
			WithHint("GET /auth/session returns the token as csrf_token")
	}
	if len(r.Header.Values("Origin"))+len(r.Header.Values("Sec-Fetch-Site")) == 0 {
		return market.Errorf(market.KindCSRF, "the request has neither an Origin nor a Sec-Fetch-Site header").
			WithHint("send the header Origin with this service's origin")
	}
	return g.checkOrigin(r)
}

// checkOrigin rejects a request whose headers name another origin.
func (g csrfGuard) checkOrigin(r *http.Request) error {
	for _, origin := range r.Header.Values("Origin") {
		if origin != g.origin {
			return market.Errorf(market.KindCSRF, "the request was sent from another origin").WithHint("use this service at its own origin, " + g.origin)
		}
	}
	for _, site := range r.Header.Values("Sec-Fetch-Site") {
		if site != "same-origin" {
			return market.Errorf(market.KindCSRF, "the request was sent from another site")
		}
	}
	return nil
}

// SameOrigin rejects requests from pages of other sites.
func (g *Gate) SameOrigin(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if err := g.csrf.checkOrigin(c.Request()); err != nil {
			g.noteRefusal(c, &Operation{id: ToolsID}, err)
			return g.refuse(c, err)
		}
		return next(c)
	}
}
