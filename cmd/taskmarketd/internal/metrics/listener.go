package metrics

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"net/netip"
	"net/url"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Timeouts of the listener. A CPU profile takes 30 seconds unless the request names another time.
const (
	readTimeout  = 5 * time.Second
	writeTimeout = 2 * time.Minute
	idleTimeout  = 75 * time.Second // longer than the usual interval between two reads of the metrics
)

// Handler serves /metrics and the profiles of net/http/pprof. It has no access control, so it must
// be served only on addresses that only operators can reach.
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

// guarded rejects requests whose Host header is a DNS name other than localhost, if the listener has
// a loopback address. Otherwise a web page could read the metrics through the operator's browser, by
// DNS rebinding. On other addresses every Host is accepted, because Prometheus can use any name; the
// network must protect them.
func guarded(next http.Handler, address net.Addr) http.Handler {
	if tcp, ok := address.(*net.TCPAddr); !ok || !tcp.IP.IsLoopback() {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := (&url.URL{Host: r.Host}).Hostname()
		if _, err := netip.ParseAddr(host); err != nil && host != "localhost" {
			http.Error(w, "the Host header must be localhost or an IP address", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// Serve serves Handler on the listener until ctx ends.
func (m *Metrics) Serve(ctx context.Context, listener net.Listener, log *slog.Logger) error {
	web := &http.Server{
		Handler: guarded(m.Handler(), listener.Addr()), ReadTimeout: readTimeout, WriteTimeout: writeTimeout, IdleTimeout: idleTimeout,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	stopped := context.AfterFunc(ctx, func() { _ = web.Close() })
	defer stopped()
	if err := web.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve metrics: %w", err)
	}
	return nil
}
