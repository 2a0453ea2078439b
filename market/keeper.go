package market

import (
	"math/big"

	"github.com/ethereum/go-ethereum/common"
)

// Transaction is a transaction that the keeper has signed for a job.
type Transaction struct {
	Sender  common.Address
	Nonce   uint64 // nonce of the sending account
	Hash    common.Hash
	Raw     []byte   // the signed transaction in its binary encoding
	MaxCost *big.Int // maximum cost in wei, which is the gas limit times the fee cap
}
