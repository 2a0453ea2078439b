package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"

	"github.com/ethereum/go-ethereum/common"
	"github.com/lib/pq"

	"taskmarket/chain"
	"taskmarket/chain/devnet"
	"taskmarket/chain/rpc"
	"taskmarket/chain/send"
	"taskmarket/market"
	"taskmarket/store/localpg"
	"taskmarket/store/schema"
	"taskmarket/test/bench/measure"
)

// feeBasisPoints is the platform fee of the deployed contracts.
const feeBasisPoints = 500

// world is the environment of the benchmark: a database server, a chain with the contracts, and an
// agent that owns all tokens.
type world struct {
	dir        string
	database   *localpg.Cluster
	admin      *sql.DB // administrative connection to the database server
	postmaster int     // process id of the database server
	chain      *devnet.Node
	node       *rpc.Node
	agent      *chain.KeySigner
	deployment market.Deployment
}

// newWorld starts the environment; Close stops it.
func newWorld(ctx context.Context) (*world, error) {
	w := &world{}
	for _, start := range []func(context.Context) error{w.startDatabase, w.startChain} {
		if err := start(ctx); err != nil {
			return nil, errors.Join(err, w.Close())
		}
	}
	return w, nil
}

func (w *world) startDatabase(ctx context.Context) error {
	var err error
	if w.dir, err = os.MkdirTemp("", "taskmarket-bench-"); err != nil {
		return fmt.Errorf("create the benchmark's directory: %w", err)
	}
	// The user that runs PostgreSQL must be able to access its data.
	if err := os.Chmod(w.dir, 0o755); err != nil {
		return fmt.Errorf("create the benchmark's directory: %w", err)
	}
	if w.database, err = localpg.Start(ctx, localpg.Options{Dir: w.dir}); err != nil {
		return err
	}
	if w.admin, err = sql.Open("postgres", w.database.URL("postgres")); err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	// Background work would distort the measurements.
	for _, statement := range []string{"ALTER SYSTEM SET autovacuum = off", "SELECT pg_reload_conf()"} {
		if _, err := w.admin.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("configure the database: %w", err)
		}
	}
	var backend int
	if err := w.admin.QueryRowContext(ctx, "SELECT pg_backend_pid()").Scan(&backend); err != nil {
		return fmt.Errorf("find the database's process: %w", err)
	}
	w.postmaster, err = measure.Parent(backend)
	return err
}

func (w *world) startChain(ctx context.Context) error {
	var err error
	if w.chain, err = devnet.Start(ctx, devnet.Options{}); err != nil {
		return err
	}
	if w.node, err = rpc.Dial(ctx, []string{w.chain.URL()}, devnet.ChainID, rpc.NodeOptions{}); err != nil {
		return err
	}
	w.agent = chain.NewKeySigner(w.chain.Accounts()[0].Key)
	w.deployment, err = send.Deploy(ctx, w.node, w.agent, send.DeployParams{
		Name: "Task Token", Symbol: "TASK", Supply: new(big.Int).Lsh(big.NewInt(1), 90), Holder: w.agent.Address(),
		Owner: w.agent.Address(), Guardian: w.agent.Address(), FeeBasisPoints: feeBasisPoints,
		Validators: []common.Address{w.chain.Accounts()[1].Address}, Quorum: 1,
		RewardSigner: w.agent.Address(), DailyBudget: big.NewInt(1),
	})
	return err
}

// create creates a database as a copy of the template or, if template is empty, with all migrations
// applied.
func (w *world) create(ctx context.Context, name, template string) (url string, err error) {
	url = w.database.URL(name)
	if template == "" {
		if err := schema.CreateDatabase(ctx, w.database.URL("postgres"), name); err != nil {
			return "", err
		}
		_, err := schema.Migrate(ctx, url)
		return url, err
	}
	_, err = w.admin.ExecContext(ctx, "CREATE DATABASE "+pq.QuoteIdentifier(name)+" TEMPLATE "+pq.QuoteIdentifier(template))
	if err != nil {
		return "", fmt.Errorf("copy database %s: %w", template, err)
	}
	return url, nil
}

// drop deletes a database and closes its open connections.
func (w *world) drop(ctx context.Context, name string) error {
	if _, err := w.admin.ExecContext(ctx, "DROP DATABASE "+pq.QuoteIdentifier(name)+" WITH (FORCE)"); err != nil {
		return fmt.Errorf("drop database %s: %w", name, err)
	}
	return nil
}

// path returns the path of a file in the benchmark's directory.
func (w *world) path(name string) string { return filepath.Join(w.dir, name) }

// Close stops all processes and removes all files.
func (w *world) Close() error {
	var errs []error
	if w.node != nil {
		w.node.Close()
	}
	if w.chain != nil {
		errs = append(errs, w.chain.Stop())
	}
	if w.admin != nil {
		errs = append(errs, w.admin.Close())
	}
	if w.database != nil {
		errs = append(errs, w.database.Stop())
	}
	if w.dir != "" {
		errs = append(errs, os.RemoveAll(w.dir))
	}
	return errors.Join(errs...)
}
