package send_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain/chaintest"
	"taskmarket/chain/rpc"
	"taskmarket/chain/send"
	"taskmarket/gen/contracts"
)

// If forged addresses were accepted, a node could choose the escrow's treasury and token.
func TestDeployRejectsForgedAddresses(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	forged := common.Address{0xBA, 0xD0}
	staking := []byte(hex.EncodeToString(contracts.NewEscrow().PackApplicationStaking()))
	for name, forge := range map[string]func(*chaintest.Exchange){
		"receipt": func(c *chaintest.Exchange) {
			var receipt map[string]any
			if c.Method == "eth_getTransactionReceipt" && json.Unmarshal(c.Result, &receipt) == nil && receipt != nil {
				receipt["contractAddress"] = forged
				c.Result, _ = json.Marshal(receipt)
			}
		},
		"view": func(c *chaintest.Exchange) {
			if c.Method == "eth_call" && bytes.Contains(c.Params[0], staking) {
				c.Result, _ = json.Marshal(common.BytesToHash(forged[:]))
			}
		},
		"none": nil,
	} {
		p := chaintest.NewProxy(t, net.Dev.URL())
		p.Answer = forge
		own := net.Owner.Address()
		d, err := send.Deploy(t.Context(), chaintest.Dial(t, p.URL), net.Owner, send.DeployParams{
			Name: "Task Token", Symbol: "TASK", Supply: chaintest.Tokens(1), Holder: own, Owner: own, Guardian: own, FeeBasisPoints: 1,
			Validators: []common.Address{own}, Quorum: 1, RewardSigner: own, DailyBudget: big.NewInt(1),
		})
		if want := forge != nil; errors.Is(err, rpc.ErrInvalidAnswer) != want || !want && err != nil {
			t.Errorf("%s: Deploy() = %+v, %v; want an error: %t", name, d, err, want)
		}
	}
}
