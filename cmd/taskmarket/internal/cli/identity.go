package cli

import (
	"context"
	"path/filepath"
	"strconv"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/client"
	"taskmarket/market"
)

// VerifiedContracts returns the contracts and the token's symbol as reported by the API, after
// verifying the contracts on the chain. It does not verify the reward distributor, because an agent
// neither pays nor calls it.
func (a *App) VerifiedContracts(ctx context.Context, c *client.Client) (market.Deployment, string, error) {
	deployment, err := c.Deployment(ctx)
	if err != nil {
		return deployment, "", err
	}
	config, err := c.Config(ctx)
	if err != nil {
		return deployment, "", err
	}
	if config.Token.Decimals != market.TokenDecimals {
		return deployment, "", Fail(ExitChain, "the token has %d decimals, but this program requires %d", config.Token.Decimals, market.TokenDecimals)
	}
	if config.RewardDistributorAddress != nil {
		deployment.Distributor = common.HexToAddress(*config.RewardDistributorAddress)
	}
	return deployment, config.Token.Symbol, nil
}

// PinnedSettings returns the settings that pin the contracts.
func PinnedSettings(d market.Deployment, symbol string) map[string]string {
	settings := map[string]string{
		SettingChainID: strconv.FormatUint(d.ChainID, 10), SettingTokenSymbol: symbol,
		SettingTokenAddress: d.Token.Hex(), SettingEscrowAddress: d.Escrow.Hex(), SettingStakingAddress: d.Staking.Hex(),
		SettingTreasuryAddress: d.Treasury.Hex(),
	}
	if d.Distributor != (common.Address{}) {
		settings[SettingDistributorAddress] = d.Distributor.Hex()
	}
	return settings
}

// GivenSettings returns the settings from flags and environment variables, for the configuration
// file. For a secret, it returns only the path of the file that contains it.
func (a *App) GivenSettings() map[string]string {
	changes := map[string]string{}
	for _, def := range AllSettings {
		v := a.Loaded.Values[def.Name]
		switch {
		case v.Text == "" || v.InConfigFile():
		case !def.Secret:
			changes[def.Name] = v.Text
		case v.Path != "":
			if path, err := filepath.Abs(v.Path); err == nil {
				changes[def.Name+FileSuffix] = path
			}
		}
	}
	return changes
}

// SaveSettings changes the configuration file and drops the loaded settings, so that they are read
// again.
func (a *App) SaveSettings(changes map[string]string) error {
	path, err := a.configFile()
	if err != nil {
		return err
	}
	a.Loaded = nil
	return WriteConfig(path, changes)
}
