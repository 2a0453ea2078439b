package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/spf13/cobra"
	"gocloud.dev/blob"

	"taskmarket/chain/follow"
	"taskmarket/market"
	"taskmarket/server"
	"taskmarket/server/restorelist"
	"taskmarket/store"
)

func reindexCommand() *cobra.Command {
	var from uint64
	command := &cobra.Command{
		Use:   "reindex",
		Short: "Delete the records of the chain and follow it again",
		Long: "Delete the records of the chain from a block on, and follow the chain again up to the head.\n" +
			"User content is kept. Stop all replicas first. If the watcher has stopped because of a\n" +
			"reorg below a finalized block, run this command only if all nodes and an explorer agree on the new\n" +
			"chain (runbook, TaskmarketWatcherStopped).",
		Args: cobra.NoArgs,
		RunE: offline(func(ctx context.Context, s *service, out io.Writer) error {
			first := max(from, s.config.deployed.StartBlock)
			entry := market.AuditEntry{Kind: market.AuditReindex, SubjectKind: "block", Subject: strconv.FormatUint(first, 10)}
			if err := s.store.Operators.WriteAudit(ctx, entry); err != nil {
				return err
			}
			return s.reindex(ctx, first, out)
		}),
	}
	command.Flags().Uint64Var(&from, "from", 0, "first block to follow again (default: the deployment's first block)")
	return command
}

func afterRestoreCommand() *cobra.Command {
	var suspensionsOnly bool
	command := &cobra.Command{
		Use:   "after-restore",
		Short: "Make a database that was restored from a backup safe to serve",
		Long: "Make a database that was restored from a backup safe to serve. Run it before any replica starts.\n" +
			"A backup contains keys that were replaced later, sessions that were ended and challenges that were\n" +
			"used, so all keys, sessions and challenges are revoked. Agents get a new key with\n" +
			"`taskmarket recover-key`, which needs their wallet's signature; humans sign in again. Then the\n" +
			"chain is followed again from the deployment's first block, so that tasks, stakes and paid claims\n" +
			"match the chain. Suspensions and erasures of accounts are repeated from the list in the file store.\n" +
			"User content from after the backup is lost. The command can be run again.\n" +
			"The database gets a new identity, so that a copy cannot delete the original's files: run\n" +
			"`taskmarketd adopt-files` once the file store is used by no other database.\n\n" +
			"An account that is newer than the backup can be suspended only after it has registered again. Then run\n" +
			"the command with --suspensions-only.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if suspensionsOnly {
				return withStore(repeatOnlySuspensions)(cmd)
			}
			return offline(afterRestore)(cmd, args)
		},
	}
	command.Flags().BoolVar(&suspensionsOnly, "suspensions-only", false,
		"only repeat the suspensions: needs no node, revokes nothing, and replicas can run")
	return command
}

func afterRestore(ctx context.Context, s *service, out io.Writer) error {
	if err := s.store.RevokeCredentials(ctx); err != nil {
		return err
	}
	fmt.Fprintln(out, "revoked all API keys, sessions and challenges")
	if err := repeatSuspensions(ctx, s.files, s.store, out); err != nil {
		return err
	}
	if err := s.reindex(ctx, s.config.deployed.StartBlock, out); err != nil {
		return err
	}
	// Erasures are repeated after the reindex, which restores the funding of tasks: the texts of a task
	// that was never funded are erased at once, those of a funded task only after a retention period.
	if err := repeatErasures(ctx, s, out); err != nil {
		return err
	}
	err := server.ClaimFiles(ctx, s.files, s.store)
	if foreign, ok := errors.AsType[*server.ForeignFilesError](err); ok {
		fmt.Fprintln(out, "before the next start:", foreign)
		return nil
	}
	return err
}

func repeatOnlySuspensions(ctx context.Context, c config, s *store.Store, out io.Writer) error {
	files, err := openRestoreList(ctx, c)
	if err != nil {
		return err
	}
	defer files.Close()
	return repeatSuspensions(ctx, files, s, out)
}

// openRestoreList opens the file store, which contains the list of suspensions and erasures.
func openRestoreList(ctx context.Context, c config) (*blob.Bucket, error) {
	if c.BlobURL == "" {
		return nil, fmt.Errorf("%sBLOB_URL is missing: the list of suspensions and erasures is in the file store", prefix)
	}
	return openFiles(ctx, c.BlobURL)
}

// repeatSuspensions repeats the suspensions that the backup does not contain.
func repeatSuspensions(ctx context.Context, files *blob.Bucket, records *store.Store, out io.Writer) error {
	repeated, unknown, err := restorelist.RepeatSuspensions(ctx, files, records)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d suspensions are in force\n", repeated)
	if unknown > 0 {
		fmt.Fprintf(out, "%d suspended accounts are not in the database; when they have registered again, "+
			"run `taskmarketd after-restore --suspensions-only`\n", unknown)
	}
	return nil
}

func adoptFilesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "adopt-files",
		Short: "Make the file store belong to this database",
		Long: "Make the file store belong to this database, for example after a restore, or if the store is a copy of\n" +
			"another one. Files without a record in this database are deleted after an hour, so no other database\n" +
			"may use the store.",
		Args: cobra.NoArgs,
		RunE: offline(func(ctx context.Context, s *service, out io.Writer) error {
			if err := server.AdoptFiles(ctx, s.files, s.store); err != nil {
				return err
			}
			if err := s.store.Operators.WriteAudit(ctx, market.AuditEntry{Kind: market.AuditFilesAdopted}); err != nil {
				return err
			}
			fmt.Fprintln(out, "the file store belongs to this database")
			return nil
		}),
	}
}

// repeatErasures repeats the erasures that the backup does not contain.
func repeatErasures(ctx context.Context, s *service, out io.Writer) error {
	repeated, unknown, err := restorelist.RepeatErasures(ctx, s.files, s.store)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d erasures have been applied\n", repeated)
	if unknown > 0 {
		fmt.Fprintf(out, "%d erased accounts are not in the database; the list keeps them for the next restore\n", unknown)
	}
	return nil
}

// offline returns a command function that runs do on a service that is connected to the database and
// the chain, but runs no server and no background jobs.
func offline(do func(ctx context.Context, s *service, out io.Writer) error) func(*cobra.Command, []string) error {
	return withService(func(ctx context.Context, s *service, out io.Writer) error {
		if err := s.connect(ctx); err != nil {
			return err
		}
		return do(ctx, s, out)
	})
}

// withService returns a command function that runs do on a service with the configuration of `serve`. The
// service is not connected to the database or the chain.
func withService(do func(ctx context.Context, s *service, out io.Writer) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, _ []string) error {
		c, err := loadConfig(os.Environ())
		if err := errors.Join(err, c.Validate()); err != nil {
			return err
		}
		s, err := newService(cmd.Context(), c, c.logger(os.Stderr))
		if err != nil {
			return err
		}
		defer s.close(cmd.Context())
		return do(byOperator(cmd.Context()), s, cmd.OutOrStdout())
	}
}

// reindex deletes the recorded blocks from number from on, with the records derived from them, and
// follows the chain again up to its head.
func (s *service) reindex(ctx context.Context, from uint64, out io.Writer) error {
	if err := s.store.Journal.Reset(ctx, from); err != nil {
		return err
	}
	defer s.watcher.Release(context.WithoutCancel(ctx))
	outcome, err := s.watcher.CatchUp(ctx)
	if err != nil {
		return err
	}
	if outcome.Progress == follow.Standby {
		return errors.New("another process is following the chain with this database: stop it, then run this command again")
	}
	fmt.Fprintf(out, "followed from block %d to %d\n", from, outcome.Block.Number)
	return nil
}
