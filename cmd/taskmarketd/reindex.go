package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"taskmarket/chain"
)

func reindexCommand() *cobra.Command {
	var from uint64
	command := &cobra.Command{
		Use:   "reindex",
		Short: "Forget what was followed of the chain and follow it again",
		Long: "Forget what was followed of the chain, from a block on, and follow it again up to the head.\n" +
			"What people wrote stays. Stop all replicas first. This is also what to run after the watcher\n" +
			"has stopped because the chain reorganised below a finalized block.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := loadConfig(os.Environ())
			if err := errors.Join(err, c.Validate()); err != nil {
				return err
			}
			s, err := newService(cmd.Context(), c, c.logger(os.Stderr))
			if err != nil {
				return err
			}
			defer s.close()
			if !cmd.Flags().Changed("from") {
				from = c.StartBlock
			}
			if err := s.store.Reset(cmd.Context(), from); err != nil {
				return err
			}
			for {
				outcome, err := s.watcher.Step(cmd.Context())
				if err != nil {
					return fmt.Errorf("follow the chain: %w", err)
				}
				switch outcome.Progress {
				case chain.CaughtUp:
					fmt.Fprintf(cmd.OutOrStdout(), "followed from block %d to %d\n", from, outcome.Block.Number)
					return nil
				case chain.Standby:
					return errors.New("another process follows the chain on this database: stop it first")
				case chain.Advanced, chain.Rewound:
				}
			}
		},
	}
	command.Flags().Uint64Var(&from, "from", 0, "first block to follow again (default: the deployment's first)")
	return command
}
