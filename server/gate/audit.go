package gate

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"taskmarket/market"
)

// audited passes refusals that belong in the audit log to Options.Refused.
func (g *Gate) audited(op *Operation) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			err := next(c)
			if err != nil {
				g.noteRefusal(c, op, err)
			}
			return err
		}
	}
}

func (g *Gate) noteRefusal(c echo.Context, op *Operation, err error) {
	kind := auditKind(c.Request(), op, err)
	if kind == "" {
		return
	}
	g.refused(market.AuditEntry{
		Kind: kind, Account: PrincipalOf(c.Request().Context()).ID, Detail: op.id, Origin: originOf(c),
	})
}

// auditKind returns the kind of a refusal, or "" if it does not belong in the audit log.
func auditKind(r *http.Request, op *Operation, err error) market.AuditKind {
	refusal := RefusalOf(err)
	switch {
	case refusal == nil:
		return ""
	case refusal.Kind == market.KindCSRF:
		return market.AuditCSRFRefused
	case StatusOf(refusal.Kind) == http.StatusForbidden:
		return market.AuditForbidden
	case refusal.Kind == market.KindUnauthorized && op.opens:
		return market.AuditSignInRefused
	case IsProofFault(refusal):
		return market.AuditProofRefused
	case refusal.Kind == market.KindUnauthorized && len(r.Header.Values("X-API-Key")) > 0:
		return market.AuditKeyRefused
	}
	return ""
}

// IsProofFault reports whether err refuses a proof of wallet ownership.
func IsProofFault(err error) bool {
	kind := market.KindOf(err)
	return kind == market.KindSignatureInvalid || kind == market.KindChallengeMismatch || kind == market.KindChallengeExpired
}

// originOf returns the request's origin for the audit log.
func originOf(c echo.Context) market.Origin {
	by := market.Origin{Network: market.AuditNetwork(parseAddress(c.RealIP()))}
	if r := requestOf(c.Request().Context()); r != nil {
		by.RequestID = r.auditID
	}
	return by
}
