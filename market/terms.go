package market

import (
	"bytes"
	"encoding/binary"
	"math/big"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"golang.org/x/crypto/sha3"
)

func keccak(data ...[]byte) common.Hash {
	state := sha3.NewLegacyKeccak256()
	for _, d := range data {
		state.Write(d)
	}
	return common.Hash(state.Sum(nil))
}

// The following functions encode words of the Solidity ABI. A word has 32 bytes; numbers are
// right-aligned and bytesN values are left-aligned.

func wordOfBytes(b []byte) []byte { return common.RightPadBytes(b, 32) }

func wordOfUint(n uint64) []byte {
	return common.LeftPadBytes(binary.BigEndian.AppendUint64(nil, n), 32)
}

func wordOfBig(n *big.Int) []byte { return common.LeftPadBytes(n.Bytes(), 32) }

func wordOfAddress(a common.Address) []byte { return common.LeftPadBytes(a.Bytes(), 32) }

// Terms are the terms of a task. Their hash is stored on the chain when the task is funded, so that
// the terms cannot be changed or denied later.
type Terms struct {
	TaskID         uuid.UUID
	Agent          common.Address
	Amount         *big.Int
	FeeBasisPoints uint16
	Deadline       *time.Time // whole seconds; nil if there is no deadline
	Title          string
	Description    string
}

// Hash returns the terms hash, which is keccak256(abi.encode(bytes16 task id, address agent,
// uint256 amount, uint16 fee, uint64 deadline or 0, keccak256(title), keccak256(description))).
func (t Terms) Hash() common.Hash {
	var deadline uint64
	if t.Deadline != nil {
		deadline = uint64(max(0, t.Deadline.Unix()))
	}
	title, description := keccak([]byte(t.Title)), keccak([]byte(t.Description))
	return keccak(
		wordOfBytes(t.TaskID[:]), wordOfAddress(t.Agent), wordOfBig(t.Amount), wordOfUint(uint64(t.FeeBasisPoints)),
		wordOfUint(deadline), title[:], description[:],
	)
}

// Work is the content of a human's submission. Its hash is stored on the chain.
type Work struct {
	TermsHash common.Hash
	Agent     common.Address
	Human     common.Address
	Note      string
	ProofURL  string        // can be empty
	Files     []common.Hash // SHA-256 of each file
}

// Hash returns the work hash, which is keccak256(abi.encode(terms hash, address agent, address
// human, keccak256(note), keccak256(proof URL), bytes32[] files' hashes in ascending order)).
func (w Work) Hash() common.Hash {
	files := slices.Clone(w.Files)
	slices.SortFunc(files, func(a, b common.Hash) int { return bytes.Compare(a[:], b[:]) })
	note, proof := keccak([]byte(w.Note)), keccak([]byte(w.ProofURL))
	// The array is the only dynamic element. It starts after the six words of the head.
	encoded := slices.Concat(
		w.TermsHash[:], wordOfAddress(w.Agent), wordOfAddress(w.Human), note[:], proof[:],
		wordOfUint(6*32), wordOfUint(uint64(len(files))),
	)
	for _, f := range files {
		encoded = append(encoded, f[:]...)
	}
	return keccak(encoded)
}
