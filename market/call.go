package market

import (
	"math/big"

	"github.com/ethereum/go-ethereum/common"
)

// Call is a contract call that is ready to be signed and sent. It transfers no ether.
type Call struct {
	To   common.Address
	Data []byte
}

// Token is the metadata that a token contract returns.
type Token struct {
	Name     string
	Symbol   string
	Decimals uint8
	Version  string // of the token's EIP-712 domain, for permits
}

// Permit is an ERC-2612 permit: the owner of tokens signs it to let a spender transfer them.
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

// Proof is the information about a task in the receipt of a transaction.
type Proof struct {
	EscrowTaskID uint64 // assigned by the posting; a reorganisation can change it
	Posting      Posting
	Block        uint64
	HasTerms     bool // the posting contains the task's terms hash, so it can be linked without a confirmation by the agent
	// Alternatives are other postings in the same transaction that match the task. They are needed
	// when the postings contain no terms hash, because the first one might be linked to another
	// task.
	Alternatives []Posting
}
