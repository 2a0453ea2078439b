package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"gocloud.dev/blob/memblob"

	"taskmarket/chain"
	"taskmarket/market"
	"taskmarket/server"
	"taskmarket/server/gate"
	"taskmarket/store"
)

// The measured server is this program, started again with serveArgument, so that its processor time
// can be measured separately.
const (
	serveArgument = "serve"
	serveVariable = "BENCH_SERVE" // environment variable that contains serveConfig as JSON
)

type serveConfig struct {
	Listen      string
	DatabaseURL string
	RPCURL      string
	Deployment  market.Deployment
}

// serve runs the HTTP server like taskmarketd until ctx ends, but with rate limits that are too
// high to be reached.
func serve(ctx context.Context, _ io.Writer) error {
	var c serveConfig
	if err := json.Unmarshal([]byte(os.Getenv(serveVariable)), &c); err != nil {
		return fmt.Errorf("read %s: %w", serveVariable, err)
	}
	records, err := store.Open(ctx, c.DatabaseURL, c.Deployment)
	if err != nil {
		return err
	}
	defer records.Close()
	node, err := chain.Dial(ctx, []string{c.RPCURL}, c.Deployment.ChainID, chain.NodeOptions{})
	if err != nil {
		return err
	}
	defer node.Close()
	reader := chain.NewReader(node, chain.NewContracts(c.Deployment))
	monitor := chain.NewHeadMonitor(reader, 2*time.Second)
	go monitor.Run(ctx)
	handler, err := newHandler(c, records, node, reader, monitor) //nolint:contextcheck // handlers use the contexts of their requests
	if err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", c.Listen)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	web := &http.Server{Handler: handler, ReadHeaderTimeout: 5 * time.Second}
	stop := context.AfterFunc(ctx, func() { _ = web.Close() })
	defer stop()
	if err := web.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}

func newHandler(c serveConfig, records *store.Store, node *chain.Node, reader *chain.Reader, monitor *chain.HeadMonitor) (http.Handler, error) {
	contracts := chain.NewContracts(c.Deployment)
	unlimited := gate.Limit{Count: 1_000_000, Period: time.Second, Burst: 1_000_000}
	return server.New(server.Options{
		Store: records, Calls: contracts, Reader: reader, Head: monitor.Head, Verifier: chain.NewVerifier(node),
		Files:    memblob.OpenBucket(nil),
		Sessions: gate.SessionKeys{Current: "bench", Keys: map[string][]byte{"bench": []byte(strings.Repeat("k", 32))}},
		BaseURL:  "http://" + c.Listen, Version: "bench",
		Limits: map[string]gate.Limit{"*": unlimited},
		Log:    slog.New(slog.NewJSONHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelInfo})),
	})
}
