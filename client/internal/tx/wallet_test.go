package tx_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/chain/send"
	"taskmarket/client/internal/tx"
	"taskmarket/market"
)

// The error of a wait during which the node did not respond contains the node's error. A wallet that never
// sent a transaction has nothing to wait for.
func TestAwaitIdleWithoutNode(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	net.Post(t, net.Agent, chaintest.Tokens(1), common.Hash{1})
	proxy := chaintest.NewProxy(t, net.Dev.URL())
	node := chaintest.Dial(t, proxy.URL)
	proxy.Misbehave(func(calls []*chaintest.Exchange) bool {
		return !slices.ContainsFunc(calls, func(c *chaintest.Exchange) bool {
			return c.Method == "eth_getTransactionCount" && strings.Contains(string(c.Params[1]), "latest")
		})
	})
	wait := func(signer *chain.KeySigner) error {
		w := &tx.Wallet{Signer: signer, Sender: send.NewSender(node, signer), MineTimeout: 50 * time.Millisecond}
		return w.AwaitIdle(t.Context())
	}
	if err := wait(net.Agent); !errors.Is(err, tx.ErrNotMined) || market.KindOf(err) != market.KindChainUnavailable {
		t.Errorf("AwaitIdle() without the node = %v, want ErrNotMined with the node's error", err)
	}
	fresh, err := crypto.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	if err := wait(chain.NewKeySigner(fresh)); err != nil {
		t.Errorf("AwaitIdle() of a wallet without transactions = %v", err)
	}
}
