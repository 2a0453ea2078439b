package receipt

import (
	"github.com/ethereum/go-ethereum/common/hexutil"

	"taskmarket/chain/internal/wire"
)

// Decode reads the receipts of a block, which are null or a list. Missing members are zero; if that
// is wrong, the receipts do not match the receipts root.
func Decode(r *wire.Reader) List {
	if r.Null() {
		return nil
	}
	var list List
	r.Array(func() { list = append(list, decodeReceipt(r)) })
	return list
}

func decodeReceipt(r *wire.Reader) *Receipt {
	if r.Null() {
		return nil
	}
	var receipt Receipt
	r.Object(func(key []byte) {
		if r.Null() {
			return
		}
		switch string(key) {
		case "type":
			receipt.Type = hexutil.Uint64(r.Uint())
		case "status":
			receipt.Status = hexutil.Uint64(r.Uint())
		case "root":
			receipt.StateRoot = r.Bytes()
		case "cumulativeGasUsed":
			receipt.CumulativeGasUsed = hexutil.Uint64(r.Uint())
		case "logs":
			r.Array(func() { receipt.Logs = append(receipt.Logs, r.Log()) })
		case "depositNonce":
			n := hexutil.Uint64(r.Uint())
			receipt.DepositNonce = &n
		case "depositReceiptVersion":
			n := hexutil.Uint64(r.Uint())
			receipt.DepositVersion = &n
		default:
			r.Skip()
		}
	})
	return &receipt
}
