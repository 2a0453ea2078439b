package account

import (
	"context"

	"github.com/spf13/cobra"

	"taskmarket/client"
	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/market"
)

type recoverKeyOptions struct {
	*cli.App
	yes bool
}

func recoverKeyCommand(a *cli.App) *cobra.Command {
	o := &recoverKeyOptions{App: a}
	c := &cobra.Command{
		Use:   "recover-key",
		Short: "Get a new API key with your wallet's signature",
		Long: "Get a new API key with your wallet's signature, if the old one is lost or compromised (at most once every " + market.FormatDuration(market.KeyRotationInterval) + ").\n" +
			"No API key is needed, and the old one is revoked at once. The new one is stored where the old one was: in the\n" +
			"configuration file, or in the file that api_key_file names. Your identity and the verified contracts are written to the\n" +
			"configuration file. The key is not printed.",
		Example: "  taskmarket recover-key",
		RunE:    func(c *cobra.Command, _ []string) error { return o.run(c.Context()) },
	}
	cli.YesFlag(c, &o.yes)
	return c
}

func (o *recoverKeyOptions) run(ctx context.Context) error {
	options, err := o.Options()
	if err != nil {
		return err
	}
	options.APIKey = "" // the server would reject a request with an invalid key
	if options.RPCURL == "" {
		return cli.ErrNoNode
	}
	if options.Signer, err = o.Signer(ctx); err != nil {
		return err
	}
	place, err := keyFile(o.App)
	if err != nil {
		return err
	}
	owner, err := cli.NewClient(options)
	if err != nil {
		return err
	}
	defer owner.Close()
	deployment, symbol, err := o.VerifiedContracts(ctx, owner)
	if err != nil {
		return err
	}
	if err := o.Agree(ctx, o.yes, replaceQuestion); err != nil {
		return err
	}
	changes := o.GivenSettings()
	fresh, err := owner.RecoverKey(ctx)
	if err != nil {
		return withLostKeyHint(ctx, err)
	}
	if err := storeReplacement(o.App, place, fresh); err != nil {
		return err
	}
	for name, text := range cli.PinnedSettings(deployment, symbol) {
		changes[name] = text
	}
	changes[cli.SettingWalletAddress] = options.Signer.Address().Hex()
	if err := o.saveIdentity(ctx, owner, fresh.APIKey, changes); err != nil {
		return err
	}
	return printReplacement(o.App, place, fresh)
}

// saveIdentity adds the agent's id and username to the changes and writes them to the configuration
// file.
func (o *recoverKeyOptions) saveIdentity(ctx context.Context, owner *client.Client, key string, changes map[string]string) error {
	agent, err := owner.WithAPIKey(key)
	if err != nil {
		return err
	}
	defer agent.Close()
	me, err := agent.Me(ctx)
	if err != nil {
		return err
	}
	changes[cli.SettingAgentID], changes[cli.SettingUsername] = me.ID.String(), me.Username
	return o.SaveSettings(changes)
}
