package market

import "github.com/ethereum/go-ethereum/common"

// Deployment identifies one set of contracts on one chain. Every record that depends on the chain
// stores the escrow's address, so that a later deployment does not affect earlier tasks.
type Deployment struct {
	ChainID     uint64
	Token       common.Address
	Escrow      common.Address
	Staking     common.Address
	Treasury    common.Address
	Distributor common.Address
	StartBlock  uint64 // the first block that can contain logs from these contracts
}

// Contracts returns the addresses of the contracts whose logs the watcher reads.
func (d Deployment) Contracts() []common.Address {
	return []common.Address{d.Escrow, d.Staking, d.Treasury, d.Distributor}
}
