package pg_test

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"testing"

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// Temporary failures, internal errors and the caller's errors have different kinds.
func TestTranslateKinds(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		cause error
		want  market.Kind
	}{
		{&net.OpError{Op: "dial", Err: os.ErrDeadlineExceeded}, market.KindUnavailable},
		{io.EOF, market.KindUnavailable},
		{io.ErrUnexpectedEOF, market.KindUnavailable},
		{driver.ErrBadConn, market.KindUnavailable},
		{errors.New("pq: could not connect to any of the hosts:\nconnecting to db1:5432: session is read-only"), market.KindUnavailable},
		{&pq.Error{Code: pqerror.ConnectionFailure}, market.KindUnavailable},
		{&pq.Error{Code: pqerror.DiskFull}, market.KindUnavailable},
		{&pq.Error{Code: pqerror.OutOfMemory}, market.KindUnavailable},
		{&pq.Error{Code: pqerror.TooManyConnections}, market.KindUnavailable},
		{&pq.Error{Code: pqerror.AdminShutdown}, market.KindUnavailable},
		{&pq.Error{Code: pqerror.CrashShutdown}, market.KindUnavailable},
		{&pq.Error{Code: pqerror.CannotConnectNow}, market.KindUnavailable},
		{&pq.Error{Code: pqerror.ReadOnlySQLTransaction}, market.KindUnavailable},
		{&pq.Error{Code: pqerror.IOError}, market.KindUnavailable},
		{&pq.Error{Code: pqerror.LockNotAvailable}, market.KindUnavailable},
		{&pq.Error{Code: pqerror.QueryCanceled}, market.KindUnavailable},
		{&pq.Error{Code: pqerror.CheckViolation}, market.KindInvalid},
		{sql.ErrNoRows, market.KindNotFound},
		{&pq.Error{Code: pqerror.UndefinedTable}, ""},
		{errors.New("anything else"), ""},
	} {
		got := pg.Translate(fmt.Errorf("wrapped: %w", test.cause), "do something")
		if market.KindOf(got) != test.want || !errors.Is(got, test.cause) {
			t.Errorf("%v (%T) = %v, kind %q, want %q", test.cause, test.cause, got, market.KindOf(got), test.want)
		}
	}
}
