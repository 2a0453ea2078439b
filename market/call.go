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

// Token is the metadata from a token contract.
type Token struct {
	Name     string
	Symbol   string
	Decimals uint8
	Version  string // version in the token's EIP-712 domain, used to sign permits
}

// Permit is an ERC-2612 permit. With it, the owner of tokens authorises a spender to transfer them.
type Permit struct {
	TokenName string
	Version   string // version in the token's EIP-712 domain; "1" for the TASK token
	ChainID   uint64
	Token     common.Address
	Owner     common.Address
	Spender   common.Address
	Value     *big.Int
	Nonce     *big.Int
	Deadline  *big.Int // Unix seconds
}

// Proof describes how a transaction funded a task, according to its receipt.
type Proof struct {
	EscrowTaskID uint64 // id that the posting assigned; a reorganisation can change it
	Posting      Posting
	Block        uint64
	HasTerms     bool // whether the posting contains the task's terms hash and therefore links to the task without a confirmation by the agent
	// Alternatives are the transaction's other postings that match the task and have no terms hash, in
	// case Posting is already linked to another task. The list is nil if HasTerms is true.
	Alternatives []Posting
}
