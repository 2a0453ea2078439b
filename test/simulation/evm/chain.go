// Package evm is an Ethereum chain in memory for the simulator. It executes the real contracts with
// go-ethereum's virtual machine, in the caller's goroutine, without a clock or random numbers: the
// caller chooses each block's time and transactions, and which blocks a reorganisation replaces.
// Headers commit to transactions, receipts, bloom filter and state, so that the watcher can verify
// blocks. There is no consensus: every block that is built is valid.
package evm

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/rawdb"
	"github.com/ethereum/go-ethereum/core/state"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/ethdb"
	"github.com/ethereum/go-ethereum/params"
	"github.com/ethereum/go-ethereum/trie"
	"github.com/ethereum/go-ethereum/triedb"
	"github.com/holiman/uint256"
)

const (
	// ChainID is the id of every chain of this package, the same as anvil's.
	ChainID  = 31337
	gasLimit = 100_000_000 // per block
)

// rules is the chain's configuration: the Cancun fork, for which the contracts are compiled.
var rules = params.ChainConfig{
	ChainID: big.NewInt(ChainID), HomesteadBlock: new(big.Int), EIP150Block: new(big.Int), EIP155Block: new(big.Int),
	EIP158Block: new(big.Int), ByzantiumBlock: new(big.Int), ConstantinopleBlock: new(big.Int), PetersburgBlock: new(big.Int),
	IstanbulBlock: new(big.Int), BerlinBlock: new(big.Int), LondonBlock: new(big.Int),
	ShanghaiTime: new(uint64), CancunTime: new(uint64), TerminalTotalDifficulty: new(big.Int),
}

// signer recovers the senders of transactions.
var signer = types.LatestSignerForChainID(rules.ChainID)

// Block is a block with its receipts.
type Block struct {
	*types.Block

	Receipts types.Receipts
	Parent   *Block // nil for the genesis block
}

// At returns the block with the number on the branch that ends in b, or nil if the number is above that
// of b.
func (b *Block) At(number uint64) *Block {
	if number > b.NumberU64() {
		return nil
	}
	for b.NumberU64() > number {
		b = b.Parent
	}
	return b
}

// Chain is a chain with a pool of pending transactions. It is not safe for concurrent use.
type Chain struct {
	disk    ethdb.Database
	states  state.Database
	blocks  map[common.Hash]*Block // of every branch
	head    *Block
	pool    []*types.Transaction // pending, in the order of arrival
	baseFee *big.Int
	built   uint64 // number of built blocks; makes the hashes of all blocks differ

	// Change changes the state at the end of each block. Tests of the simulator use it to simulate a
	// contract with a bug. Optional.
	Change func(*state.StateDB, types.Receipts)
}

// New returns a chain whose genesis block has the time, in seconds, and gives each account the
// balance in wei.
func New(time uint64, balance *big.Int, accounts ...common.Address) (*Chain, error) {
	c := &Chain{disk: rawdb.NewMemoryDatabase(), blocks: make(map[common.Hash]*Block), baseFee: big.NewInt(params.GWei)}
	c.states = openStates(c.disk)
	s, err := state.New(types.EmptyRootHash, c.states)
	if err != nil {
		return nil, fmt.Errorf("open the genesis state: %w", err)
	}
	for _, account := range accounts {
		s.SetBalance(account, uint256.MustFromBig(balance), tracing.BalanceIncreaseGenesisBalance)
	}
	header := &types.Header{Number: new(big.Int), Time: time}
	root, err := s.Commit(c.rulesOf(header), 0)
	if err != nil {
		return nil, fmt.Errorf("commit the genesis state: %w", err)
	}
	c.seal(header, root, nil, nil, nil)
	return c, nil
}

func openStates(disk ethdb.Database) state.Database {
	return state.NewMPTDatabase(triedb.NewDatabase(disk, nil), state.NewCodeDB(disk))
}

// Fork returns an independent chain with the blocks up to the head. The states of its new blocks are
// freed with it.
func (c *Chain) Fork() (*Chain, error) {
	if err := c.states.TrieDB().Commit(c.head.Root(), false); err != nil {
		return nil, fmt.Errorf("write the state of block %d: %w", c.head.NumberU64(), err)
	}
	fork := &Chain{
		disk: c.disk, states: openStates(c.disk), blocks: make(map[common.Hash]*Block),
		head: c.head, pool: slices.Clone(c.pool), baseFee: c.baseFee, built: c.built,
	}
	for b := c.head; b != nil; b = b.Parent {
		fork.blocks[b.Hash()] = b
	}
	return fork, nil
}

// Head returns the last block.
func (c *Chain) Head() *Block { return c.head }

// Pool returns the pending transactions in the order of their arrival.
func (c *Chain) Pool() []*types.Transaction { return slices.Clone(c.pool) }

// Drop removes pending transactions for which drop returns true.
func (c *Chain) Drop(drop func(*types.Transaction) bool) { c.pool = slices.DeleteFunc(c.pool, drop) }

// SetBaseFee sets the base fee of the next blocks, in wei.
func (c *Chain) SetBaseFee(fee *big.Int) { c.baseFee = fee }

// Mine adds a block with the pending transactions that can be executed, except those that omit
// selects.
func (c *Chain) Mine(time uint64, omit func(*types.Transaction) bool) (*Block, error) {
	var chosen, omitted []*types.Transaction
	for _, tx := range c.pool {
		if omit != nil && omit(tx) {
			omitted = append(omitted, tx)
			continue
		}
		chosen = append(chosen, tx)
	}
	rest, err := c.extend(time, chosen)
	c.pool = append(rest, omitted...)
	return c.head, err
}

// Reorg replaces the last depth blocks with depth + 1 blocks. arrange receives the transactions of the
// replaced blocks and returns those that the new blocks contain, in this order, and those that are
// pending again; the others are lost. The last new block has the given time, and the others have the
// times of the replaced blocks.
func (c *Chain) Reorg(depth int, time uint64, arrange func([]*types.Transaction) (mined, pending []*types.Transaction)) error {
	times, dropped := []uint64{time}, []*types.Transaction(nil)
	for range depth {
		times = append([]uint64{c.head.Time()}, times...)
		dropped = append(slices.Clone(c.head.Transactions()), dropped...)
		c.head = c.head.Parent
	}
	mined, pending := arrange(dropped)
	for i, at := range times {
		next := mined[i*len(mined)/len(times) : (i+1)*len(mined)/len(times)]
		rest, err := c.extend(at, next)
		if err != nil {
			return err
		}
		pending = append(pending, rest...)
	}
	c.pool = append(pending, c.pool...)
	return nil
}

// extend adds a block with the transactions that can be executed, and returns the transactions that may
// be executed later.
func (c *Chain) extend(time uint64, txs []*types.Transaction) (rest []*types.Transaction, err error) {
	parent := c.head
	s, err := state.New(parent.Root(), c.states)
	if err != nil {
		return nil, fmt.Errorf("open the state of block %d: %w", parent.NumberU64(), err)
	}
	header := &types.Header{
		ParentHash: parent.Hash(), Number: new(big.Int).SetUint64(parent.NumberU64() + 1), Time: max(time, parent.Time()+1),
		BaseFee: c.baseFee, GasLimit: gasLimit, Difficulty: new(big.Int),
	}
	machine, gas := c.machine(header, s, vm.Config{}), core.NewGasPool(gasLimit)
	var included types.Transactions
	var receipts types.Receipts
	for progress := true; progress; { // a transaction can precede one with a lower nonce
		progress, rest = false, nil
		for _, tx := range txs {
			s.SetTxContext(tx.Hash(), len(included), uint32(len(included)+1))
			receipt, _, err := core.ApplyTransaction(context.Background(), machine, gas, s, header, tx)
			switch {
			case err == nil:
				included, receipts, progress = append(included, tx), append(receipts, receipt), true
			case !errors.Is(err, core.ErrNonceTooLow):
				rest = append(rest, tx)
			}
		}
		txs = rest
	}
	if c.Change != nil {
		c.Change(s, receipts)
	}
	root, err := s.Commit(c.rulesOf(header), header.Number.Uint64())
	if err != nil {
		return nil, fmt.Errorf("commit block %s: %w", header.Number, err)
	}
	header.GasUsed = gas.Used()
	c.seal(header, root, parent, included, receipts)
	return rest, nil
}

// seal completes the header and makes the block the head.
func (c *Chain) seal(header *types.Header, root common.Hash, parent *Block, txs types.Transactions, receipts types.Receipts) {
	c.built++
	header.Root, header.MixDigest, header.Difficulty = root, common.BigToHash(new(big.Int).SetUint64(c.built)), new(big.Int)
	if header.BaseFee == nil {
		header.BaseFee = c.baseFee
	}
	b := &Block{Block: types.NewBlock(header, &types.Body{Transactions: txs}, receipts, trie.NewListHasher()), Receipts: receipts, Parent: parent}
	for i, r := range receipts {
		r.BlockHash, r.TransactionIndex = b.Hash(), uint(i)
		if r.Logs == nil { // a reverted transaction: nodes return an empty list, not null
			r.Logs = []*types.Log{}
		}
		for _, log := range r.Logs {
			log.BlockHash = b.Hash()
		}
	}
	c.blocks[b.Hash()], c.head = b, b
}

func (*Chain) rulesOf(h *types.Header) params.Rules { return rules.Rules(h.Number, true, h.Time) }

// machine returns a virtual machine for transactions or calls in a block.
func (c *Chain) machine(h *types.Header, s *state.StateDB, config vm.Config) *vm.EVM {
	return vm.NewEVM(vm.BlockContext{
		CanTransfer: core.CanTransfer, Transfer: core.Transfer,
		GetHash:  func(uint64) common.Hash { return common.Hash{} }, // the contracts do not read block hashes
		GasLimit: h.GasLimit, BlockNumber: h.Number, Time: h.Time, Difficulty: new(big.Int), BaseFee: h.BaseFee,
		BlobBaseFee: big.NewInt(1), Random: new(common.Hash),
	}, s, &rules, config)
}
