package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"os"

	"github.com/ethereum/go-ethereum/common"
	"github.com/spf13/cobra"

	"taskmarket/chain"
	"taskmarket/chain/rpc"
	"taskmarket/chain/send"
	"taskmarket/market"
)

// deployerVariable is the name of the variable with the deployer's key, without the prefix.
const deployerVariable = "DEPLOYER_PRIVATE_KEY"

// deployConfig is the configuration of `deploy`, in addition to RPC_URLS.
type deployConfig struct {
	// PrivateKey is the key of the account that deploys the contracts with deploy.
	PrivateKey secret `env:"DEPLOYER_PRIVATE_KEY"`
}

// deployFlags are the parameters of the contracts, as text.
type deployFlags struct {
	chainID                                                                         uint64
	token, name, symbol, supply, holder, owner, guardian, rewardSigner, dailyBudget string
	validators                                                                      []string
	feeBasisPoints                                                                  uint16
	quorum                                                                          uint8
}

func deployCommand() *cobra.Command {
	var d deployFlags
	command := &cobra.Command{
		Use:   "deploy FILE",
		Short: "Deploy the contracts and write the deployment file",
		Long: "Deploy the contracts from the account of " + prefix + "DEPLOYER_PRIVATE_KEY to the chain of " + prefix + "RPC_URLS,\n" +
			"and write FILE, which must not exist: the deployment file that `serve` needs. You can add the members\n" +
			"chain_name, public_rpc_url and explorer_url to it, which the web app uses.",
		Example: "  taskmarketd deploy deployment.json --chain-id 8453 --validators 0x…,0x…,0x… --owner 0x…",
		Args:    cobra.ExactArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return d.run(cmd, args[0]) },
	}
	flags := command.Flags()
	flags.Uint64Var(&d.chainID, "chain-id", 0, "chain to deploy to")
	flags.StringSliceVar(&d.validators, "validators", nil, "accounts that may judge disputes")
	flags.Uint8Var(&d.quorum, "quorum", 0, "number of matching verdicts that decide a task (default: a majority)")
	flags.StringVar(&d.owner, "owner", "", "owner of the contracts, a timelock in production (default: the deployer)")
	flags.StringVar(&d.guardian, "guardian", "", "account that can pause the contracts (default: the deployer)")
	flags.Uint16Var(&d.feeBasisPoints, "fee-basis-points", 500, "platform fee")
	flags.StringVar(&d.rewardSigner, "reward-signer", "", "account that signs the vouchers of rewards (default: the deployer)")
	flags.StringVar(&d.dailyBudget, "reward-daily-budget", "1000000000000000000000", "daily limit of the rewards, in wei")
	flags.StringVar(&d.token, "token", "", "existing ERC-20 token (default: a new one)")
	flags.StringVar(&d.name, "token-name", "Task Token", "name of a new token")
	flags.StringVar(&d.symbol, "token-symbol", "TASK", "symbol of a new token")
	flags.StringVar(&d.supply, "token-supply", "1000000000000000000000000000", "initial supply of a new token, in wei")
	flags.StringVar(&d.holder, "token-holder", "", "account that receives the supply (default: the deployer)")
	_ = errors.Join(command.MarkFlagRequired("chain-id"), command.MarkFlagRequired("validators")) // fails only for unknown flags
	return command
}

// run deploys the contracts and writes the deployment file at path.
func (d deployFlags) run(cmd *cobra.Command, path string) error {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s exists, or cannot be written: name a new file", path)
	}
	c, err := loadConfig(os.Environ())
	if err := errors.Join(append(c.plaintextFaults(), err)...); err != nil {
		return err
	}
	secrets, err := parse[deployConfig](os.Environ(), deployerVariable)
	if err != nil {
		return err
	}
	node, err := rpc.Dial(cmd.Context(), c.RPCURLs, d.chainID, rpc.NodeOptions{})
	if err != nil {
		return err
	}
	defer node.Close()
	signer, err := chain.ParseKeySigner(string(secrets.PrivateKey))
	if err != nil {
		return fmt.Errorf("%sDEPLOYER_PRIVATE_KEY: %w", prefix, err)
	}
	params, err := d.params(signer.Address())
	if err != nil {
		return err
	}
	deployment, err := send.Deploy(cmd.Context(), node, signer, params)
	if err != nil {
		return err
	}
	if err := newDeploymentFile(deployment).write(path); err != nil {
		return fmt.Errorf("the contracts are deployed, but the deployment file is not written: %w; write it yourself: %+v", err, deployment)
	}
	_, err = fmt.Fprintln(cmd.OutOrStdout(), "deployed; set "+prefix+deploymentVariable+"_FILE to "+path)
	return err
}

// params converts and validates all parameters before anything is deployed.
func (d deployFlags) params(deployer common.Address) (send.DeployParams, error) {
	var faults []error
	address := func(flag, value string, otherwise common.Address) common.Address {
		if value == "" {
			return otherwise
		}
		a, err := market.ParseAddress(flag, value)
		if err != nil {
			faults = append(faults, fmt.Errorf("--%s is %q: %s", flag, value, addressForm))
		}
		return a
	}
	amount := func(flag, value string) *big.Int {
		n, err := market.ParseWei(value)
		if err != nil {
			faults = append(faults, fmt.Errorf("--%s is %q, not a whole number of wei below 2^256", flag, value))
		}
		return n
	}
	p := send.DeployParams{
		Token: address("token", d.token, common.Address{}), Name: d.name, Symbol: d.symbol,
		Supply: amount("token-supply", d.supply), Holder: address("token-holder", d.holder, deployer),
		Owner: address("owner", d.owner, deployer), Guardian: address("guardian", d.guardian, deployer),
		FeeBasisPoints: d.feeBasisPoints, Quorum: d.quorum,
		RewardSigner: address("reward-signer", d.rewardSigner, deployer), DailyBudget: amount("reward-daily-budget", d.dailyBudget),
	}
	for _, v := range d.validators {
		p.Validators = append(p.Validators, address("validators", v, common.Address{}))
	}
	if p.Quorum == 0 {
		p.Quorum = uint8(min(len(p.Validators), 32)/2 + 1)
	}
	return p, errors.Join(faults...)
}
