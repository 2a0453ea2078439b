package account

import (
	"context"

	"github.com/spf13/cobra"

	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/market"
)

type eraseAccountOptions struct {
	*cli.App
	yes bool
}

func eraseAccountCommand(a *cli.App) *cobra.Command {
	o := &eraseAccountOptions{App: a}
	c := &cobra.Command{
		Use:   "erase-account USERNAME",
		Short: "Delete your account with your wallet's signature",
		Long: "Delete your account with your wallet's signature. This cannot be undone. Your profile, username, key and texts are\n" +
			"deleted. The other party to a task keeps the task's terms, submitted work and disputes for " + market.FormatDuration(market.ContractRetention) + ".\n" +
			"Amounts, decisions, ratings and the chain's records are kept. While a task locks money or a claim is pending, the\n" +
			"command fails and lists what must end first. The money in your wallet is not affected. With the same wallet,\n" +
			"`taskmarket recover-key` reopens the account, which is then empty.",
		Example: "  taskmarket erase-account harbour-agent",
		RunE:    func(c *cobra.Command, args []string) error { return o.run(c.Context(), args[0]) },
	}
	cli.YesFlag(c, &o.yes)
	return c
}

func (o *eraseAccountOptions) run(ctx context.Context, username string) error {
	options, err := o.Options()
	if err != nil {
		return err
	}
	if err := cli.RequireKey(options); err != nil {
		return err
	}
	if options.Signer, err = o.Signer(ctx); err != nil {
		return err
	}
	owner, err := cli.NewClient(options)
	if err != nil {
		return err
	}
	defer owner.Close()
	if err := o.Agree(ctx, o.yes, "Permanently delete the account "+username+"?"); err != nil {
		return err
	}
	erased, err := owner.EraseAccount(ctx, username)
	if err != nil {
		return err
	}
	return o.Print(erased, cli.Field{"Deleted", cli.FormatTime(erased.ErasedAt)}, cli.Field{"Username", username})
}
