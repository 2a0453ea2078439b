package main

import (
	"context"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain"
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

// openWallet opens the wallet that is configured.
func (a *app) openWallet(_ context.Context, s *settings) (chain.Signer, error) {
	key := s.text(settingPrivateKey)
	if key == "" {
		return nil, fail(exitUsage, "no wallet is configured").
			next("set TASKMARKET_PRIVATE_KEY_FILE to a file with the private key, readable by you alone")
	}
	wallet, err := chain.ParseKeySigner(key)
	if err != nil {
		return nil, &failure{code: exitUsage, err: err}
	}
	return wallet, nil
}
