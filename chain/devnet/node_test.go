package devnet_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"testing"
	"time"

	ethereum "github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
	"github.com/google/go-cmp/cmp"

	"taskmarket/chain/devnet"
)

// stranger is an address without a known key and without funds.
var stranger = common.HexToAddress("0x00000000000000000000000000000000000fee1d")

func start(t *testing.T, o devnet.Options) *devnet.Node {
	t.Helper()
	n, err := devnet.Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = n.Stop() })
	return n
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func header(t *testing.T, n *devnet.Node, number *big.Int) *types.Header {
	t.Helper()
	h, err := n.Client().HeaderByNumber(t.Context(), number)
	must(t, err)
	return h
}

func head(t *testing.T, n *devnet.Node) *types.Header {
	t.Helper()
	return header(t, n, nil)
}

func hashes(t *testing.T, n *devnet.Node, from, to uint64) []common.Hash {
	t.Helper()
	var all []common.Hash
	for number := from; number <= to; number++ {
		all = append(all, header(t, n, new(big.Int).SetUint64(number)).Hash())
	}
	return all
}

// payment returns a signed transfer of one ether from the first account to the stranger.
func payment(t *testing.T, n *devnet.Node, nonce uint64) *types.Transaction {
	t.Helper()
	tx, err := types.SignNewTx(n.Accounts()[0].Key, types.LatestSignerForChainID(big.NewInt(devnet.ChainID)), &types.DynamicFeeTx{
		ChainID: big.NewInt(devnet.ChainID), Nonce: nonce, To: &stranger, Value: big.NewInt(params.Ether),
		Gas: params.TxGas, GasFeeCap: big.NewInt(10 * params.GWei), GasTipCap: big.NewInt(params.GWei),
	})
	must(t, err)
	return tx
}

// pay sends a payment and waits for its block.
func pay(t *testing.T, n *devnet.Node, nonce uint64) *types.Transaction {
	t.Helper()
	tx := payment(t, n, nonce)
	must(t, n.Client().SendTransaction(t.Context(), tx))
	receipt(t, n, tx.Hash())
	return tx
}

// receipt waits for the transaction's block, which is mined shortly after the transaction is sent.
func receipt(t *testing.T, n *devnet.Node, tx common.Hash) *types.Receipt {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(2 * time.Millisecond) {
		r, err := n.Client().TransactionReceipt(t.Context(), tx)
		if err == nil {
			return r
		}
		if !errors.Is(err, ethereum.NotFound) || time.Now().After(deadline) {
			t.Fatalf("receipt of %s: %v", tx, err)
		}
	}
}

func balance(t *testing.T, n *devnet.Node, who common.Address) *big.Int {
	t.Helper()
	wei, err := n.Client().BalanceAt(t.Context(), who, nil)
	must(t, err)
	return wei
}

func ether(n int64) *big.Int { return new(big.Int).Mul(big.NewInt(n), big.NewInt(params.Ether)) }

var compareInts = cmp.Comparer(func(a, b *big.Int) bool { return a.Cmp(b) == 0 })

func TestNewChain(t *testing.T) {
	t.Parallel()
	n := start(t, devnet.Options{ChainID: 4242})
	id, err := n.Client().ChainID(t.Context())
	must(t, err)
	if id.Int64() != 4242 {
		t.Errorf("chain id = %s, want 4242", id)
	}
	if len(n.Accounts()) != 10 {
		t.Fatalf("%d accounts, want 10", len(n.Accounts()))
	}
	for _, account := range n.Accounts() {
		if diff := cmp.Diff(ether(10_000), balance(t, n, account.Address), compareInts); diff != "" {
			t.Errorf("balance of %s (-want +got):\n%s", account.Address, diff)
		}
	}
	if !strings.HasPrefix(n.WSURL(), "ws://127.0.0.1:") {
		t.Errorf("WSURL() = %s, want a loopback address", n.WSURL())
	}
}

func TestInstantMining(t *testing.T) {
	t.Parallel()
	n := start(t, devnet.Options{})
	pay(t, n, 0)
	if got := head(t, n).Number.Uint64(); got != 1 {
		t.Errorf("head after a payment = %d, want 1", got)
	}
	must(t, n.Mine(t.Context(), 3))
	if got := head(t, n).Number.Uint64(); got != 4 {
		t.Errorf("head after Mine(3) = %d, want 4", got)
	}
}

func TestManualMining(t *testing.T) {
	t.Parallel()
	tests := map[string]func(*testing.T) *devnet.Node{
		"from the start": func(t *testing.T) *devnet.Node {
			t.Helper()
			return start(t, devnet.Options{Mining: devnet.Manual})
		},
		"switched off later": func(t *testing.T) *devnet.Node {
			t.Helper()
			n := start(t, devnet.Options{})
			must(t, n.SetMining(t.Context(), false))
			return n
		},
	}
	for name, begin := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := begin(t)
			for nonce := range uint64(2) {
				must(t, n.Client().SendTransaction(t.Context(), payment(t, n, nonce)))
			}
			pending, err := n.Client().PendingTransactionCount(t.Context())
			must(t, err)
			if got := head(t, n).Number.Uint64(); got != 0 || pending != 2 {
				t.Fatalf("head = %d with %d waiting, want 0 with 2", got, pending)
			}
			must(t, n.Mine(t.Context(), 1))
			if diff := cmp.Diff(ether(2), balance(t, n, stranger), compareInts); diff != "" {
				t.Errorf("the payee's balance after one block (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPeriodicMiningMovesTheClock(t *testing.T) {
	t.Parallel()
	n := start(t, devnet.Options{Mining: devnet.Periodic})
	pay(t, n, 0)
	for deadline := time.Now().Add(20 * time.Second); head(t, n).Number.Uint64() < 3; {
		if time.Now().After(deadline) {
			t.Fatal("no three blocks in 20 s")
		}
		time.Sleep(20 * time.Millisecond)
	}
	if first, last := header(t, n, big.NewInt(1)), head(t, n); last.Time <= first.Time {
		t.Errorf("time of block 1 = %d, of block %s = %d: the clock did not move", first.Time, last.Number, last.Time)
	}
}

func TestTheClock(t *testing.T) {
	t.Parallel()
	genesis := time.Unix(1_800_000_000, 0)
	n := start(t, devnet.Options{Genesis: genesis})
	if got := head(t, n).Time; got != uint64(genesis.Unix()) {
		t.Fatalf("time of block 0 = %d, want %d", got, genesis.Unix())
	}
	must(t, n.Mine(t.Context(), 1))
	before := head(t, n).Time
	must(t, n.Warp(t.Context(), 24*time.Hour))
	const tolerance = 30 // seconds; large enough for a slow machine
	if got := head(t, n).Time - before; got < 86_400 || got > 86_400+tolerance {
		t.Errorf("Warp(24h) moved the clock by %d s, want 86,400", got)
	}
	next := time.Unix(1_900_000_000, 0)
	must(t, n.SetNextTime(t.Context(), next))
	must(t, n.Mine(t.Context(), 1))
	if got := head(t, n).Time; got != uint64(next.Unix()) {
		t.Errorf("time after SetNextTime = %d, want %d", got, next.Unix())
	}
	must(t, n.Mine(t.Context(), 1))
	if got := head(t, n).Time; got < uint64(next.Unix()) || got > uint64(next.Unix())+tolerance {
		t.Errorf("time of the block after = %d, want it to continue from %d", got, next.Unix())
	}
}

func TestReorgReplacesTheLastBlocks(t *testing.T) {
	t.Parallel()
	n := start(t, devnet.Options{})
	must(t, n.Mine(t.Context(), 2))
	pay(t, n, 0)
	must(t, n.Mine(t.Context(), 2)) // the head is now block 5, and the payment is in block 3
	before := hashes(t, n, 0, 5)
	must(t, n.Reorg(t.Context(), 3))
	if got := head(t, n).Number.Uint64(); got != 5 {
		t.Fatalf("head = %d, want 5 as before", got)
	}
	after := hashes(t, n, 0, 5)
	if diff := cmp.Diff(before[:3], after[:3]); diff != "" {
		t.Errorf("blocks 0 to 2 changed:\n%s", diff)
	}
	for number := 3; number <= 5; number++ {
		if before[number] == after[number] {
			t.Errorf("block %d kept its hash", number)
		}
	}
	if got := balance(t, n, stranger); got.Sign() != 0 {
		t.Errorf("the payee has %s wei, want the payment gone", got)
	}
}

func TestReorgWithTransactions(t *testing.T) {
	t.Parallel()
	n := start(t, devnet.Options{})
	must(t, n.Mine(t.Context(), 1))
	tx := pay(t, n, 0)
	must(t, n.Mine(t.Context(), 2)) // the head is now block 4, and the payment is in block 2
	raw, err := tx.MarshalBinary()
	must(t, err)
	must(t, n.Reorg(t.Context(), 3, devnet.ForkTx{Raw: raw, Block: 2}))
	if got := receipt(t, n, tx.Hash()).BlockNumber.Uint64(); got != 4 {
		t.Errorf("the payment is in block %d, want 4, the third new one", got)
	}
}

func TestRollbackShortensTheChain(t *testing.T) {
	t.Parallel()
	n := start(t, devnet.Options{})
	must(t, n.Mine(t.Context(), 5))
	before := hashes(t, n, 0, 3)
	must(t, n.Rollback(t.Context(), 2))
	if got := head(t, n).Number.Uint64(); got != 3 {
		t.Fatalf("head = %d, want 3", got)
	}
	if diff := cmp.Diff(before, hashes(t, n, 0, 3)); diff != "" {
		t.Errorf("older blocks changed:\n%s", diff)
	}
}

func TestFinality(t *testing.T) {
	t.Parallel()
	n := start(t, devnet.Options{SlotsPerEpoch: 2})
	must(t, n.Mine(t.Context(), 10))
	const safe, finalized = -4, -3 // ethclient's numbers for these block tags
	if got := header(t, n, big.NewInt(safe)).Number.Uint64(); got != 8 {
		t.Errorf("safe = %d, want one epoch of two behind 10", got)
	}
	if got := header(t, n, big.NewInt(finalized)).Number.Uint64(); got != 6 {
		t.Errorf("finalized = %d, want two epochs of two behind 10", got)
	}
}

func TestSnapshotAndRevert(t *testing.T) {
	t.Parallel()
	n := start(t, devnet.Options{})
	id, err := n.Snapshot(t.Context())
	must(t, err)
	must(t, n.SetBalance(t.Context(), stranger, ether(7)))
	if diff := cmp.Diff(ether(7), balance(t, n, stranger), compareInts); diff != "" {
		t.Errorf("after SetBalance (-want +got):\n%s", diff)
	}
	must(t, n.Revert(t.Context(), id))
	if got := balance(t, n, stranger); got.Sign() != 0 {
		t.Errorf("after Revert the balance is %s, want 0", got)
	}
	if err := n.Revert(t.Context(), id); err == nil {
		t.Error("a second Revert to the same snapshot succeeded")
	}
}

func TestImpersonate(t *testing.T) {
	t.Parallel()
	n := start(t, devnet.Options{})
	must(t, n.SetBalance(t.Context(), stranger, ether(2)))
	to := n.Accounts()[1].Address
	var sent common.Hash
	send := func() error {
		return n.Client().Client().CallContext(t.Context(), &sent, "eth_sendTransaction", map[string]any{"from": stranger, "to": to, "value": "0x1"})
	}
	if err := send(); err == nil {
		t.Fatal("sent for an address without a key before Impersonate")
	}
	must(t, n.Impersonate(t.Context(), stranger))
	must(t, send())
	receipt(t, n, sent)
	if diff := cmp.Diff(new(big.Int).Add(ether(10_000), big.NewInt(1)), balance(t, n, to), compareInts); diff != "" {
		t.Errorf("the payee's balance (-want +got):\n%s", diff)
	}
}

func TestStoredChainContinuesAfterARestart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first := start(t, devnet.Options{Dir: dir})
	contract := deploy(t, first)
	pay(t, first, 1)
	must(t, first.Warp(t.Context(), 30*24*time.Hour))
	before, last := hashes(t, first, 0, 3), head(t, first)
	must(t, first.Stop())

	second := start(t, devnet.Options{Dir: dir})
	if diff := cmp.Diff(before, hashes(t, second, 0, 3)); diff != "" {
		t.Errorf("blocks changed (-before +after):\n%s", diff)
	}
	code, err := second.Client().CodeAt(t.Context(), contract, nil)
	must(t, err)
	if diff := cmp.Diff([]byte{0x00}, code); diff != "" {
		t.Errorf("the contract's code (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(ether(1), balance(t, second, stranger), compareInts); diff != "" {
		t.Errorf("balance (-want +got):\n%s", diff)
	}
	must(t, second.Mine(t.Context(), 1))
	if got := head(t, second); got.Time <= last.Time || got.ParentHash != last.Hash() {
		t.Errorf("the next block is at %d after %s, want it later than %d and on %s", got.Time, got.ParentHash, last.Time, last.Hash())
	}
	must(t, second.Reorg(t.Context(), 3)) // the reorg replaces blocks that were mined before the restart
	if got := hashes(t, second, 2, 2)[0]; got == before[2] {
		t.Error("block 2 kept its hash in a reorg")
	}
}

// deploy deploys a contract with the one-byte code 00.
func deploy(t *testing.T, n *devnet.Node) common.Address {
	t.Helper()
	returnOneZeroByte := common.FromHex("60015ff3") // PUSH1 1, PUSH0, RETURN
	tx, err := types.SignNewTx(n.Accounts()[0].Key, types.LatestSignerForChainID(big.NewInt(devnet.ChainID)), &types.DynamicFeeTx{
		ChainID: big.NewInt(devnet.ChainID), Gas: 100_000, GasFeeCap: big.NewInt(10 * params.GWei), GasTipCap: big.NewInt(params.GWei), Data: returnOneZeroByte,
	})
	must(t, err)
	must(t, n.Client().SendTransaction(t.Context(), tx))
	return receipt(t, n, tx.Hash()).ContractAddress
}

func TestUsedPortIsAnError(t *testing.T) {
	t.Parallel()
	port := portOf(t, start(t, devnet.Options{}))
	_, err := devnet.Start(t.Context(), devnet.Options{Port: port})
	if want := fmt.Sprintf("port %d is taken", port); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("Start() = %v, want an error with %q", err, want)
	}
}

// The answers of another chain on the port must not be mistaken for those of the new chain.
func TestPortTakenMeanwhileIsAnError(t *testing.T) {
	t.Parallel()
	n, err := devnet.StartOn(t.Context(), t.TempDir(), portOf(t, start(t, devnet.Options{})))
	if err == nil {
		_ = n.Stop()
	}
	if err == nil || !strings.Contains(err.Error(), "in use") {
		t.Errorf("StartOn() = %v, want an error with \"in use\"", err)
	}
}

func portOf(t *testing.T, n *devnet.Node) int {
	t.Helper()
	port, err := strconv.Atoi(n.URL()[strings.LastIndex(n.URL(), ":")+1:])
	must(t, err)
	return port
}

func TestWithoutTools(t *testing.T) {
	t.Setenv("TASKMARKET_TOOLS_DIR", t.TempDir())
	_, err := devnet.Start(context.Background(), devnet.Options{})
	if err == nil || !strings.Contains(err.Error(), "make tools") {
		t.Errorf("Start() = %v, want advice to run make tools", err)
	}
}
