package main

import (
	"context"
	"path/filepath"
	"strconv"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/client"
	"taskmarket/market"
)

// contractsInForce returns the contracts that the API names, checked on the
// chain, and the token's symbol.
func (a *app) contractsInForce(ctx context.Context, c *client.Client) (market.Deployment, string, error) {
	deployment, err := c.Deployment(ctx)
	if err != nil {
		return deployment, "", err
	}
	config, err := c.Config(ctx)
	if err != nil {
		return deployment, "", err
	}
	if config.Token.Decimals != decimals {
		return deployment, "", fail(exitChain, "the API says that the token has %d decimals; it must have %d", config.Token.Decimals, decimals)
	}
	if config.RewardDistributorAddress != nil {
		deployment.Distributor = common.HexToAddress(*config.RewardDistributorAddress)
	}
	return deployment, config.Token.Symbol, nil
}

// pinned are the contracts as settings.
func pinned(d market.Deployment, symbol string) map[string]string {
	settings := map[string]string{
		settingChainID: strconv.FormatUint(d.ChainID, 10), settingTokenSymbol: symbol,
		settingTokenAddress: d.Token.Hex(), settingEscrowAddress: d.Escrow.Hex(), settingStakingAddress: d.Staking.Hex(),
		settingTreasuryAddress: d.Treasury.Hex(),
	}
	if d.Distributor != (common.Address{}) {
		settings[settingDistributorAddress] = d.Distributor.Hex()
	}
	return settings
}

// whatIsSet are the settings that come from flags and the environment, for the
// configuration file: so the next command needs neither. A secret is left where
// it is; only the name of its file is taken.
func (a *app) whatIsSet() map[string]string {
	changes := map[string]string{}
	for _, known := range allSettings {
		v := a.loaded.values[known.name]
		switch {
		case v.text == "" || v.inConfigFile():
		case !known.secret:
			changes[known.name] = v.text
		case v.path != "":
			if path, err := filepath.Abs(v.path); err == nil {
				changes[known.name+fileSuffix] = path
			}
		}
	}
	return changes
}

// save changes the configuration file and forgets what was read of it.
func (a *app) save(changes map[string]string) error {
	path, err := a.configFile()
	if err != nil {
		return err
	}
	a.loaded = nil
	return writeConfig(path, changes)
}
