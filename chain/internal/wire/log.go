package wire

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

// Log reads a log. Address, topics, data and the transaction's hash are required, as in
// go-ethereum. It returns nil for null.
func (r *Reader) Log() *types.Log {
	if r.Null() {
		return nil
	}
	var log types.Log
	var address, topics, data, tx bool
	r.Object(func(key []byte) {
		if r.Null() {
			return
		}
		switch string(key) {
		case "address":
			r.Fixed(log.Address[:])
			address = true
		case "topics":
			log.Topics = r.hashes()
			topics = true
		case "data":
			log.Data = r.Bytes()
			data = true
		case "transactionHash":
			r.Fixed(log.TxHash[:])
			tx = true
		case "blockNumber":
			log.BlockNumber = r.Uint()
		case "transactionIndex":
			log.TxIndex = uint(r.Uint())
		case "blockHash":
			r.Fixed(log.BlockHash[:])
		case "logIndex":
			log.Index = uint(r.Uint())
		case "removed":
			log.Removed = r.Bool()
		default:
			r.Skip()
		}
	})
	if !address || !topics || !data || !tx {
		r.fail("a log with address, topics, data and transactionHash")
	}
	return &log
}

func (r *Reader) hashes() []common.Hash {
	hashes := make([]common.Hash, 0, 4) // a log has at most four topics
	r.Array(func() {
		var hash common.Hash
		r.Fixed(hash[:])
		hashes = append(hashes, hash)
	})
	return hashes
}

// Logs reads a list of logs. It returns nil for null.
func (r *Reader) Logs() []types.Log {
	if r.Null() {
		return nil
	}
	logs := []types.Log{}
	r.Array(func() {
		if log := r.Log(); log != nil {
			logs = append(logs, *log)
		} else {
			r.fail("a log")
		}
	})
	return logs
}
