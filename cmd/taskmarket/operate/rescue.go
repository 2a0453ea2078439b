package operate

import (
	"taskmarket/chain"
	"context"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/spf13/cobra"

	"taskmarket/client/rescue"
	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/market"
)

type rescueOptions struct {
	*cli.App
	rpc         string
	escrow      string
	distributor string
	wallet      string
	fromBlock   uint64
	all         bool
}

func rescueCommand(a *cli.App) *cobra.Command {
	o := &rescueOptions{App: a}
	c := &cobra.Command{
		Use:   "rescue",
		Short: "List your money in the contracts, and withdraw it without the market's service",
		Long: "List a wallet's tasks, stakes, credits and paid rewards in the contracts, and the actions that are possible now or\n" +
			"later. This needs only an Ethereum node and the escrow contract's address (for rewards, also the reward contract's):\n" +
			"no service, no API key and no local records. Each command below except \"verdict\" performs one action: it shows the\n" +
			"transaction and asks for confirmation.\n\n" +
			"The command searches the contracts' logs for the wallet in ranges of blocks, and reads the contracts' current state;\n" +
			"an archive node is not required. Task deadlines are not shown, because they are not on the chain.",
		Example: "  taskmarket rescue --rpc https://node.example\n" +
			"  taskmarket rescue --rpc https://node.example --escrow 0x5FbD… --wallet 0x9096… --json\n" +
			"  taskmarket rescue cancel 3",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return o.list(c.Context()) },
	}
	flags := c.PersistentFlags()
	flags.StringVar(&o.rpc, "rpc", "", "the URL of an Ethereum node (http, https, ws or wss); same as --rpc-url")
	flags.StringVar(&o.escrow, "escrow", "", "the escrow contract, if not configured")
	flags.StringVar(&o.distributor, "distributor", "", "the reward contract, if not configured; without it, rewards are not shown")
	flags.StringVar(&o.wallet, "wallet", "", "the wallet to list or act for, if not the configured one; only signing needs its key")
	flags.Uint64Var(&o.fromBlock, "from-block", 0, "first block to search, at or before the escrow's first log (default: start_block, or found automatically)")
	c.Flags().BoolVar(&o.all, "all", false, "also show tasks and stakes that have ended; --json always includes them")
	for _, exit := range rescue.ExitTypes() {
		c.AddCommand(exitCommand(o, exit))
	}
	c.AddCommand(verdictCommand(o))
	return c
}

// open connects to the node and looks up the contracts.
func (o *rescueOptions) open(ctx context.Context, wallet common.Address) (*rescue.Rescue, error) {
	s, err := o.Settings()
	if err != nil {
		return nil, err
	}
	url := o.rpc
	if url == "" {
		url = s.Text(cli.SettingRPCURL)
	}
	if url == "" {
		return nil, cli.Fail(cli.ExitUsage, "no Ethereum node is configured").WithHint("use --rpc, or set TASKMARKET_RPC_URL")
	}
	d, err := o.deployment(s)
	if err != nil {
		return nil, err
	}
	journal, err := o.Flows(wallet)
	if err != nil {
		return nil, err
	}
	return rescue.Open(ctx, rescue.Options{
		RPCURL: url, InsecureNode: s.InsecureNode(), Node: s.NodeOptions(), Deployment: d, Flows: journal,
		MaxFeePerGas: s.MaxFeePerGas(), Progress: o.reading(),
	})
}

// deployment returns the configured contracts, changed by the flags. If a flag selects a different
// escrow, the configured contracts are not used.
func (o *rescueOptions) deployment(s *cli.Settings) (market.Deployment, error) {
	d := market.Deployment{
		Token: s.Address(cli.SettingTokenAddress), Escrow: s.Address(cli.SettingEscrowAddress), Staking: s.Address(cli.SettingStakingAddress),
		Treasury: s.Address(cli.SettingTreasuryAddress), Distributor: s.Address(cli.SettingDistributorAddress),
	}
	d.ChainID, _ = cli.ParseUint(s.Text(cli.SettingChainID)) // validated earlier; 0 if not set
	d.StartBlock, _ = cli.ParseUint(s.Text(cli.SettingStartBlock))
	if o.escrow != "" {
		escrow, err := addressFlag("escrow", o.escrow)
		if err != nil {
			return d, err
		}
		if escrow != d.Escrow {
			d = market.Deployment{Escrow: escrow}
		}
	}
	if o.distributor != "" {
		distributor, err := addressFlag("distributor", o.distributor)
		if err != nil {
			return d, err
		}
		d.Distributor = distributor
	}
	if o.fromBlock != 0 {
		d.StartBlock = o.fromBlock
	}
	if d.Escrow == (common.Address{}) {
		return d, cli.Fail(cli.ExitUsage, "no escrow contract is configured").
			WithHint("use --escrow with an address from a source that you trust: an old receipt, a block explorer, the service's announcement")
	}
	return d, nil
}

func addressFlag(name, text string) (common.Address, error) {
	address, err := market.ParseAddress(name, text)
	if err != nil {
		return common.Address{}, cli.UsageError("--%s %q: %s", name, text, cli.AddressFault(name, err))
	}
	return address, nil
}

// progressEvery is the minimum interval between two progress lines.
const progressEvery = 2 * time.Second

// reading returns a function that prints the progress of a log search.
func (o *rescueOptions) reading() func(rescue.Progress) {
	printed := time.Now()
	return func(p rescue.Progress) {
		if time.Since(printed) >= progressEvery {
			printed = time.Now()
			o.Progress("searched up to block %d of %d", p.Block, p.Last)
		}
	}
}

// walletAddress returns the address of the wallet to list or act for: the value of the flag, the
// configured address, or the signer's address.
func (o *rescueOptions) walletAddress(ctx context.Context) (common.Address, error) {
	if o.wallet != "" {
		return addressFlag("wallet", o.wallet)
	}
	s, err := o.Settings()
	if err != nil {
		return common.Address{}, err
	}
	if s.Text(cli.SettingWalletAddress) != "" {
		return s.Address(cli.SettingWalletAddress), nil
	}
	signer, err := o.Signer(ctx)
	if err != nil {
		return common.Address{}, err
	}
	return signer.Address(), nil
}

// signs returns the wallet that signs. It returns an error if a flag specifies a different wallet.
func (o *rescueOptions) signs(ctx context.Context) (chain.Signer, error) {
	signer, err := o.Signer(ctx)
	if err != nil || o.wallet == "" {
		return signer, err
	}
	named, err := addressFlag("wallet", o.wallet)
	if err == nil && named != signer.Address() {
		return nil, cli.Fail(cli.ExitChain, "the key belongs to wallet %s, not to %s", signer.Address(), named).
			WithHint("--unsigned prints the transaction for that wallet to sign")
	}
	return signer, err
}

func (o *rescueOptions) list(ctx context.Context) error {
	wallet, err := o.walletAddress(ctx)
	if err != nil {
		return err
	}
	r, err := o.open(ctx, wallet)
	if err != nil {
		return err
	}
	defer r.Close()
	h, err := r.Holdings(ctx, wallet)
	if err != nil {
		return err
	}
	if o.JSON {
		return o.PrintJSON(showHoldings(h))
	}
	return o.printHoldings(h)
}
