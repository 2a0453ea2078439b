package account

import (
	"taskmarket/chain"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/spf13/cobra"

	"taskmarket/client"
	"taskmarket/client/signer"
	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/market"
)

type registerOptions struct {
	*cli.App
	profile      client.Profile
	newWallet    string // path of the new keystore; if empty, the configured wallet is registered
	passwordFile string
}

func registerCommand(a *cli.App) *cobra.Command {
	o := &registerOptions{App: a}
	c := &cobra.Command{
		Use:   "register",
		Short: "Register your wallet as an agent",
		Long: "Register your wallet as an agent. The wallet signs a text with its address, the market and your username; no\n" +
			"transaction is sent. The API key, your identity and the verified contracts are written to the configuration\n" +
			"file. From then on, an API that returns other contracts is rejected.\n\n" +
			"With --new-wallet, a wallet is created first, as an encrypted keystore. There is no other copy of its key: back\n" +
			"up the file and its password. The password is read from --password-file; if the file does not exist, a random\n" +
			"password is written to it. Without --password-file, you are asked for a password.",
		Example: "  taskmarket register --name \"Harbour agent\" --username harbour-agent \\\n" +
			"      --new-wallet wallet.json --password-file password \\\n" +
			"      --api-url https://market.example/api/v1 --rpc-url https://node.example",
		RunE: func(c *cobra.Command, _ []string) error { return o.run(c.Context()) },
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVar(&o.profile.Username, "username", "", fmt.Sprintf("your username: up to %d letters, digits and hyphens, without a hyphen at the start or end", market.MaxUsername))
	flags.StringVar(&o.profile.Name, "name", "", "your display name")
	flags.StringVar(&o.profile.Bio, "bio", "", "a short description of yourself")
	flags.StringVar(&o.newWallet, "new-wallet", "", "create a wallet in this file")
	flags.StringVar(&o.passwordFile, "password-file", "", "the file with the new wallet's password; a random one is written if it does not exist")
	require(c, "username", "name")
	return c
}

// require marks the flags as required.
func require(c *cobra.Command, flags ...string) {
	for _, name := range flags {
		if err := c.MarkFlagRequired(name); err != nil {
			panic(err) // the command does not define this flag
		}
	}
}

// registered is the command's result: the API's response without the key, which is stored in a file
// and not printed.
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
			Hint: "the agent is registered, but its API key could not be saved: `taskmarket recover-key` creates a new one",
		}
	}
	o.Note("saved in %s: the API key, the agent, and the contracts, which were verified on the chain", s.Path)
	return o.print(registered{got.AgentID.String(), got.Username, wallet.Address().Hex(), got.VerificationCode, s.Path})
}

// mayRegister returns the settings. It returns an error if an agent is already configured, or if
// the flags for a new wallet contradict each other or the configuration.
func (o *registerOptions) mayRegister() (*cli.Settings, error) {
	s, err := o.Settings()
	if err != nil {
		return nil, err
	}
	for _, name := range []string{cli.SettingAPIKey, cli.SettingAgentID} {
		if v := s.Values[name]; v.Text != "" {
			return nil, cli.Fail(cli.ExitUsage, "an agent is already configured: %s is set (%s)", name, v.Source).
				WithHint("`taskmarket profile` shows it; use --config FILE for another agent")
		}
	}
	chosen, err := s.WalletSetting()
	switch {
	case err != nil:
		return nil, err
	case o.newWallet != "" && chosen != "":
		return nil, cli.Fail(cli.ExitUsage, "a wallet is already configured: %s is set (%s)", chosen, s.Values[chosen].Source).
			WithHint("omit --new-wallet to register that wallet")
	case o.newWallet == "" && o.passwordFile != "":
		return nil, cli.UsageError("--password-file requires --new-wallet")
	}
	return s, nil
}

// check verifies on the chain the contracts that the API reports, and returns them and the token's
// symbol.
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

// wallet opens the configured wallet. If a new one is requested, it creates the wallet and writes
// its path to the configuration file before the registration.
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
		return nil, cli.Fail(cli.ExitUsage, "%s already exists", path).WithHint("to register the wallet in that file, use --keystore FILE instead of --new-wallet")
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
	o.Note("created wallet %s in %s; back up the file and its password: without them the wallet's money is lost", wallet.Address(), path)
	return wallet, cli.WriteConfig(s.Path, changes)
}

// password reads the new keystore's password from the file of --password-file. If the file does not
// exist, it writes a random password to it. Without the flag, it prompts for the password twice.
func (o *registerOptions) password(ctx context.Context) (string, signer.Hardness, error) {
	if o.passwordFile != "" {
		password, err := signer.NewPassword(o.passwordFile)
		if err == nil {
			o.Note("wrote a random password to %s", o.passwordFile)
			return password, signer.ForRandom, nil
		}
		if errors.Is(err, fs.ErrExist) {
			if password, err = signer.ReadSecret(o.passwordFile); err != nil {
				err = (&cli.ExitError{Code: cli.ExitUsage, Err: err}).WithHint("no wallet was created")
			}
		}
		return password, signer.ForPeople, err
	}
	if o.ReadSecret == nil {
		return "", 0, cli.Fail(cli.ExitUsage, "the new wallet needs a password").
			WithHint("use --password-file FILE to read it, or to write a random one")
	}
	first, err := o.AskSecret(ctx, "Password of the new wallet (not shown):")
	if err != nil {
		return "", 0, err
	}
	if err := signer.CheckPassword(first); err != nil {
		return "", 0, (&cli.ExitError{Code: cli.ExitUsage, Err: err}).WithHint("no wallet was created")
	}
	second, err := o.AskSecret(ctx, "Repeat the password:")
	if err == nil && first != second {
		err = cli.Fail(cli.ExitDeclined, "the two passwords differ").WithHint("no wallet was created; run the command again")
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
		err = &cli.ExitError{Code: cli.ExitRefused, Err: err, Hint: "the wallet is already registered: `taskmarket recover-key` creates a new API key for it"}
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
	o.Note("next: `taskmarket verify` prints the text to post; the wallet needs tokens, and the native coin for gas")
	return nil
}
