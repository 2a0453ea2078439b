package node

import (
	"context"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain"
	"taskmarket/gen/contracts"
	"taskmarket/market"
)

// ErrOtherContracts is returned when the API, the node and the options do not agree on the
// contracts.
var ErrOtherContracts = errors.New("the contracts are not the expected ones")

// Verify checks that the node is on the deployment's chain, that each contract exists, and that the
// escrow refers to the other contracts.
func (n *Node) Verify(ctx context.Context, d market.Deployment) error {
	if n.Chain.ChainID() != d.ChainID {
		return fmt.Errorf("%w: the node is on chain %d, but the API is on chain %d", ErrOtherContracts, n.Chain.ChainID(), d.ChainID)
	}
	for _, address := range []common.Address{d.Token, d.Escrow, d.Staking, d.Treasury} {
		code, err := Read(ctx, n, "a contract's code", func(ctx context.Context) ([]byte, error) {
			return n.CodeAt(ctx, address, nil)
		})
		if err != nil {
			return err
		}
		if len(code) == 0 {
			return fmt.Errorf("%w: there is no contract at %s", ErrOtherContracts, address)
		}
	}
	escrow := contracts.NewEscrow()
	for _, link := range []struct {
		what   string
		data   []byte
		unpack func([]byte) (common.Address, error)
		want   common.Address
	}{
		{"the escrow's token", escrow.PackToken(), escrow.UnpackToken, d.Token},
		{"the escrow's staking contract", escrow.PackApplicationStaking(), escrow.UnpackApplicationStaking, d.Staking},
		{"the escrow's treasury", escrow.PackTreasury(), escrow.UnpackTreasury, d.Treasury},
	} {
		got, err := View(ctx, n, link.what, d.Escrow, link.data, link.unpack)
		if err != nil {
			return err
		}
		if got != link.want {
			return fmt.Errorf("%w: %s is %s, but the API reports %s", ErrOtherContracts, link.what, got, link.want)
		}
	}
	return nil
}

// Deployed reports whether one of the escrow's logs in a block is the one that its constructor emits. It
// confirms the result of a search for the first block in which the escrow has code, because some nodes
// return no code if they have pruned a block's state.
func Deployed(calls *chain.Contracts, logs []types.Log) bool {
	for _, log := range logs {
		if event, err := calls.Decode(log); err == nil && event.Kind == market.EventQuorumChanged {
			return true
		}
	}
	return false
}
