package chain_test

import (
	"bytes"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/google/go-cmp/cmp"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/market"
)

var deployment = market.Deployment{
	ChainID: 31337, Token: common.Address{1}, Escrow: common.Address{2}, Staking: common.Address{3},
	Treasury: common.Address{4}, Distributor: common.Address{5}, StartBlock: 1,
}

// encoded returns calldata that is built from a documented signature and 32-byte words, without the
// ABI that the program uses.
func encoded(signature string, words ...any) string {
	data := crypto.Keccak256([]byte(signature))[:4]
	for _, word := range words {
		switch w := word.(type) {
		case int:
			data = append(data, common.LeftPadBytes(big.NewInt(int64(w)).Bytes(), 32)...)
		case *big.Int:
			data = append(data, common.LeftPadBytes(w.Bytes(), 32)...)
		case common.Address:
			data = append(data, common.LeftPadBytes(w.Bytes(), 32)...)
		case common.Hash:
			data = append(data, w[:]...)
		case []byte: // zero-padded to whole words
			data = append(data, common.RightPadBytes(w, (len(w)+31)/32*32)...)
		}
	}
	return hexutil.Encode(data)
}

func TestCalldata(t *testing.T) {
	t.Parallel()
	c := chain.NewContracts(deployment)
	signature := append(append(common.Hash{0xaa}.Bytes(), common.Hash{0xbb}.Bytes()...), 28)
	amount, deadline, terms := big.NewInt(5e18), big.NewInt(1_800_000_000), common.Hash{0xcc}
	escrow, old := deployment.Escrow, common.Address{0x0d}
	short, long := bytes.Repeat([]byte{1}, 65), bytes.Repeat([]byte{2}, 85)
	posted, err := c.PostTaskWithPermit(amount, 500, terms, deadline, signature)
	chaintest.Must(t, err)
	postedWithout, err := c.PostTaskWithPermit(amount, 500, common.Hash{}, deadline, signature)
	chaintest.Must(t, err)
	locked, err := c.LockStakeWithPermit(7, amount, deadline, signature)
	chaintest.Must(t, err)
	r, s := common.Hash{0xaa}, common.Hash{0xbb}
	// Offsets of the list and its members, the lengths and the contents.
	lists := []any{7, 64, 2, 64, 192, 65, short, 85, long}
	cases := map[string]struct {
		call chain.Call
		to   common.Address
		data string
	}{
		"PostTaskWithPermit": {
			posted, escrow,
			encoded("postTaskWithPermit(uint256,uint16,bytes32,uint256,uint8,bytes32,bytes32)", amount, 500, terms, deadline, 28, r, s),
		},
		"PostTaskWithPermit without terms": {
			postedWithout, escrow,
			encoded("postTaskWithPermit(uint256,uint16,uint256,uint8,bytes32,bytes32)", amount, 500, deadline, 28, r, s),
		},
		"PostTask":          {c.PostTask(amount, 500, terms), escrow, encoded("postTask(uint256,uint16,bytes32)", amount, 500, terms)},
		"AcceptApplication": {c.AcceptApplication(old, 7, 9), old, encoded("acceptApplicationForTask(uint256,uint256)", 7, 9)},
		"SubmitTask":        {c.SubmitTask(old, 7, terms), old, encoded("submitTask(uint256,bytes32)", 7, terms)},
		"ApproveTask":       {c.ApproveTask(old, 7), old, encoded("agentApproveTask(uint256)", 7)},
		"DisputeTask":       {c.DisputeTask(old, 7), old, encoded("disputeTask(uint256)", 7)},
		"CancelTask":        {c.CancelTask(old, 7), old, encoded("cancelTask(uint256)", 7)},
		"Settle":            {c.Settle(old, 7), old, encoded("settle(uint256)", 7)},
		"EmergencyRelease":  {c.EmergencyRelease(old, 7), old, encoded("emergencyRelease(uint256)", 7)},
		"ApproveSubmission": {
			c.ApproveSubmission(old, 7, [][]byte{short, long}), old,
			encoded("approveSubmission(uint256,bytes[])", lists...),
		},
		"RejectSubmission": {
			c.RejectSubmission(old, 7, [][]byte{short, long}), old,
			encoded("rejectSubmission(uint256,bytes[])", lists...),
		},
		"LockStake": {c.LockStake(7, amount), deployment.Staking, encoded("lockApplicationStake(uint256,uint256)", 7, amount)},
		"LockStakeWithPermit": {
			locked, deployment.Staking,
			encoded("lockApplicationStakeWithPermit(uint256,uint256,uint256,uint8,bytes32,bytes32)", 7, amount, deadline, 28, r, s),
		},
		"RejectApplication": {c.RejectApplication(9), deployment.Staking, encoded("rejectApplication(uint256)", 9)},
		"WithdrawStake":     {c.WithdrawStake(9), deployment.Staking, encoded("withdrawStake(uint256)", 9)},
		"ApproveToken":      {c.ApproveToken(escrow, amount), deployment.Token, encoded("approve(address,uint256)", escrow, amount)},
		"TransferToken":     {c.TransferToken(escrow, amount), deployment.Token, encoded("transfer(address,uint256)", escrow, amount)},
	}
	for name, want := range cases {
		if want.call.To != want.to {
			t.Errorf("%s calls %s, want %s", name, want.call.To, want.to)
		}
		if diff := cmp.Diff(want.data, hexutil.Encode(want.call.Data)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestPermitSignaturesAreChecked(t *testing.T) {
	t.Parallel()
	c := chain.NewContracts(deployment)
	cases := map[string]struct {
		signature []byte
		ok        bool
	}{
		"v of 27":  {signature: append(make([]byte, 64), 27), ok: true},
		"v of 1":   {signature: append(make([]byte, 64), 1), ok: true},
		"v of 29":  {signature: append(make([]byte, 64), 29)},
		"v of 2":   {signature: append(make([]byte, 64), 2)},
		"64 bytes": {signature: make([]byte, 64)},
		"nothing":  {},
	}
	for name, want := range cases {
		_, post := c.PostTaskWithPermit(big.NewInt(1), 500, common.Hash{}, big.NewInt(1), want.signature)
		_, lock := c.LockStakeWithPermit(1, big.NewInt(1), big.NewInt(1), want.signature)
		for _, err := range []error{post, lock} {
			if want.ok != (err == nil) || err != nil && market.KindOf(err) != market.KindSignatureInvalid {
				t.Errorf("%s: error %v, want one: %t", name, err, !want.ok)
			}
		}
	}
}
