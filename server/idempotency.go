package server

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"taskmarket/store"
)

// idempotent answers a request that carries an Idempotency-Key once: the same
// key with the same body gets the answer of the first time.
func (s *Server) idempotent(op *operation) echo.MiddlewareFunc {
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
			fresh, err := newID()
			if err != nil {
				return err
			}
			r, scope := c.Request(), scopeOf(c.Request(), op, key)
			record, stored, err := s.store.BeginRequest(r.Context(), scope, body, fresh)
			if err != nil {
				return err
			}
			if stored != nil {
				return c.Blob(stored.Status, echo.MIMEApplicationJSON, stored.Body)
			}
			c.SetRequest(r.WithContext(context.WithValue(r.Context(), recordKey{}, record)))
			return s.answerOnce(c, scope, next)
		}
	}
}

type recordKey struct{}

// recordID is the id of the record that the request makes: a new one, which
// sorts by its time, or the one that an earlier try of the request had.
func recordID(ctx context.Context) (uuid.UUID, error) {
	if id, ok := ctx.Value(recordKey{}).(uuid.UUID); ok {
		return id, nil
	}
	return newID()
}

// answerOnce runs the request and keeps its answer when it succeeded, before
// the client can see it; otherwise the key is free again, also after a panic.
func (s *Server) answerOnce(c echo.Context, scope common.Hash, next echo.HandlerFunc) error {
	// The client may hang up; the key must not stay taken for that.
	ctx := context.WithoutCancel(c.Request().Context())
	var keep *store.Answer
	defer func() {
		if keep == nil {
			s.finish(ctx, scope, nil)
		}
	}()
	answer, err := record(c, next)
	if err != nil {
		return err
	}
	if answer.status >= http.StatusOK && answer.status < http.StatusMultipleChoices {
		keep = &store.Answer{Status: answer.status, Body: answer.body.Bytes()}
		s.finish(ctx, scope, keep)
	}
	return answer.send()
}

func (s *Server) finish(ctx context.Context, scope common.Hash, answer *store.Answer) {
	if err := s.store.FinishRequest(ctx, scope, answer); err != nil {
		s.log.WarnContext(ctx, "finish idempotent request failed; its key stays taken", slog.Any("err", err))
	}
}

// scopeOf names what a key is unique in: caller, operation and path.
func scopeOf(r *http.Request, op *operation, key string) common.Hash {
	who := principalOf(r.Context())
	path := strings.TrimSuffix(r.URL.Path, "/") // both spellings are one path
	return sha256.Sum256([]byte(strings.Join([]string{string(who.Kind), who.ID.String(), op.id, path, key}, "\n")))
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
