package main

import (
	"errors"
	"fmt"
	"math/big"
	"os"
	"strconv"
	"taskmarket/chain"

	"github.com/ethereum/go-ethereum/common"
	"github.com/spf13/cobra"

	"taskmarket/chain/rpc"
	"taskmarket/chain/send"
	"taskmarket/market"
)

// deployConfig is the configuration of `deploy`, in addition to RPC_URLS and CHAIN_ID.
type deployConfig struct {
	PrivateKey secret `env:"DEPLOYER_PRIVATE_KEY"`
	// Address of an existing ERC-20 token; if empty, a new token is deployed.
	Token       string `env:"TOKEN_ADDRESS"`
	TokenName   string `env:"TOKEN_NAME" envDefault:"Task Token"`
	TokenSymbol string `env:"TOKEN_SYMBOL" envDefault:"TASK"`
	// Initial supply of a new token, in wei.
	TokenSupply string `env:"TOKEN_SUPPLY" envDefault:"1000000000000000000000000000"`
	// Account that receives the initial supply; the deployer by default.
	TokenHolder string `env:"TOKEN_HOLDER"`
	// Owner of the contracts, a timelock in production; the deployer by default.
	Owner string `env:"OWNER"`
	// Account that can pause the contracts; the deployer by default.
	Guardian       string   `env:"GUARDIAN"`
	FeeBasisPoints uint16   `env:"FEE_BASIS_POINTS" envDefault:"500"`
	Validators     []string `env:"VALIDATORS"`
	// Number of matching verdicts that decide a task; a majority of the validators by default.
	Quorum       uint8  `env:"QUORUM"`
	RewardSigner string `env:"REWARD_SIGNER"`
	// Daily limit of the distributor's payments, in wei.
	DailyBudget string `env:"REWARD_DAILY_BUDGET" envDefault:"1000000000000000000000"`
}

func deployCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "deploy",
		Short: "Deploy the contracts and print their addresses as environment variables",
		Long: "Deploy the contracts from the account of " + prefix + "DEPLOYER_PRIVATE_KEY to the chain of\n" +
			prefix + "RPC_URLS and " + prefix + "CHAIN_ID, and print the environment variables that `serve` needs.\n" +
			prefix + "VALIDATORS is required.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := loadConfig(os.Environ())
			if err := errors.Join(append(c.plaintextFaults(), err)...); err != nil {
				return err
			}
			d, err := parse[deployConfig](os.Environ(), "DEPLOYER_PRIVATE_KEY")
			if err != nil {
				return err
			}
			node, err := rpc.Dial(cmd.Context(), c.RPCURLs, c.ChainID, c.nodeOptions())
			if err != nil {
				return err
			}
			defer node.Close()
			signer, err := chain.ParseKeySigner(string(d.PrivateKey))
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
			_, err = cmd.OutOrStdout().Write(environment(deploymentVariables(deployment)))
			return err
		},
	}
}

// params converts and validates all parameters before anything is deployed.
func (d deployConfig) params(deployer common.Address) (send.DeployParams, error) {
	var faults []error
	address := func(name, value string, otherwise common.Address) common.Address {
		if value == "" {
			return otherwise
		}
		a, err := market.ParseAddress(prefix+name, value)
		if err != nil {
			faults = append(faults, fmt.Errorf("%s%s is %q: %s", prefix, name, value, addressForm))
		}
		return a
	}
	amount := func(name, value string) *big.Int {
		n, err := market.ParseWei(value)
		if err != nil {
			faults = append(faults, fmt.Errorf("%s%s is %q, not a whole number of wei below 2^256", prefix, name, value))
		}
		return n
	}
	p := send.DeployParams{
		Token: address("TOKEN_ADDRESS", d.Token, common.Address{}), Name: d.TokenName, Symbol: d.TokenSymbol,
		Supply: amount("TOKEN_SUPPLY", d.TokenSupply), Holder: address("TOKEN_HOLDER", d.TokenHolder, deployer),
		Owner: address("OWNER", d.Owner, deployer), Guardian: address("GUARDIAN", d.Guardian, deployer),
		FeeBasisPoints: d.FeeBasisPoints, Quorum: d.Quorum,
		RewardSigner: address("REWARD_SIGNER", d.RewardSigner, deployer), DailyBudget: amount("REWARD_DAILY_BUDGET", d.DailyBudget),
	}
	for _, v := range d.Validators {
		p.Validators = append(p.Validators, address("VALIDATORS", v, common.Address{}))
	}
	if len(p.Validators) == 0 {
		faults = append(faults, fmt.Errorf("%sVALIDATORS is missing: one or more addresses, separated by commas", prefix))
	}
	if p.Quorum == 0 {
		p.Quorum = uint8(min(len(p.Validators), 32)/2 + 1)
	}
	return p, errors.Join(faults...)
}

// deploymentVariables returns the environment variables that make `serve` use the contracts.
func deploymentVariables(d market.Deployment) [][2]string {
	return [][2]string{
		{"CHAIN_ID", strconv.FormatUint(d.ChainID, 10)},
		{"TOKEN_ADDRESS", d.Token.Hex()},
		{"ESCROW_ADDRESS", d.Escrow.Hex()},
		{"APPLICATION_STAKING_ADDRESS", d.Staking.Hex()},
		{"TREASURY_ADDRESS", d.Treasury.Hex()},
		{"REWARD_DISTRIBUTOR_ADDRESS", d.Distributor.Hex()},
		{"START_BLOCK", strconv.FormatUint(d.StartBlock, 10)},
	}
}
