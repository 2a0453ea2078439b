package gate

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"taskmarket/market"
	"taskmarket/store"
)

// idempotent runs a request with an Idempotency-Key once: after a success, a repetition with the same
// key and body returns the stored response.
func (g *Gate) idempotent(op *Operation) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			key := c.Request().Header.Get("Idempotency-Key")
			if key == "" {
				return next(c)
			}
			body, err := bodyHash(c.Request())
			if err != nil {
				return err
			}
			fresh, err := uuid.NewV7()
			if err != nil {
				return err
			}
			r, scope := c.Request(), scopeOf(c.Request(), op, key)
			record, stored, err := g.store.BeginRequest(r.Context(), scope, body, fresh)
			if err != nil {
				return err
			}
			if stored != nil {
				return c.Blob(stored.Status, echo.MIMEApplicationJSON, stored.Body)
			}
			c.SetRequest(r.WithContext(context.WithValue(r.Context(), recordKey{}, record)))
			return g.respondOnce(c, scope, next)
		}
	}
}

// abandonTimeout limits how long a request that has failed because the database is unavailable waits to
// release its key.
const abandonTimeout = time.Second

type recordKey struct{}

// RecordID returns the id of the record that the request creates: a new UUIDv7, or the id from an
// earlier attempt of the same request.
func RecordID(ctx context.Context) (uuid.UUID, error) {
	if id, ok := ctx.Value(recordKey{}).(uuid.UUID); ok {
		return id, nil
	}
	return uuid.NewV7()
}

// respondOnce runs the request and stores a successful response before it is sent to the client.
func (g *Gate) respondOnce(c echo.Context, scope common.Hash, next echo.HandlerFunc) error {
	response, err := g.once(c, scope, next)
	if err != nil {
		return err
	}
	return response.send()
}

// once runs the request and updates its key. A client error means that nothing was created, so the
// key is released. After any other failure, including a panic, the outcome is unknown, because a
// COMMIT may have succeeded although its confirmation was lost. A repeated request then creates the
// same record.
func (g *Gate) once(c echo.Context, scope common.Hash, next echo.HandlerFunc) (*recorder, error) {
	// The key must be updated even if the client disconnects.
	ctx, end := context.WithoutCancel(c.Request().Context()), g.store.AbandonRequest
	var err error
	defer func() {
		if refusal := RefusalOf(err); refusal != nil && refusal.Kind == market.KindUnavailable {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, abandonTimeout) // the request may already have waited for the database
			defer cancel()
		}
		if err := end(ctx, scope); err != nil {
			g.log.WarnContext(ctx, "the idempotency key of a request could not be updated; it stays locked until its lease ends", slog.Any("err", err))
		}
	}()
	var response *recorder
	response, err = record(c, next)
	switch {
	case err == nil && response.status >= http.StatusOK && response.status < http.StatusMultipleChoices:
		end = func(ctx context.Context, scope common.Hash) error {
			return g.store.FinishRequest(ctx, scope, store.Answer{Status: response.status, Body: response.body.Bytes()})
		}
	case err == nil || BlamesCaller(err):
		end = g.store.DiscardRequest
	}
	return response, err
}

// BlamesCaller reports whether the error is the caller's fault, which means that nothing was
// changed.
func BlamesCaller(err error) bool {
	refusal := RefusalOf(err)
	return refusal != nil && StatusOf(refusal.Kind) < http.StatusInternalServerError
}

// scopeOf returns the scope in which a key is unique: caller, operation and path.
func scopeOf(r *http.Request, op *Operation, key string) common.Hash {
	principal := PrincipalOf(r.Context())
	path := strings.TrimSuffix(r.URL.Path, "/") // with or without a trailing slash, the path has the same scope
	return sha256.Sum256([]byte(strings.Join([]string{string(principal.Kind), principal.ID.String(), op.id, path, key}, "\n")))
}

func bodyHash(r *http.Request) (common.Hash, error) {
	body, err := r.GetBody()
	if err != nil {
		return common.Hash{}, fmt.Errorf("read body again: %w", err)
	}
	hash := sha256.New()
	if _, err := io.Copy(hash, body); err != nil {
		return common.Hash{}, fmt.Errorf("hash body: %w", err)
	}
	return common.Hash(hash.Sum(nil)), nil
}
