package main

import (
	"context"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain"
	"taskmarket/client/signer"
)

// signer returns the agent's wallet. It is refused when the configuration names
// another wallet's address, so that one agent's key never signs for another.
func (a *app) signer(ctx context.Context) (chain.Signer, error) {
	s, err := a.settings()
	if err != nil {
		return nil, err
	}
	wallet, err := a.openWallet(ctx, s)
	if err != nil {
		return nil, err
	}
	named := s.text(settingWalletAddress)
	if named != "" && common.HexToAddress(named) != wallet.Address() {
		return nil, fail(exitChain, "the key is of wallet %s, but the configuration is for %s", wallet.Address(), named).
			next("give the right key, or another configuration with --config")
	}
	return wallet, nil
}

// wallets are the settings that name a wallet.
var wallets = []string{settingPrivateKey, settingKeystore, settingSignerURL}

// openWallet opens the wallet that is configured, or asks a person for its key.
func (a *app) openWallet(ctx context.Context, s *settings) (chain.Signer, error) {
	chosen, err := s.wallet()
	if err != nil {
		return nil, err
	}
	switch chosen {
	case settingPrivateKey:
		return parseKey(s.text(settingPrivateKey))
	case settingKeystore:
		return a.openKeystore(ctx, s)
	case settingSignerURL:
		return a.openExternal(ctx, s)
	}
	if a.readSecret == nil {
		return nil, fail(exitUsage, "no wallet is configured").
			next("set TASKMARKET_PRIVATE_KEY_FILE, TASKMARKET_KEYSTORE or TASKMARKET_SIGNER_URL; see `taskmarket help wallets`")
	}
	key, err := a.askSecret(ctx, "No wallet is configured. Its private key (not shown):")
	if err != nil {
		return nil, err
	}
	return parseKey(strings.TrimSpace(key))
}

// wallet returns the setting that names the wallet, "" for none: of several
// the one from the strongest source. Two from the same source are an error,
// because either could be the one that was meant.
func (s *settings) wallet() (string, error) {
	for _, from := range []string{"flag", "environment", ""} {
		var named []string
		for _, name := range wallets {
			if v := s.values[name]; v.text != "" && strings.HasPrefix(v.source, from) {
				named = append(named, name)
			}
		}
		switch {
		case len(named) == 1:
			return named[0], nil
		case len(named) > 1:
			return "", fail(exitUsage, "%s are both set", strings.Join(named, " and ")).next("keep the wallet that is meant")
		}
	}
	return "", nil
}

func parseKey(text string) (chain.Signer, error) {
	wallet, err := chain.ParseKeySigner(text)
	if err != nil {
		return nil, &failure{code: exitUsage, err: err}
	}
	return wallet, nil
}

func (a *app) openKeystore(ctx context.Context, s *settings) (chain.Signer, error) {
	path, err := signer.Find(a.environ["HOME"], s.text(settingKeystore))
	if err != nil {
		return nil, &failure{code: exitUsage, err: err}
	}
	password := s.text(settingKeystorePassword)
	if password == "" && s.values[settingKeystorePassword].source == "" {
		if a.readSecret == nil {
			return nil, fail(exitUsage, "the keystore %s needs its password", path).
				next("set TASKMARKET_KEYSTORE_PASSWORD_FILE to a file that holds it, readable by you alone")
		}
		if password, err = a.askSecret(ctx, "Password of the keystore "+path+":"); err != nil {
			return nil, err
		}
	}
	wallet, err := signer.Keystore(path, password)
	if err != nil {
		return nil, &failure{code: exitUsage, err: err}
	}
	return wallet, nil
}

func (a *app) openExternal(ctx context.Context, s *settings) (chain.Signer, error) {
	a.progress("asking the signer at %s; it may wait for you to agree there", redactURL(s.text(settingSignerURL)))
	return signer.OpenExternal(ctx, s.text(settingSignerURL), s.address(settingWalletAddress))
}
