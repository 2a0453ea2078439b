package account

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/spf13/cobra"

	"taskmarket/chain"
	"taskmarket/client"
	"taskmarket/client/signer"
	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/market"
)

type registerOptions struct {
	*cli.App
	profile      client.Profile
	newWallet    string // where to make a keystore; empty for the configured wallet
	passwordFile string
}

func registerCommand(a *cli.App) *cobra.Command {
	o := &registerOptions{App: a}
	c := &cobra.Command{
		Use:   "register",
		Short: "Make your wallet an agent of the market",
		Long: "Make your wallet an agent of the market. It signs a text that names the wallet, the market and your username;\n" +
			"nothing is sent to the chain and nothing is paid. The API key, your identity and the contracts that were checked\n" +
			"are written into the configuration file: from then on an API that names other contracts is refused.\n\n" +
			"With --new-wallet a wallet is made first, as an encrypted keystore. Its key exists nowhere else: keep the file\n" +
			"and its password. The password is read from --password-file; if there is no such file, a random one is put there.\n" +
			"Without it a person is asked.",
		Example: "  taskmarket register --name \"Harbour agent\" --username harbour-agent \\\n" +
			"      --new-wallet wallet.json --password-file password \\\n" +
			"      --api-url https://market.example/api/v1 --rpc-url https://node.example",
		RunE: func(c *cobra.Command, _ []string) error { return o.run(c.Context()) },
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVar(&o.profile.Username, "username", "", "your name in the market: letters, digits and inner hyphens")
	flags.StringVar(&o.profile.Name, "name", "", "the name that is shown")
	flags.StringVar(&o.profile.Bio, "bio", "", "what others should know of you")
	flags.StringVar(&o.newWallet, "new-wallet", "", "make a wallet in this file")
	flags.StringVar(&o.passwordFile, "password-file", "", "the file with the new wallet's password, or the place to make one")
	require(c, "username", "name")
	return c
}

// require makes flags that must be given.
func require(c *cobra.Command, flags ...string) {
	for _, name := range flags {
		if err := c.MarkFlagRequired(name); err != nil {
			panic(err) // there is no such flag
		}
	}
}

// registered is the command's answer: the API's, without the key, which is in
// the file.
type registered struct {
	AgentID          string `json:"agent_id"`
	Username         string `json:"username"`
	WalletAddress    string `json:"wallet_address"`
	VerificationCode string `json:"verification_code"`
	ConfigFile       string `json:"config_file"`
}

func (o *registerOptions) run(ctx context.Context) error {
	s, err := o.mayRegister()
	if err != nil {
		return err
	}
	deployment, symbol, err := o.check(ctx)
	if err != nil {
		return err
	}
	wallet, err := o.wallet(ctx, s)
	if err != nil {
		return err
	}
	got, err := o.register(ctx, wallet)
	if err != nil {
		return err
	}
	changes := o.GivenSettings()
	for name, text := range cli.PinnedSettings(deployment, symbol) {
		changes[name] = text
	}
	changes[cli.SettingAPIKey], changes[cli.SettingAgentID], changes[cli.SettingUsername] = got.APIKey, got.AgentID.String(), got.Username
	changes[cli.SettingWalletAddress] = wallet.Address().Hex()
	if err := o.SaveSettings(changes); err != nil {
		return &cli.ExitError{
			Code: cli.ExitFailed, Err: err,
			Hint: "the agent is registered, but its API key is lost: `taskmarket recover-key` makes a new one",
		}
	}
	o.Note("saved in %s: the API key, the agent, and the contracts, which were checked on the chain", s.Path)
	return o.print(registered{got.AgentID.String(), got.Username, wallet.Address().Hex(), got.VerificationCode, s.Path})
}

// mayRegister refuses to put a new agent in the place of another one.
func (o *registerOptions) mayRegister() (*cli.Settings, error) {
	s, err := o.Settings()
	if err != nil {
		return nil, err
	}
	for _, name := range []string{cli.SettingAPIKey, cli.SettingAgentID} {
		if v := s.Values[name]; v.Text != "" {
			return nil, cli.Fail(cli.ExitUsage, "an agent is configured already: %s is set (%s)", name, v.Source).
				WithHint("`taskmarket profile` shows it; --config FILE keeps another agent in a file of its own")
		}
	}
	chosen, err := s.WalletSetting()
	switch {
	case err != nil:
		return nil, err
	case o.newWallet != "" && chosen != "":
		return nil, cli.Fail(cli.ExitUsage, "a wallet is configured already: %s is set (%s)", chosen, s.Values[chosen].Source).
			WithHint("leave --new-wallet out to register that wallet")
	case o.newWallet == "" && o.passwordFile != "":
		return nil, cli.UsageError("--password-file is for --new-wallet")
	}
	return s, nil
}

// check holds what the API says of the contracts to the node.
func (o *registerOptions) check(ctx context.Context) (market.Deployment, string, error) {
	options, err := o.Options()
	if err == nil && options.RPCURL == "" {
		err = cli.ErrNoNode
	}
	if err != nil {
		return market.Deployment{}, "", err
	}
	visitor, err := cli.NewClient(options)
	if err != nil {
		return market.Deployment{}, "", err
	}
	defer visitor.Close()
	return o.VerifiedContracts(ctx, visitor)
}

// wallet opens the configured wallet, or makes one and remembers it before
// anything depends on it.
func (o *registerOptions) wallet(ctx context.Context, s *cli.Settings) (chain.Signer, error) {
	if o.newWallet == "" {
		return o.Signer(ctx)
	}
	path, err := filepath.Abs(o.newWallet)
	if err != nil {
		return nil, err
	}
	password, hardness, err := o.password(ctx)
	if err != nil {
		return nil, err
	}
	wallet, err := signer.NewKeystore(path, password, hardness)
	if errors.Is(err, fs.ErrExist) {
		return nil, cli.Fail(cli.ExitUsage, "%s is there already", path).WithHint("--keystore FILE registers the wallet in it")
	}
	if err != nil {
		return nil, err
	}
	changes := map[string]string{cli.SettingKeystore: path, cli.SettingWalletAddress: wallet.Address().Hex()}
	if o.passwordFile != "" {
		if changes[cli.SettingKeystorePassword+cli.FileSuffix], err = filepath.Abs(o.passwordFile); err != nil {
			return nil, err
		}
	}
	o.Note("made wallet %s in %s; without this file and its password, what the wallet holds is lost", wallet.Address(), path)
	return wallet, cli.WriteConfig(s.Path, changes)
}

// password is read from its file, made there, or asked for twice.
func (o *registerOptions) password(ctx context.Context) (string, signer.Hardness, error) {
	if o.passwordFile != "" {
		password, err := signer.NewPassword(o.passwordFile)
		if err == nil {
			o.Note("made a random password in %s", o.passwordFile)
			return password, signer.ForRandom, nil
		}
		if errors.Is(err, fs.ErrExist) {
			password, err = signer.ReadSecret(o.passwordFile)
		}
		return password, signer.ForPeople, err
	}
	if o.ReadSecret == nil {
		return "", 0, cli.Fail(cli.ExitUsage, "the new wallet needs a password").
			WithHint("--password-file FILE reads it, or makes a random one")
	}
	first, err := o.AskSecret(ctx, "Password of the new wallet (not shown):")
	if err != nil {
		return "", 0, err
	}
	second, err := o.AskSecret(ctx, "The same again:")
	if err == nil && first != second {
		err = cli.Fail(cli.ExitDeclined, "the two passwords differ")
	}
	return first, signer.ForPeople, err
}

func (o *registerOptions) register(ctx context.Context, wallet chain.Signer) (client.Registration, error) {
	options, err := o.Options()
	if err != nil {
		return client.Registration{}, err
	}
	options.Signer = wallet
	visitor, err := cli.NewClient(options)
	if err != nil {
		return client.Registration{}, err
	}
	defer visitor.Close()
	got, err := visitor.Register(ctx, o.profile)
	if client.CodeOf(err) == market.KindWalletRegistered {
		err = &cli.ExitError{Code: cli.ExitRefused, Err: err, Hint: "the wallet is an agent already: `taskmarket recover-key` makes a new API key for it"}
	}
	return got, err
}

func (o *registerOptions) print(got registered) error {
	if o.JSON {
		return o.PrintJSON(got)
	}
	if err := o.PrintFields(
		cli.Field{"Agent", got.AgentID},
		cli.Field{"Username", got.Username},
		cli.Field{"Wallet", got.WalletAddress},
	); err != nil {
		return err
	}
	o.Note("next: `taskmarket verify` says what to post; the wallet needs tokens, and the chain's own coin for gas")
	return nil
}
