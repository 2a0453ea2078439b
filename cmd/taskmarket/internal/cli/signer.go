package cli

import (
	"taskmarket/chain"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/client/signer"
)

// Signer returns the agent's wallet. It returns an error if the configuration contains a different
// wallet address, so that one agent's API key is never used with another agent's wallet.
func (a *App) Signer(ctx context.Context) (chain.Signer, error) {
	s, err := a.Settings()
	if err != nil {
		return nil, err
	}
	wallet, err := a.openWallet(ctx, s)
	if err != nil {
		return nil, err
	}
	named := s.Text(SettingWalletAddress)
	if named != "" && common.HexToAddress(named) != wallet.Address() {
		return nil, Fail(ExitChain, "the key belongs to wallet %s, but wallet_address is %s", wallet.Address(), named).
			WithHint("use the right key, or another configuration with --config")
	}
	return wallet, nil
}

// wallets lists the settings that select a wallet.
var wallets = []string{SettingPrivateKey, SettingKeystore, settingSignerURL}

// openWallet opens the configured wallet. If none is configured, it prompts for a private key.
func (a *App) openWallet(ctx context.Context, s *Settings) (chain.Signer, error) {
	chosen, err := s.WalletSetting()
	if err != nil {
		return nil, err
	}
	switch chosen {
	case SettingPrivateKey:
		return parseKey(s.Text(SettingPrivateKey))
	case SettingKeystore:
		return a.openKeystore(ctx, s)
	case settingSignerURL:
		return a.openExternal(ctx, s)
	}
	if a.ReadSecret == nil {
		return nil, Fail(ExitUsage, "no wallet is configured").
			WithHint("set TASKMARKET_PRIVATE_KEY_FILE, TASKMARKET_KEYSTORE or TASKMARKET_SIGNER_URL; see `taskmarket help wallets`")
	}
	key, err := a.AskSecret(ctx, "No wallet is configured. Private key of your wallet (not shown):")
	if err != nil {
		return nil, err
	}
	return parseKey(strings.TrimSpace(key))
}

// WalletSetting returns the setting that selects the wallet, or "" if none is set. If several are
// set, the source with the highest precedence determines the wallet. Two settings from the same
// source are an error, because the choice would be ambiguous.
func (s *Settings) WalletSetting() (string, error) {
	for _, from := range []string{"flag", "environment", ""} {
		var named []string
		for _, name := range wallets {
			if v := s.Values[name]; v.Text != "" && strings.HasPrefix(v.Source, from) {
				named = append(named, name)
			}
		}
		switch {
		case len(named) == 1:
			return named[0], nil
		case len(named) > 1:
			return "", Fail(ExitUsage, "more than one wallet is configured: %s", strings.Join(named, ", ")).WithHint("remove all but one of these settings")
		}
	}
	return "", nil
}

func parseKey(text string) (chain.Signer, error) {
	wallet, err := chain.ParseKeySigner(text)
	if err != nil {
		return nil, &ExitError{Code: ExitUsage, Err: err}
	}
	return wallet, nil
}

func (a *App) openKeystore(ctx context.Context, s *Settings) (chain.Signer, error) {
	path, err := signer.Find(a.environ["HOME"], s.Text(SettingKeystore))
	if err != nil {
		return nil, &ExitError{Code: ExitUsage, Err: err}
	}
	configured := s.Values[SettingKeystorePassword]
	raw, passwords := []byte(configured.Text), []string{configured.Text}
	switch {
	case configured.Path != "":
		raw, passwords = configured.raw, signer.Passwords(configured.raw)
	case configured.Source == "":
		if a.ReadSecret == nil {
			return nil, Fail(ExitUsage, "no password is configured for the keystore %s", path).
				WithHint("set TASKMARKET_KEYSTORE_PASSWORD_FILE to a file with the password that only you can read")
		}
		password, err := a.AskSecret(ctx, "Password of the keystore "+path+":")
		if err != nil {
			return nil, err
		}
		raw, passwords = []byte(password), []string{password}
	}
	wallet, err := signer.Keystore(path, passwords...)
	if odd := signer.Oddities(raw); errors.Is(err, signer.ErrPassword) && len(odd) > 0 {
		err = fmt.Errorf("%w; about the password in use: %s", err, strings.Join(odd, "; "))
	}
	if err != nil {
		return nil, &ExitError{Code: ExitUsage, Err: err}
	}
	return wallet, nil
}

func (a *App) openExternal(ctx context.Context, s *Settings) (chain.Signer, error) {
	a.Progress("waiting for the signer at %s, which may ask for your confirmation", redactURL(s.Text(settingSignerURL)))
	return signer.OpenExternal(ctx, s.Text(settingSignerURL), s.Address(SettingWalletAddress))
}
