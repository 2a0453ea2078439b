package send

import (
	"context"
	"fmt"
	"math/big"

	ethereum "github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/accounts/abi/bind/v2"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"

	"taskmarket/chain"
	"taskmarket/chain/rpc"
	"taskmarket/gen/contracts"
	"taskmarket/market"
)

// DeployParams are the parameters of a new deployment.
type DeployParams struct {
	Token  common.Address // address of an existing ERC-20 token; zero to deploy a new one
	Name   string         // name of the new token
	Symbol string
	Supply *big.Int // initial supply in wei, minted to Holder
	Holder common.Address

	Owner          common.Address // owner of the escrow, the treasury and the distributor
	Guardian       common.Address // account that can pause and unpause the escrow
	FeeBasisPoints uint16
	Validators     []common.Address // validators of the first panel
	Quorum         uint8
	RewardSigner   common.Address
	DailyBudget    *big.Int // maximum amount that the distributor pays per day, in wei
}

// Deploy deploys the contracts with at most four transactions from one account and returns their
// addresses. The escrow's constructor deploys the staking contract. Deploy returns ErrInvalidAnswer if a
// node reports an address that the transactions do not create. If Deploy fails, contracts that were
// already deployed remain unused.
func Deploy(ctx context.Context, node *rpc.Node, signer chain.Signer, p DeployParams) (market.Deployment, error) {
	s := NewSender(node, signer)
	d := market.Deployment{ChainID: node.ChainID(), Token: p.Token}
	var err error
	if d.Token == (common.Address{}) {
		input := contracts.NewTaskToken().PackConstructor(p.Name, p.Symbol, p.Holder, p.Supply)
		if d.Token, _, err = s.create(ctx, &contracts.TaskTokenMetaData, input); err != nil {
			return market.Deployment{}, err
		}
	}
	if d.Treasury, d.StartBlock, err = s.create(ctx, &contracts.TreasuryMetaData, contracts.NewTreasury().PackConstructor(p.Owner)); err != nil {
		return market.Deployment{}, err
	}
	escrow := contracts.NewEscrow()
	input := escrow.PackConstructor(d.Token, d.Treasury, p.Owner, p.Guardian, p.FeeBasisPoints, p.Validators, p.Quorum)
	if d.Escrow, _, err = s.create(ctx, &contracts.EscrowMetaData, input); err != nil {
		return market.Deployment{}, err
	}
	if d.Staking, err = stakingOf(ctx, node, d.Escrow); err != nil {
		return market.Deployment{}, err
	}
	input = contracts.NewRewardDistributor().PackConstructor(d.Token, p.Owner, p.RewardSigner, p.DailyBudget)
	d.Distributor, _, err = s.create(ctx, &contracts.RewardDistributorMetaData, input)
	return d, err
}

// create deploys one contract and returns its address and block number. The address follows from the
// account and the nonce of the signed transaction, so a node cannot substitute another contract.
func (s *Sender) create(ctx context.Context, meta *bind.MetaData, input []byte) (common.Address, uint64, error) {
	signed, receipt, err := s.send(ctx, nil, append(common.FromHex(meta.Bin), input...))
	if err != nil {
		return common.Address{}, 0, fmt.Errorf("deploy %s: %w", meta.ID, err)
	}
	address := crypto.CreateAddress(s.Address(), signed.Nonce)
	if receipt.ContractAddress != address {
		return common.Address{}, 0, fmt.Errorf("deploy %s: %w: the receipt of transaction %s names contract %s, but the transaction creates %s; use another node",
			meta.ID, rpc.ErrInvalidAnswer, signed.Hash, receipt.ContractAddress, address)
	}
	return address, receipt.BlockNumber.Uint64(), nil
}

// stakingOf reads the address of the staking contract that the escrow deployed.
func stakingOf(ctx context.Context, node *rpc.Node, address common.Address) (common.Address, error) {
	escrow := contracts.NewEscrow()
	var result []byte
	err := node.Do(ctx, "read the staking contract", func(ctx context.Context, c *ethclient.Client) (err error) {
		result, err = rpc.CallContract(ctx, c, ethereum.CallMsg{To: &address, Data: escrow.PackApplicationStaking()})
		return err
	})
	if err != nil {
		return common.Address{}, rpc.Unavailable("read the staking contract", err)
	}
	staking, err := escrow.UnpackApplicationStaking(result)
	if err != nil {
		return common.Address{}, fmt.Errorf("read the staking contract of escrow %s: %w", address, err)
	}
	if created := crypto.CreateAddress(address, 1); staking != created { // the escrow's constructor creates one contract
		return common.Address{}, fmt.Errorf("read the staking contract of escrow %s: %w: it is %s, but the escrow created %s; use another node",
			address, rpc.ErrInvalidAnswer, staking, created)
	}
	return staking, nil
}
