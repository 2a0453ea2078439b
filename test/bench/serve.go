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
	"taskmarket/chain/rpc"
	"taskmarket/market"
	"taskmarket/server"
	"taskmarket/server/gate"
	"taskmarket/store"
)

// The measured servers are this program, started again with one of these arguments, so that their
// processor time can be measured separately.
const (
	serveArgument = "serve"
	bareArgument  = "bare"
	serveVariable = "BENCH_SERVE" // environment variable that contains serveConfig as JSON
)

// unlimited is a rate in requests per second that is never reached.
const unlimited = 1_000_000

// unlimitedBurst is the burst at this rate.
const unlimitedBurst = 1_000_000_000

type serveConfig struct {
	Listen      string
	DatabaseURL string
	RPCURL      string
	Deployment  market.Deployment
}

// serve runs the HTTP server like taskmarketd until ctx ends, but with rate limits that are too
// high to be reached.
func serve(ctx context.Context, _ io.Writer) error {
	c, err := readServeConfig()
	if err != nil {
		return err
	}
	records, err := store.Open(ctx, c.DatabaseURL, c.Deployment)
	if err != nil {
		return err
	}
	defer records.Close()
	node, err := rpc.Dial(ctx, []string{c.RPCURL}, c.Deployment.ChainID, rpc.NodeOptions{})
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
	return listenAndServe(ctx, c.Listen, handler)
}

// readServeConfig returns the configuration that the parent process passed.
func readServeConfig() (c serveConfig, err error) {
	if err := json.Unmarshal([]byte(os.Getenv(serveVariable)), &c); err != nil {
		return c, fmt.Errorf("read %s: %w", serveVariable, err)
	}
	return c, nil
}

func listenAndServe(ctx context.Context, address string, handler http.Handler) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
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

func newHandler(c serveConfig, records *store.Store, node *rpc.Node, reader *chain.Reader, monitor *chain.HeadMonitor) (http.Handler, error) {
	contracts := chain.NewContracts(c.Deployment)
	return server.New(server.Options{
		Store: records, Calls: contracts, Reader: reader, Head: monitor.Head, Verifier: chain.NewVerifier(node),
		Files:    memblob.OpenBucket(nil),
		Sessions: gate.SessionKeys{Current: "bench", Keys: map[string][]byte{"bench": []byte(strings.Repeat("k", 32))}},
		BaseURL:  "http://" + c.Listen, Version: "bench",
		Limits: map[string]gate.Limit{"*": {Count: unlimited, Period: time.Second, Burst: unlimitedBurst}},
		Log:    slog.New(slog.NewJSONHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelInfo})),
	})
}
