package market

import (
	"math/big"

	"github.com/ethereum/go-ethereum/common"
)

// Call is a call of a contract, ready to be signed and sent. It carries no ether.
type Call struct {
	To   common.Address
	Data []byte
}

// Token is what a token says of itself.
type Token struct {
	Name     string
	Symbol   string
	Decimals uint8
	Version  string // of its EIP-712 domain, for permits
}

// Permit is what the owner of tokens signs to let a spender take them (ERC-2612).
type Permit struct {
	TokenName string
	Version   string // of the token's EIP-712 domain; "1" for ours
	ChainID   uint64
	Token     common.Address
	Owner     common.Address
	Spender   common.Address
	Value     *big.Int
	Nonce     *big.Int
	Deadline  *big.Int // Unix seconds
}

// Proof is what a transaction did for a task, by its receipt.
type Proof struct {
	EscrowTaskID uint64 // of the posting; it may move in a reorganisation
	Posting      Posting
	Block        uint64
	HasTerms     bool // the posting names the task's terms, so it links by itself
	// Twins are postings of the same transaction that would do as well, when
	// none of them names terms. Another task may have claimed the first.
	Twins []Posting
}
