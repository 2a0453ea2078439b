package receipt

import (
	"bytes"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/rlp"
)

// listRoot returns the root of the Merkle Patricia trie that maps the RLP of each index to its
// value, as in block headers (Ethereum yellow paper, appendix D). The trie of go-ethereum would
// also require its database.
func listRoot(values [][]byte) (common.Hash, error) {
	if len(values) == 0 {
		return types.EmptyRootHash, nil
	}
	// Sorted by key: the RLP of 0 is 0x80, which follows the RLP of 1 to 127.
	entries := make([]trieEntry, 0, len(values))
	for i := 1; i < min(len(values), 128); i++ {
		entries = append(entries, newTrieEntry(i, values[i]))
	}
	entries = append(entries, newTrieEntry(0, values[0]))
	for i := 128; i < len(values); i++ {
		entries = append(entries, newTrieEntry(i, values[i]))
	}
	root, err := trieNode(entries, 0)
	if err != nil {
		return common.Hash{}, fmt.Errorf("encode the receipts trie: %w", err)
	}
	return crypto.Keccak256Hash(root), nil
}

// trieEntry is a value and its key as nibbles. No key is a prefix of another.
type trieEntry struct {
	path  []byte
	value []byte
}

func newTrieEntry(index int, value []byte) trieEntry {
	key := rlp.AppendUint64(nil, uint64(index)) //nolint:gosec // the index of a slice
	path := make([]byte, 0, 2*len(key))
	for _, b := range key {
		path = append(path, b>>4, b&0x0f)
	}
	return trieEntry{path: path, value: value}
}

// trieNode encodes the node of ordered entries that share their path up to depth.
func trieNode(entries []trieEntry, depth int) ([]byte, error) {
	first, last := entries[0].path[depth:], entries[len(entries)-1].path[depth:]
	if len(entries) == 1 {
		return rlp.EncodeToBytes([]any{compactPath(first, true), entries[0].value})
	}
	shared := 0
	for first[shared] == last[shared] {
		shared++
	}
	if shared > 0 {
		child, err := trieReference(entries, depth+shared)
		if err != nil {
			return nil, err
		}
		return rlp.EncodeToBytes([]any{compactPath(first[:shared], false), child})
	}
	branch := bytes.Repeat([]byte{0x80}, 17) // every child and the value are empty
	members := make([]rlp.RawValue, len(branch))
	for i := range members {
		members[i] = branch[i : i+1]
	}
	for from, to := 0, 0; from < len(entries); from = to {
		half := entries[from].path[depth]
		for to = from; to < len(entries) && entries[to].path[depth] == half; to++ {
		}
		child, err := trieReference(entries[from:to], depth+1)
		if err != nil {
			return nil, err
		}
		members[half] = child
	}
	return rlp.EncodeToBytes(members)
}

// trieReference returns a node's reference to its child: the hash, or the child itself if it is
// shorter.
func trieReference(entries []trieEntry, depth int) (rlp.RawValue, error) {
	child, err := trieNode(entries, depth)
	if err != nil || len(child) < common.HashLength {
		return child, err
	}
	return rlp.EncodeToBytes(crypto.Keccak256(child))
}

// compactPath packs nibbles, with a flag for leaves and for odd lengths.
func compactPath(path []byte, leaf bool) []byte {
	flag := byte(0)
	if leaf {
		flag = 0x20
	}
	if len(path)%2 == 1 {
		flag |= 0x10 | path[0]
		path = path[1:]
	}
	packed := []byte{flag}
	for i := 0; i < len(path); i += 2 {
		packed = append(packed, path[i]<<4|path[i+1])
	}
	return packed
}
