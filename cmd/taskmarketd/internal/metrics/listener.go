package metrics

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Timeouts of the listener. A CPU profile takes 30 seconds unless the request names another time.
const (
	readTimeout  = 5 * time.Second
	writeTimeout = 2 * time.Minute
)

// Handler serves /metrics and the profiles of net/http/pprof. It has no access control, so it must
// listen only where operators can connect.
func (m *Metrics) Handler() http.Handler {
	mux := http.NewServeMux()
	exported := promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{
		ErrorHandling: promhttp.ContinueOnError, // a failed part must not hide the others
		Registry:      m.registry,
	})
	mux.Handle("GET /metrics", exported)
	mux.Handle("GET /{$}", exported)
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	return mux
}

// Serve serves Handler on the listener until ctx ends.
func (m *Metrics) Serve(ctx context.Context, listener net.Listener, log *slog.Logger) error {
	web := &http.Server{
		Handler: m.Handler(), ReadTimeout: readTimeout, WriteTimeout: writeTimeout,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	stopped := context.AfterFunc(ctx, func() { _ = web.Close() })
	defer stopped()
	if err := web.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve metrics: %w", err)
	}
	return nil
}
