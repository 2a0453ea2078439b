package contracts_test

import (
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
)

// choosy is EVM code placed in front of a token. It rejects transfers to blocked recipients, as some
// stablecoins do. The address of the token's own code is inserted into it.
var choosy = []string{
	"5f3560e01c",           // push the selector of the call
	"63a9059cbb14",         // compare it with the selector of transfer
	"6004355416",           // and check that the storage slot with the recipient's number is 1
	"15602857",             // if not both, jump over the revert
	"63ec442f0560e01b5f52", // store the selector of ERC20InvalidReceiver
	"600435600452",         // store the recipient as its argument
	"60245ffd",             // revert with this error
	"5b365f5f37",           // jump target 0x28: copy the call data
	"5f5f365f73", "5af4",   // delegatecall to the token's own code
	"3d5f5f3e",         // copy the returned data
	"605257", "3d5ffd", // revert with it if the call failed
	"5b3d5ff3", // jump target 0x52: return it if the call succeeded
}

// yes is the code of a wallet that accepts every signature (ERC-1271).
var yes = []string{
	"631626ba7e60e01b5f52", // store the selector of isValidSignature
	"60205ff3",             // return it for every call
}

// makeTokenChoosy installs the code with the block list in front of the token.
func (r *rig) makeTokenChoosy(t *testing.T) {
	t.Helper()
	code, err := r.net.Dev.Client().CodeAt(t.Context(), r.d.Token, nil)
	must(t, err)
	own := common.HexToAddress("0x70ce200000000000000000000000000000000001")
	r.setCode(t, own, code)
	head, tail := strings.Join(choosy[:9], ""), strings.Join(choosy[9:], "")
	r.setCode(t, r.d.Token, common.FromHex(head+common.Bytes2Hex(own[:])+tail))
}

// makeWallet deploys a contract wallet that can be a validator.
func (r *rig) makeWallet(t *testing.T) {
	t.Helper()
	r.setCode(t, r.wallet, common.FromHex(strings.Join(yes, "")))
}

// refuse adds the account to the token's block list, or removes it.
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
