package market_test

import (
	"bytes"
	"encoding/hex"
	"math/big"
	"slices"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/google/uuid"
	"pgregory.net/rapid"

	"taskmarket/market"
)

func arguments(t rapid.TB, types ...string) abi.Arguments {
	var args abi.Arguments
	for _, name := range types {
		typ, err := abi.NewType(name, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		args = append(args, abi.Argument{Type: typ})
	}
	return args
}

func TestTermsHashIsTheABIEncoding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seconds := rapid.Int64Range(1, 1<<40).Draw(t, "deadline")
		deadline := time.Unix(seconds, 0)
		terms := market.Terms{
			TaskID: uuid.UUID(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "id")),
			Agent:  common.BytesToAddress(rapid.SliceOfN(rapid.Byte(), 20, 20).Draw(t, "agent")),
			Amount: new(big.Int).SetBytes(rapid.SliceOfN(rapid.Byte(), 0, 32).Draw(t, "amount")),

			FeeBasisPoints: rapid.Uint16().Draw(t, "fee"),
			Title:          rapid.String().Draw(t, "title"),
			Description:    rapid.String().Draw(t, "description"),
		}
		encodedDeadline := uint64(0)
		if rapid.Bool().Draw(t, "has deadline") {
			terms.Deadline, encodedDeadline = &deadline, uint64(seconds)
		}
		encoded, err := arguments(t, "bytes16", "address", "uint256", "uint16", "uint64", "bytes32", "bytes32").Pack(
			[16]byte(terms.TaskID), terms.Agent, terms.Amount, terms.FeeBasisPoints, encodedDeadline,
			crypto.Keccak256Hash([]byte(terms.Title)), crypto.Keccak256Hash([]byte(terms.Description)),
		)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := terms.Hash(), crypto.Keccak256Hash(encoded); got != want {
			t.Fatalf("Hash() = %s, want %s", got, want)
		}
	})
}

func TestWorkHashIsTheABIEncoding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hash := rapid.Map(rapid.SliceOfN(rapid.Byte(), 32, 32), func(b []byte) common.Hash { return common.Hash(b) })
		work := market.Work{
			TermsHash: hash.Draw(t, "terms"),
			Agent:     common.BytesToAddress(rapid.SliceOfN(rapid.Byte(), 20, 20).Draw(t, "agent")),
			Human:     common.BytesToAddress(rapid.SliceOfN(rapid.Byte(), 20, 20).Draw(t, "human")),
			Note:      rapid.String().Draw(t, "note"),
			ProofURL:  rapid.String().Draw(t, "proof"),
			Files:     rapid.SliceOfN(hash, 0, 20).Draw(t, "files"),
		}
		files := make([][32]byte, 0, len(work.Files))
		for _, f := range work.Files {
			files = append(files, f)
		}
		slices.SortFunc(files, func(a, b [32]byte) int { return bytes.Compare(a[:], b[:]) })
		encoded, err := arguments(t, "bytes32", "address", "address", "bytes32", "bytes32", "bytes32[]").Pack(
			work.TermsHash, work.Agent, work.Human,
			crypto.Keccak256Hash([]byte(work.Note)), crypto.Keccak256Hash([]byte(work.ProofURL)), files,
		)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := work.Hash(), crypto.Keccak256Hash(encoded); got != want {
			t.Fatalf("Hash() = %s, want %s", got, want)
		}
		slices.Reverse(work.Files)
		if work.Hash() != crypto.Keccak256Hash(encoded) {
			t.Fatal("the order of the files changes the hash")
		}
	})
}

// The hash is part of the public interface, because clients in other languages compute it as well.
func TestTermsHashGolden(t *testing.T) {
	deadline := time.Date(2027, 1, 2, 3, 4, 5, 0, time.UTC)
	terms := market.Terms{
		TaskID:         uuid.MustParse("01890a5d-ac96-774b-bcce-b302099a8057"),
		Agent:          common.HexToAddress("0x70997970C51812dc3A010C7d01b50e0d17dc79C8"),
		Amount:         big.NewInt(10_000_000_000_000_000),
		FeeBasisPoints: 500,
		Deadline:       &deadline,
		Title:          "Photograph a shop front",
		Description:    "One picture, daylight.",
	}
	const want = "55b326de91cf4317561660e4be93267d6f78a00f8861b3a87450b3cd9b29992f"
	if got := hex.EncodeToString(terms.Hash().Bytes()); got != want {
		t.Errorf("Hash() = %s, want %s", got, want)
	}
}
