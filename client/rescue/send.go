package rescue

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"

	"taskmarket/chain"
	"taskmarket/chain/send"
	"taskmarket/client"
	"taskmarket/market"
)

func (r *Rescue) sender(signer chain.Signer) *send.Sender {
	return send.NewCappedSender(r.node, signer, r.options.MaxFeePerGas)
}

// Execute signs the transaction exactly as planned, sends it, and waits until it is mined. Only the
// tip of a replacement can be higher, up to the planned MaxFee. If ctx ends first, Execute returns
// client.ErrNotMined. While another of the wallet's transactions is pending, it sends nothing,
// because that transaction may be the same exit. Use Request.Replace to replace it.
func (r *Rescue) Execute(ctx context.Context, signer chain.Signer, p Plan) (*types.Receipt, error) {
	if signer.Address() != p.Wallet {
		return nil, fmt.Errorf("the plan is for wallet %s, not for wallet %s", p.Wallet, signer.Address())
	}
	hash, err := r.start(ctx, signer, p)
	if err != nil {
		return nil, err
	}
	receipt, err := r.sender(signer).Wait(ctx, hash)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", client.ErrNotMined, err)
	}
	if receipt.Status != types.ReceiptStatusSuccessful {
		return receipt, market.Errorf(market.KindTxFailed, "transaction %s was mined but failed: it cost gas and had no other effect", hash)
	}
	return receipt, nil
}

// start signs and sends the plan's transaction, while holding the nonce lock if Options.Flows is
// set.
func (r *Rescue) start(ctx context.Context, signer chain.Signer, p Plan) (common.Hash, error) {
	if r.options.Flows != nil {
		unlock, err := r.options.Flows.Lock(ctx, client.NonceLock(p.Wallet, p.ChainID))
		if err != nil {
			return common.Hash{}, err
		}
		defer unlock()
	}
	if p.Replaces != nil {
		return r.replace(ctx, signer, p)
	}
	sender := r.sender(signer)
	nonce, err := freeNonce(ctx, sender)
	if err != nil {
		return common.Hash{}, err
	}
	hash, err := r.offer(ctx, signer, p, nonce, p.Transaction.Tip)
	if errors.Is(err, send.ErrNonceTaken) {
		return hash, fmt.Errorf("%w: %w; list the holdings again", client.ErrNotMined, err)
	}
	return hash, err
}

// offer signs the plan's transaction with the nonce and the tip, and sends it.
func (r *Rescue) offer(ctx context.Context, signer chain.Signer, p Plan, nonce uint64, tip *big.Int) (common.Hash, error) {
	tx := types.NewTx(&types.DynamicFeeTx{
		ChainID: number(p.ChainID), Nonce: nonce, To: &p.Transaction.To, Data: p.Transaction.Data,
		Gas: p.Transaction.Gas, GasTipCap: tip, GasFeeCap: p.Transaction.MaxFee,
	})
	signed, err := signer.SignTx(ctx, tx, p.ChainID)
	if err != nil {
		return common.Hash{}, err
	}
	raw, err := signed.MarshalBinary()
	if err != nil {
		return common.Hash{}, fmt.Errorf("encode transaction %s: %w", signed.Hash(), err)
	}
	return signed.Hash(), r.sender(signer).Broadcast(ctx, raw)
}

// freeNonce returns the wallet's next nonce, or an error if one of its transactions is pending.
func freeNonce(ctx context.Context, sender *send.Sender) (uint64, error) {
	next, err := sender.NextNonce(ctx)
	if err != nil {
		return 0, err
	}
	used, err := sender.UsedNonces(ctx)
	if err != nil {
		return 0, err
	}
	if used < next {
		return 0, fmt.Errorf("%w: the wallet has pending transactions (%d), and nothing was sent; try again when they are mined, "+
			"or replace the oldest one", client.ErrNotMined, next-used)
	}
	return next, nil
}

// onlooker is a read-only chain.Signer. It has an address but no key.
type onlooker common.Address

var errNoKey = errors.New("the wallet has no key")

// Address implements chain.Signer.
func (o onlooker) Address() common.Address { return common.Address(o) }

// SignMessage implements chain.Signer.
func (onlooker) SignMessage(context.Context, string) ([]byte, error) { return nil, errNoKey }

// SignTypedData implements chain.Signer.
func (onlooker) SignTypedData(context.Context, apitypes.TypedData) ([]byte, error) {
	return nil, errNoKey
}

// SignTx implements chain.Signer.
func (onlooker) SignTx(context.Context, *types.Transaction, uint64) (*types.Transaction, error) {
	return nil, errNoKey
}
