package devnet

import (
	"crypto/ecdsa"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// Account is one of the ten accounts to which anvil gives 10,000 ether in the genesis block. Their
// keys are public and the same in every instance of anvil.
type Account struct {
	Address common.Address
	Key     *ecdsa.PrivateKey
}

// Accounts returns the funded accounts, always in the same order.
func (n *Node) Accounts() []Account { return n.accounts }

// readAccounts reads the keys from the configuration that anvil writes at its start.
func readAccounts(config string) ([]Account, error) {
	raw, err := os.ReadFile(config)
	if err != nil {
		return nil, fmt.Errorf("read the local chain's accounts: %w", err)
	}
	var written struct {
		PrivateKeys []string `json:"private_keys"`
	}
	if err := json.Unmarshal(raw, &written); err != nil {
		return nil, fmt.Errorf("read the local chain's accounts: %w", err)
	}
	accounts := make([]Account, 0, len(written.PrivateKeys))
	for _, text := range written.PrivateKeys {
		key, err := crypto.HexToECDSA(strings.TrimPrefix(text, "0x"))
		if err != nil {
			return nil, fmt.Errorf("read the local chain's accounts: %w", err)
		}
		accounts = append(accounts, Account{Address: crypto.PubkeyToAddress(key.PublicKey), Key: key})
	}
	return accounts, nil
}
