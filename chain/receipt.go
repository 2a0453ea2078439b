package chain

import (
	"context"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rlp"
	"github.com/ethereum/go-ethereum/rpc"
)

const (
	// depositType is an OP-stack chain's deposit, which go-ethereum cannot decode.
	depositType = 0x7e
	// receiptsPerBatch keeps the receipts of a batch of full blocks below maxAnswer.
	receiptsPerBatch = 8
)

// receipt has the members of a receipt that its block's receipts root commits to.
type receipt struct {
	Type              hexutil.Uint64  `json:"type"`
	Status            hexutil.Uint64  `json:"status"`
	StateRoot         hexutil.Bytes   `json:"root"` // instead of the status, before Byzantium
	CumulativeGasUsed hexutil.Uint64  `json:"cumulativeGasUsed"`
	Logs              []*types.Log    `json:"logs"`
	DepositNonce      *hexutil.Uint64 `json:"depositNonce"`
	DepositVersion    *hexutil.Uint64 `json:"depositReceiptVersion"`
}

// standard reports whether the type's encoding is known here.
func (r *receipt) standard() bool { return r.Type <= types.SetCodeTxType || r.Type == depositType }

func (r *receipt) bloom() types.Bloom {
	var bloom types.Bloom
	for _, log := range r.Logs {
		bloom.Add(log.Address.Bytes())
		for _, topic := range log.Topics {
			bloom.Add(topic.Bytes())
		}
	}
	return bloom
}

// encode returns the receipt as the receipts trie holds it: EIP-2718, and for
// deposits the OP-stack's two optional members, which count from version 1 on.
func (r *receipt) encode() ([]byte, error) {
	outcome := []byte(r.StateRoot)
	if len(outcome) == 0 && r.Status != 0 {
		outcome = []byte{1}
	}
	members := []any{outcome, uint64(r.CumulativeGasUsed), r.bloom(), r.Logs}
	if r.Type == depositType && r.DepositNonce != nil && r.DepositVersion != nil {
		members = append(members, uint64(*r.DepositNonce), uint64(*r.DepositVersion))
	}
	encoded, err := rlp.EncodeToBytes(members)
	if err != nil || r.Type == types.LegacyTxType {
		return encoded, err
	}
	return append([]byte{byte(r.Type)}, encoded...), nil //nolint:gosec // standard types are below 0x80
}

// receipts are those of one block, in order.
type receipts []*receipt

func (l receipts) root() (common.Hash, error) {
	values := make([][]byte, len(l))
	for i, r := range l {
		var err error
		if values[i], err = r.encode(); err != nil {
			return common.Hash{}, err
		}
	}
	return listRoot(values)
}

// provenBy reports whether the header commits to these receipts: its receipts
// root does. Types of receipts that only one chain has are not encoded here;
// where a block has one, the bloom filter must be that of all logs. It shows an
// omitted log, but not a changed data field.
func (l receipts) provenBy(h *types.Header) bool {
	for _, r := range l {
		if r == nil || slices.Contains(r.Logs, nil) {
			return false
		}
	}
	if !slices.ContainsFunc(l, func(r *receipt) bool { return !r.standard() }) {
		root, err := l.root()
		return err == nil && root == h.ReceiptHash
	}
	var bloom types.Bloom
	for _, r := range l {
		for i, b := range r.bloom() {
			bloom[i] |= b
		}
	}
	return bloom == h.Bloom
}

// logsOf returns the contracts' logs, in the chain's order, placed in the
// block. The place is computed here: the receipts root commits to a log's
// address, topics and data, and to its position among all logs of the block.
func (l receipts) logsOf(h *types.Header, contracts []common.Address) []types.Log {
	var ours []types.Log
	index := uint(0)
	for i, r := range l {
		for _, log := range r.Logs {
			if slices.Contains(contracts, log.Address) {
				placed := *log
				placed.BlockNumber, placed.BlockHash = h.Number.Uint64(), h.Hash()
				placed.Index, placed.TxIndex, placed.Removed = index, uint(i), false
				ours = append(ours, placed)
			}
			index++
		}
	}
	return ours
}

// provenLogs reads the blocks by hash with their receipts and returns the
// contracts' logs in each, by block hash. The transaction hashes are the
// provider's word: the receipts root does not commit to them.
func (p *provider) provenLogs(ctx context.Context, blocks []*types.Header, contracts []common.Address) (map[common.Hash][]types.Log, error) {
	proven := make(map[common.Hash][]types.Log, len(blocks))
	for chunk := range slices.Chunk(blocks, receiptsPerBatch) {
		if err := p.proveChunk(ctx, chunk, contracts, proven); err != nil {
			return nil, err
		}
	}
	return proven, nil
}

func (p *provider) proveChunk(ctx context.Context, blocks []*types.Header, contracts []common.Address, into map[common.Hash][]types.Log) error {
	ctx, cancel := context.WithTimeout(ctx, p.options.BatchTimeout)
	defer cancel()
	answers, batch := make([]receipts, len(blocks)), make([]rpc.BatchElem, len(blocks))
	for i, h := range blocks {
		batch[i] = rpc.BatchElem{Method: "eth_getBlockReceipts", Args: []any{h.Hash()}, Result: &answers[i]}
	}
	if err := p.client.Client().BatchCallContext(ctx, batch); err != nil {
		return p.errorf("ask for the receipts of %d blocks from %s: %w", len(blocks), blocks[0].Number, err)
	}
	for i, h := range blocks {
		if err := batch[i].Error; err != nil {
			return p.errorf("ask for the receipts of block %s: %w", h.Number, err)
		}
		if !answers[i].provenBy(h) {
			return p.contradicts("the receipts of block %s do not make its receipts root", h.Number)
		}
		into[h.Hash()] = answers[i].logsOf(h, contracts)
	}
	return nil
}
