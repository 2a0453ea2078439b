package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/market"
	"taskmarket/server/strictjson"
)

// deploymentVariable is the name of the variable with the deployment file, without the prefix.
const deploymentVariable = "DEPLOYMENT"

// deploymentFile describes the chain and the contracts. `deploy` writes it. The operator can add what `deploy`
// does not know: the chain's name, an explorer and a public node.
type deploymentFile struct {
	ChainID    uint64         `json:"chain_id"`
	StartBlock uint64         `json:"start_block"` // the first block that can contain logs of the contracts
	Token      checkedAddress `json:"token"`
	Escrow     checkedAddress `json:"escrow"`
	Staking    checkedAddress `json:"application_staking"`
	Treasury   checkedAddress `json:"treasury"`
	// Distributor is the contract that pays rewards.
	Distributor checkedAddress `json:"reward_distributor"`

	// The web app adds the chain to wallets with this name and node, if they do not know it, and links to the
	// explorer. Browsers also read the chain from the node. Optional.
	ChainName    string `json:"chain_name,omitempty"`
	PublicRPCURL string `json:"public_rpc_url,omitempty"`
	ExplorerURL  string `json:"explorer_url,omitempty"`
}

// checkedAddress is an address whose checksum is verified, because money is sent to it.
type checkedAddress common.Address

// MarshalText implements encoding.TextMarshaler.
func (a checkedAddress) MarshalText() ([]byte, error) { //nolint:unparam // the interface returns an error
	return []byte(common.Address(a).Hex()), nil
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (a *checkedAddress) UnmarshalText(text []byte) error {
	address, err := market.ParseAddress("address", string(text))
	if err != nil {
		return fmt.Errorf("%q: %s", text, addressForm)
	}
	*a = checkedAddress(address)
	return nil
}

func newDeploymentFile(d market.Deployment) deploymentFile {
	return deploymentFile{
		ChainID: d.ChainID, StartBlock: d.StartBlock, Token: checkedAddress(d.Token), Escrow: checkedAddress(d.Escrow),
		Staking: checkedAddress(d.Staking), Treasury: checkedAddress(d.Treasury), Distributor: checkedAddress(d.Distributor),
	}
}

// parseDeployment parses and checks the content of a deployment file.
func parseDeployment(text string) (deploymentFile, error) {
	var f deploymentFile
	if err := strictjson.Decode([]byte(text), &f); err != nil {
		return deploymentFile{}, fmt.Errorf("parse the deployment: %w", err)
	}
	var faults []error
	if f.ChainID == 0 {
		faults = append(faults, errors.New("chain_id is missing"))
	}
	for _, contract := range []struct {
		name    string
		address checkedAddress
	}{{"token", f.Token}, {"escrow", f.Escrow}, {"application_staking", f.Staking}, {"treasury", f.Treasury}, {"reward_distributor", f.Distributor}} {
		if contract.address == (checkedAddress{}) {
			faults = append(faults, fmt.Errorf("%s is missing", contract.name))
		}
	}
	for name, address := range map[string]string{"public_rpc_url": f.PublicRPCURL, "explorer_url": f.ExplorerURL} {
		if address != "" && !isPlainURL(address) {
			faults = append(faults, fmt.Errorf("%s is %q: %s, such as https://node.example/path", name, address, plainURLForm))
		}
	}
	return f, errors.Join(faults...)
}

// write writes a new file, which is complete if it exists.
func (f deploymentFile) write(path string) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(f); err != nil {
		return err
	}
	temporary := path + ".new"
	if err := os.WriteFile(temporary, text.Bytes(), 0o644); err != nil { //nolint:gosec // the file contains no secrets
		return err
	}
	return os.Rename(temporary, path)
}

// deployment returns the configured contracts.
func (c config) deployment() market.Deployment {
	f := c.deployed
	return market.Deployment{
		ChainID: f.ChainID, StartBlock: f.StartBlock, Token: common.Address(f.Token), Escrow: common.Address(f.Escrow),
		Staking: common.Address(f.Staking), Treasury: common.Address(f.Treasury), Distributor: common.Address(f.Distributor),
	}
}
