// Command bindgen writes one Go binding per compiled contract, all in package contracts:
// go run ./chain/contracts/bindgen chain/contracts/artifacts gen/contracts.
package main

import (
	"encoding/json"
	"fmt"
	"go/format"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/ethereum/go-ethereum/accounts/abi/abigen"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 {
		log.Fatal("usage: bindgen <directory of artifacts> <directory of the package>")
	}
	artifacts, err := filepath.Glob(filepath.Join(os.Args[1], "*.json"))
	if err != nil {
		log.Fatalf("list the artifacts in %s: %v", os.Args[1], err)
	}
	if len(artifacts) == 0 {
		log.Fatalf("there are no artifacts in %s", os.Args[1])
	}
	for _, artifact := range artifacts {
		if err := bind(artifact, os.Args[2]); err != nil {
			log.Fatalf("bind %s: %v", artifact, err)
		}
	}
}

// bind writes the binding of the artifact <Name>.json to <dir>/<name>.gen.go.
func bind(artifact, dir string) error {
	raw, err := os.ReadFile(artifact)
	if err != nil {
		return err
	}
	var compiled struct {
		ABI      json.RawMessage `json:"abi"`
		Bytecode string          `json:"bytecode"`
	}
	if err := json.Unmarshal(raw, &compiled); err != nil {
		return err
	}
	name := strings.TrimSuffix(filepath.Base(artifact), ".json")
	// Several contracts have this function, and abigen does not prefix the type of its result with
	// the contract's name.
	aliases := map[string]string{"eip712Domain": name + "Domain"}
	source, err := abigen.BindV2([]string{name}, []string{string(compiled.ABI)}, []string{compiled.Bytecode},
		"contracts", map[string]string{}, aliases)
	if err != nil {
		return err
	}
	formatted, err := format.Source([]byte(source))
	if err != nil {
		return fmt.Errorf("format: %w", err)
	}
	return os.WriteFile(filepath.Join(dir, strings.ToLower(name)+".gen.go"), formatted, 0o644)
}
