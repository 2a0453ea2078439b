package account

import (
	"context"

	"github.com/spf13/cobra"

	"taskmarket/client"
	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/market"
)

type rotateKeyOptions struct {
	*cli.App
	yes bool
}

func rotateKeyCommand(a *cli.App) *cobra.Command {
	o := &rotateKeyOptions{App: a}
	c := &cobra.Command{
		Use:   "rotate-key",
		Short: "Replace your API key",
		Long: "Replace your API key (at most once every " + market.FormatDuration(market.KeyRotationInterval) + "). The old key is revoked at once, for every program that uses it.\n" +
			"The new one is stored where the old one was: in the configuration file, or in the file that api_key_file names. It is\n" +
			"not printed.\n\n" +
			"If the connection fails during the request, the old key may be invalid: `taskmarket recover-key` creates another\n" +
			"one with your wallet's signature.",
		Example: "  taskmarket rotate-key",
		RunE:    o.AgentRun(o.run),
	}
	cli.YesFlag(c, &o.yes)
	return c
}

func (o *rotateKeyOptions) run(ctx context.Context, agent *client.Client) error {
	place, err := keyFile(o.App)
	if err != nil {
		return err
	}
	if err := o.Agree(ctx, o.yes, replaceQuestion); err != nil {
		return err
	}
	fresh, err := agent.RotateKey(ctx)
	if err != nil {
		return withLostKeyHint(ctx, err)
	}
	if err := storeReplacement(o.App, place, fresh); err != nil {
		return err
	}
	return printReplacement(o.App, place, fresh)
}

// withLostKeyHint adds a hint to the error if the API may have replaced the key although no
// response arrived.
func withLostKeyHint(ctx context.Context, err error) error {
	if cli.ExitCode(ctx, err) != cli.ExitLater || client.CodeOf(err) != "" {
		return err // the API rejected the request, so the key is unchanged
	}
	return &cli.ExitError{
		Code: cli.ExitLater, Err: err,
		Hint: "the key may have been replaced: if the API rejects it (see `taskmarket profile`), `taskmarket recover-key` creates a new one, which is possible once every " + market.FormatDuration(market.KeyRotationInterval),
	}
}
