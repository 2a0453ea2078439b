package metrics

import (
	"log/slog"
	"net"
	"net/http"
	"testing"
)

// A web page whose name resolves to a loopback address cannot read the metrics. On other addresses
// Prometheus can use any name.
func TestLoopbackListenerChecksHost(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]map[string]int{
		"127.0.0.1:0": {
			"localhost:9464": http.StatusOK, "127.0.0.1": http.StatusOK, "[::1]:9464": http.StatusOK,
			"attacker.example:9464": http.StatusForbidden, "localhost.attacker.example": http.StatusForbidden, "127.0.0.1.attacker.example": http.StatusForbidden,
		},
		"0.0.0.0:0": {"replica-1:9464": http.StatusOK, "replica-1.metrics.svc": http.StatusOK},
	} {
		listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		go func() { _ = New("v1").Serve(t.Context(), listener, slog.New(slog.DiscardHandler)) }()
		_, port, err := net.SplitHostPort(listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		for host, status := range want {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://127.0.0.1:"+port+"/metrics", nil)
			if err != nil {
				t.Fatal(err)
			}
			request.Host = host
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			_ = response.Body.Close()
			if response.StatusCode != status {
				t.Errorf("GET /metrics of %s with Host %s = %d, want %d", address, host, response.StatusCode, status)
			}
		}
	}
}
