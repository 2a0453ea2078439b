// Package receipt proves the receipts and logs of a block against its header.
package receipt

import (
	"errors"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rlp"
)

// depositType is the type of a deposit transaction on the OP stack, which go-ethereum cannot decode.
const depositType = 0x7e

// maxType is the largest transaction type of EIP-2718.
const maxType = 0x7f

var errType = errors.New("the receipt's type is not one of EIP-2718")

// Receipt has the members of a receipt to which its block's receipts root commits.
type Receipt struct {
	Type              hexutil.Uint64  `json:"type"`
	Status            hexutil.Uint64  `json:"status"`
	StateRoot         hexutil.Bytes   `json:"root"` // replaces the status in receipts before Byzantium
	CumulativeGasUsed hexutil.Uint64  `json:"cumulativeGasUsed"`
	Logs              []*types.Log    `json:"logs"`
	DepositNonce      *hexutil.Uint64 `json:"depositNonce"`
	DepositVersion    *hexutil.Uint64 `json:"depositReceiptVersion"`
}

func (r *Receipt) bloom() types.Bloom {
	var bloom types.Bloom
	for _, log := range r.Logs {
		bloom.Add(log.Address.Bytes())
		for _, topic := range log.Topics {
			bloom.Add(topic.Bytes())
		}
	}
	return bloom
}

// encode returns the receipt as stored in the receipts trie: in the encoding of EIP-2718 and, for
// deposits, with the two optional members of the OP stack if both are present. Types of other chains, such as
// Arbitrum's, have the same members as standard ones.
func (r *Receipt) encode() ([]byte, error) {
	if r.Type > maxType {
		return nil, errType
	}
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
	return append([]byte{byte(r.Type)}, encoded...), nil
}

// List is the receipts of one block, in order.
type List []*Receipt

func (l List) root() (common.Hash, error) {
	values := make([][]byte, len(l))
	for i, r := range l {
		var err error
		if values[i], err = r.encode(); err != nil {
			return common.Hash{}, err
		}
	}
	return listRoot(values)
}

// ProvenBy reports whether the header commits to these receipts: they must hash to the receipts root. It
// returns false for a chain that encodes its receipts in another way, such as Celo with fees in tokens.
func (l List) ProvenBy(h *types.Header) bool {
	for _, r := range l {
		if r == nil || slices.Contains(r.Logs, nil) {
			return false
		}
	}
	root, err := l.root()
	return err == nil && root == h.ReceiptHash
}

// LogsOf returns the contracts' logs in the chain's order, with their positions in the block. The
// positions are computed: the receipts root commits to a log's address, topics and data, and to its
// position among all logs of the block.
func (l List) LogsOf(h *types.Header, contracts []common.Address) []types.Log {
	var ours []types.Log
	index, number, hash := uint(0), h.Number.Uint64(), h.Hash()
	for i, r := range l {
		for _, log := range r.Logs {
			if slices.Contains(contracts, log.Address) {
				placed := *log
				placed.BlockNumber, placed.BlockHash = number, hash
				placed.Index, placed.TxIndex, placed.Removed = index, uint(i), false
				ours = append(ours, placed)
			}
			index++
		}
	}
	return ours
}
