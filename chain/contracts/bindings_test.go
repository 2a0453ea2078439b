package contracts_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/accounts/abi/bind/v2"
	"github.com/google/go-cmp/cmp"

	"taskmarket/gen/contracts"
)

var update = flag.Bool("update", false, "rewrite testdata")

// bound maps the name of each contract to the metadata of its binding.
var bound = map[string]*bind.MetaData{
	"ApplicationStaking":    &contracts.ApplicationStakingMetaData,
	"Escrow":                &contracts.EscrowMetaData,
	"PasskeyAccount":        &contracts.PasskeyAccountMetaData,
	"PasskeyAccountFactory": &contracts.PasskeyAccountFactoryMetaData,
	"PasskeyVerifier":       &contracts.PasskeyVerifierMetaData,
	"RewardDistributor":     &contracts.RewardDistributorMetaData,
	"SignatureCheck":        &contracts.SignatureCheckMetaData,
	"TaskToken":             &contracts.TaskTokenMetaData,
	"Treasury":              &contracts.TreasuryMetaData,
}

// TestInterface pins the interface of the contracts: every selector, topic and error, and its Go
// name in the bindings.
func TestInterface(t *testing.T) {
	const golden = "testdata/interface.txt"
	var names []string
	for name := range bound {
		names = append(names, name)
	}
	sort.Strings(names)
	var got strings.Builder
	for _, name := range names {
		fmt.Fprintf(&got, "%s\n%s\n", name, strings.Join(describe(t, bound[name].ABI), "\n"))
	}
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("the contracts' interface changed (-want +got):\n%s", diff)
	}
}

// describe returns one line for each member of an ABI, sorted.
func describe(t *testing.T, text string) []string {
	t.Helper()
	parsed, err := abi.JSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for name, method := range parsed.Methods {
		lines = append(lines, fmt.Sprintf("  function %-34s 0x%x %s", abi.ToCamelCase(name), method.ID, method))
	}
	for name, event := range parsed.Events {
		lines = append(lines, fmt.Sprintf("  event    %-34s %s %s", abi.ToCamelCase(name), event.ID, event))
	}
	for name, reason := range parsed.Errors {
		lines = append(lines, fmt.Sprintf("  error    %-34s 0x%x %s", abi.ToCamelCase(name), reason.ID[:4], reason))
	}
	sort.Strings(lines)
	return lines
}

// TestOverloads checks the two Go names for postTaskWithPermit: the method without a number takes
// the hash of the terms, and the numbered one does not.
func TestOverloads(t *testing.T) {
	escrow, err := contracts.EscrowMetaData.ParseABI()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"postTaskWithPermit":  "postTaskWithPermit(uint256,uint16,bytes32,uint256,uint8,bytes32,bytes32)",
		"postTaskWithPermit0": "postTaskWithPermit(uint256,uint16,uint256,uint8,bytes32,bytes32)",
	} {
		if got := escrow.Methods[name].Sig; got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

// TestBindingsMatchArtifacts fails if only the artifacts or only the bindings were regenerated.
func TestBindingsMatchArtifacts(t *testing.T) {
	files, err := filepath.Glob("artifacts/*.json")
	if err != nil || len(files) != len(bound) {
		t.Fatalf("found %d artifacts (%v), want %d", len(files), err, len(bound))
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var artifact struct {
			ABI      json.RawMessage `json:"abi"`
			Bytecode string          `json:"bytecode"`
		}
		if err := json.Unmarshal(raw, &artifact); err != nil {
			t.Fatalf("parse %s: %v", file, err)
		}
		metadata := bound[strings.TrimSuffix(filepath.Base(file), ".json")]
		if artifact.Bytecode != metadata.Bin {
			t.Errorf("the binding of %s has other bytecode; run make gen", file)
		}
		if diff := cmp.Diff(describe(t, string(artifact.ABI)), describe(t, metadata.ABI)); diff != "" {
			t.Errorf("the binding of %s has another ABI (-artifact +binding):\n%s", file, diff)
		}
	}
}

// TestDeployable checks the size limit of creation code. The gas test checks the smaller limit of
// deployed code.
func TestDeployable(t *testing.T) {
	const most = 49152
	for name, metadata := range bound {
		if size := (len(metadata.Bin) - 2) / 2; size == 0 || size > most {
			t.Errorf("%s has %d bytes of creation code, want 1 to %d", name, size, most)
		}
	}
}
