package chain

import (
	"context"
	"errors"

	ethereum "github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"

	"taskmarket/chain/rpc"
	"taskmarket/gen/contracts"
	"taskmarket/market"
)

// Proof is the effect of a transaction on a task, according to its receipt.
type Proof = market.Proof

// ProveFunding finds the posting in the transaction that matches the task: in the task's escrow, by
// its agent, with its amount, fee and terms. It prefers a posting with terms to one without. The
// transaction can also contain postings for other tasks. It returns market.KindTxNotFound,
// KindTxFailed or KindTxMismatch. The receipt is only a hint: the watcher decides which
// transactions are canonical.
func (r *Reader) ProveFunding(ctx context.Context, txHash common.Hash, task *market.Task) (Proof, error) {
	receipt, err := r.receipt(ctx, txHash)
	if err != nil {
		return Proof{}, err
	}
	postings := r.postings(receipt, task.EscrowAddress)
	if len(postings) == 0 {
		return Proof{}, market.Errorf(market.KindTxMismatch, "the transaction did not post a task in the escrow contract %s", task.EscrowAddress).
			WithHint("send the hash of the transaction that called postTaskWithPermit or postTask")
	}
	var without []*market.EscrowTask
	var mismatch error
	for _, p := range postings {
		err := task.Matches(p)
		switch {
		case err == nil && p.TermsHash != (common.Hash{}):
			return Proof{EscrowTaskID: p.ID, Posting: p.Posted, Block: p.Posted.Block, HasTerms: true}, nil
		case err == nil:
			without = append(without, p)
		case mismatch == nil:
			mismatch = err
		}
	}
	if len(without) == 0 {
		return Proof{}, mismatch
	}
	first := without[0]
	proof := Proof{EscrowTaskID: first.ID, Posting: first.Posted, Block: first.Posted.Block}
	for _, twin := range without[1:] {
		proof.Alternatives = append(proof.Alternatives, twin.Posted)
	}
	return proof, nil
}

// postings returns the postings of one transaction in one escrow, in order.
func (r *Reader) postings(receipt *types.Receipt, escrow common.Address) []*market.EscrowTask {
	var postings []*market.EscrowTask
	for _, log := range receipt.Logs {
		event, err := decodeEscrow(escrow, log)
		if err != nil {
			continue
		}
		switch event.Kind {
		case market.EventTaskPosted:
			postings = append(postings, &market.EscrowTask{
				ChainID: r.node.ChainID(), Escrow: escrow, ID: event.TaskID, Status: market.ChainPosted,
				Agent: event.Agent, Amount: event.Amount, FeeBasisPoints: event.FeeBasisPoints,
				Posted: market.Posting{
					TxHash: receipt.TxHash, Ordinal: len(postings), Block: receipt.BlockNumber.Uint64(), Index: log.Index,
				},
			})
		case market.EventTaskTerms:
			for _, p := range postings {
				if p.ID == event.TaskID {
					p.TermsHash = event.Hash
				}
			}
		default:
		}
	}
	return postings
}

// ProveBinding checks that the transaction assigned a human to the task, and returns its block. Its
// errors are those of ProveTx.
func (r *Reader) ProveBinding(ctx context.Context, txHash common.Hash, task *market.Task) (block uint64, err error) {
	return r.ProveTx(ctx, txHash, market.EventTaskCreated, task)
}

// ProveTx checks that the transaction emitted an event of the kind for the task, and returns its
// block. It returns market.KindTxNotFound, KindTxFailed, KindTxMismatch, or KindWrongStatus for an
// unfunded task.
func (r *Reader) ProveTx(ctx context.Context, txHash common.Hash, kind market.EventKind, task *market.Task) (block uint64, err error) {
	if task.Escrow == nil {
		return 0, market.Errorf(market.KindWrongStatus, "the task is %s and not funded yet", task.Status)
	}
	receipt, err := r.receipt(ctx, txHash)
	if err != nil {
		return 0, err
	}
	for _, log := range receipt.Logs {
		event, err := decodeEscrow(task.EscrowAddress, log)
		if err == nil && event.Kind == kind && event.TaskID == task.Escrow.ID {
			return receipt.BlockNumber.Uint64(), nil
		}
	}
	return 0, market.Errorf(market.KindTxMismatch, "the transaction emitted no %s event for task %d in the escrow contract %s",
		kind, task.Escrow.ID, task.EscrowAddress)
}

var errOtherContract = errors.New("the log is from another contract")

var escrowABI = rpc.ParseABI(&contracts.EscrowMetaData)

// decodeEscrow decodes a log of any deployment's escrow. It rejects events that other contracts
// emit, even if they have the same form.
func decodeEscrow(escrow common.Address, log *types.Log) (market.Event, error) {
	if log.Address != escrow {
		return market.Event{}, errOtherContract
	}
	return decode(escrowABI, *log)
}

// receipt reads the receipt of a mined and successful transaction.
func (r *Reader) receipt(ctx context.Context, txHash common.Hash) (*types.Receipt, error) {
	var receipt *types.Receipt
	err := r.node.Do(ctx, "read a receipt", func(ctx context.Context, client *ethclient.Client) (err error) {
		receipt, err = rpc.ReceiptOf(ctx, client, txHash)
		return err
	})
	switch {
	case errors.Is(err, ethereum.NotFound):
		return nil, market.Errorf(market.KindTxNotFound, "transaction %s is not mined on chain %d", txHash, r.node.ChainID()).
			WithHint("wait until the transaction is mined, then retry; check that it was sent on this chain")
	case err != nil:
		return nil, rpc.Unavailable("read a receipt", err)
	case receipt.Status != types.ReceiptStatusSuccessful:
		return nil, market.Errorf(market.KindTxFailed, "transaction %s was mined but reverted", txHash).
			WithHint("request the call again; the service simulates it first")
	}
	return receipt, nil
}
