package contracts_test

import (
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
)

// choosy is code to put in front of a token: a list of refused payees, as some
// stablecoins have one. It has room for the address of the token's own code.
var choosy = []string{
	"5f3560e01c",           // the selector
	"63a9059cbb14",         // is transfer's,
	"6004355416",           // and the slot with the payee's number holds 1?
	"15602857",             // if not, jump over the refusal
	"63ec442f0560e01b5f52", // ERC20InvalidReceiver(
	"600435600452",         // payee)
	"60245ffd",             // revert
	"5b365f5f37",           // here 0x28: hand the call data
	"5f5f365f73", "5af4",   // to the token's own code, by delegatecall
	"3d5f5f3e",         // and its answer
	"605257", "3d5ffd", // back, as a revert
	"5b3d5ff3", // or here, 0x52, as a success
}

// yes is the code of a wallet that takes any signature for its own (ERC-1271).
var yes = []string{
	"631626ba7e60e01b5f52", // the selector of isValidSignature
	"60205ff3",             // is the answer to all
}

// makeTokenChoosy puts the list in front of the token.
func (r *rig) makeTokenChoosy(t *testing.T) {
	t.Helper()
	code, err := r.net.Dev.Client().CodeAt(t.Context(), r.d.Token, nil)
	must(t, err)
	own := common.HexToAddress("0x70ce200000000000000000000000000000000001")
	r.setCode(t, own, code)
	head, tail := strings.Join(choosy[:9], ""), strings.Join(choosy[9:], "")
	r.setCode(t, r.d.Token, common.FromHex(head+common.Bytes2Hex(own[:])+tail))
}

// makeWallet makes a contract that can be a validator.
func (r *rig) makeWallet(t *testing.T) {
	t.Helper()
	r.setCode(t, r.wallet, common.FromHex(strings.Join(yes, "")))
}

// refuse has the token refuse to pay the account, or no longer.
func (r *rig) refuse(t *testing.T, account common.Address, refused bool) {
	t.Helper()
	listed := common.Hash{}
	if refused {
		listed = common.BigToHash(big.NewInt(1))
	}
	r.set(t, "anvil_setStorageAt", r.d.Token, common.BytesToHash(account[:]), listed)
}

func (r *rig) setCode(t *testing.T, account common.Address, code []byte) {
	t.Helper()
	r.set(t, "anvil_setCode", account, hexutil.Bytes(code))
}

func (r *rig) set(t *testing.T, method string, args ...any) {
	t.Helper()
	must(t, r.net.Dev.Client().Client().CallContext(t.Context(), nil, method, args...))
}
