package market

import "github.com/ethereum/go-ethereum/common"

// Deployment names one set of contracts on one chain. Every record that
// depends on the chain says which escrow it belongs to, so a later deployment
// never speaks for an earlier one's tasks.
type Deployment struct {
	ChainID     uint64
	Token       common.Address
	Escrow      common.Address
	Staking     common.Address
	Treasury    common.Address
	Distributor common.Address
	StartBlock  uint64 // the first block that can hold one of its logs
}

// Contracts returns the addresses whose logs are followed.
func (d Deployment) Contracts() []common.Address {
	return []common.Address{d.Escrow, d.Staking, d.Treasury, d.Distributor}
}
