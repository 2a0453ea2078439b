package devnet

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/ethclient"
)

// Client returns a client of the chain.
func (n *Node) Client() *ethclient.Client { return n.client }

// Mine mines the given number of blocks. The first contains the pending transactions.
func (n *Node) Mine(ctx context.Context, blocks uint64) error {
	return n.call(ctx, nil, "anvil_mine", hexutil.Uint64(blocks))
}

// SetMining sets whether each transaction is mined at once.
func (n *Node) SetMining(ctx context.Context, instant bool) error {
	return n.call(ctx, nil, "evm_setAutomine", instant)
}

// Warp moves the chain's clock forward by d, in whole seconds, and mines a block.
func (n *Node) Warp(ctx context.Context, d time.Duration) error {
	if err := n.call(ctx, nil, "evm_increaseTime", hexutil.Uint64(d/time.Second)); err != nil {
		return err
	}
	return n.Mine(ctx, 1)
}

// SetNextTime sets the time of the next block, in whole seconds. It must be later than the head's.
// The clock continues from there.
func (n *Node) SetNextTime(ctx context.Context, at time.Time) error {
	return n.call(ctx, nil, "evm_setNextBlockTimestamp", hexutil.Uint64(at.Unix()))
}

// ForkTx is a transaction for the new branch of a Reorg.
type ForkTx struct {
	Raw   hexutil.Bytes // signed transaction in its wire encoding
	Block int           // index among the new blocks; 0 is the first
}

// MarshalJSON encodes the pair that anvil_reorg expects.
func (tx ForkTx) MarshalJSON() ([]byte, error) {
	return json.Marshal([]any{tx.Raw, tx.Block})
}

// Reorg replaces the last depth blocks with the same number of new blocks, which contain only the
// given transactions. The head's number does not change, and every replaced block gets a new hash.
// Other transactions of the replaced blocks are lost.
func (n *Node) Reorg(ctx context.Context, depth int, txs ...ForkTx) error {
	if txs == nil {
		txs = []ForkTx{}
	}
	return n.call(ctx, nil, "anvil_reorg", depth, txs)
}

// Rollback drops the last depth blocks, so that the chain is shorter.
func (n *Node) Rollback(ctx context.Context, depth int) error {
	return n.call(ctx, nil, "anvil_rollback", depth)
}

// Impersonate lets eth_sendTransaction send for an address without a known key, such as a contract.
func (n *Node) Impersonate(ctx context.Context, address common.Address) error {
	return n.call(ctx, nil, "anvil_impersonateAccount", address)
}

// ImpersonateAll is Impersonate for every address.
func (n *Node) ImpersonateAll(ctx context.Context) error {
	return n.call(ctx, nil, "anvil_autoImpersonateAccount", true)
}

// SetBalance sets the balance of the address, in wei.
func (n *Node) SetBalance(ctx context.Context, address common.Address, wei *big.Int) error {
	return n.call(ctx, nil, "anvil_setBalance", address, (*hexutil.Big)(wei))
}

// Snapshot stores the state of the chain for one Revert.
func (n *Node) Snapshot(ctx context.Context) (id string, err error) {
	err = n.call(ctx, &id, "evm_snapshot")
	return id, err
}

// Revert returns to a snapshot. Later blocks are removed, and no fork is visible to clients.
func (n *Node) Revert(ctx context.Context, id string) error {
	var done bool
	if err := n.call(ctx, &done, "evm_revert", id); err != nil {
		return err
	}
	if !done {
		return fmt.Errorf("evm_revert: there is no snapshot %s", id)
	}
	return nil
}

func (n *Node) call(ctx context.Context, result any, method string, args ...any) error {
	if err := n.client.Client().CallContext(ctx, result, method, args...); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	return nil
}
